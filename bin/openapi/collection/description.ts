/** The parts of an OpenAPI document that a collection needs. */
export type Description = {
  info: { title: string };
  servers: { url: string }[];
  paths: Record<string, PathItem>;
  components: { parameters: Record<string, Parameter> };
};

type PathItem = { servers?: { url: string }[] } & Record<string, unknown>;

type Parameter = { name: string; in: string; example?: unknown };

export type Body = { content: Record<string, { examples?: Record<string, { value: object }> }> };

/** An operation with its path and method. */
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  method: string;
  path: string;
  /** Its own server, such as the token service's. */
  server?: string;
  security: Record<string, unknown>[];
  parameters: Parameter[];
  requestBody?: Body;
  responses: Record<string, unknown>;
};

type Written = Omit<Operation, 'method' | 'path' | 'server' | 'parameters'> & {
  parameters?: (Parameter | { $ref: string })[];
};

/** All operations of a document by their ids, parameters resolved. */
export const operationsOf = ({ paths, components }: Description): ReadonlyMap<string, Operation> => {
  const resolved = (parameter: Parameter | { $ref: string }): Parameter =>
    '$ref' in parameter
      ? (components.parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter)
      : parameter;
  const operations = Object.entries(paths).flatMap(([path, { servers, ...item }]) =>
    (Object.entries(item) as [string, Written][])
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, { parameters = [], ...written }]): Operation => {
        const server = servers?.[0]?.url;
        const place = { method: method.toUpperCase(), path, ...(server !== undefined && { server }) };
        return { ...written, ...place, parameters: parameters.map(resolved) };
      }),
  );
  return new Map(operations.map((operation) => [operation.operationId, operation]));
};
