/** What the reference shows of an OpenAPI 3.1 document. */
export type OpenApi = {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  security?: Security[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
  };
};

type PathItem = Record<string, Operation>;
type Security = Record<string, string[]>;
type Reference = { $ref: string };
type Example = { summary?: string; value: unknown };
export type Media = { schema: Schema; example?: unknown; examples?: Record<string, Example> };
export type Content = Record<string, Media>;

export type Operation = {
  summary: string;
  description?: string;
  tags: string[];
  security?: Security[];
  servers?: { url: string }[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { description?: string; content: Content };
  responses: Record<string, Answer | Reference>;
};

export type Parameter = {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
  examples?: Record<string, Example>;
};

export type Header = { description?: string; schema: Schema; example?: unknown };
export type Answer = { description: string; headers?: Record<string, Header | Reference>; content?: Content };

export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  default?: unknown;
} & Partial<Record<Bound, number>>;

const bounds = {
  minimum: 'from #',
  maximum: 'to #',
  minLength: 'at least # characters',
  maxLength: 'at most # characters',
  minItems: 'at least #',
  maxItems: 'at most #',
} as const;
type Bound = keyof typeof bounds;

/** The last part of a reference: the name of what it refers to. */
export const nameIn = ($ref: string): string =>
  decodeURIComponent($ref.split('/').at(-1) ?? '').replaceAll('~1', '/');

/** What a component is called for, whether it stands here or elsewhere. */
export const resolved = <Part extends object>(part: Part | Reference, parts: Record<string, Part>): Part => {
  if (!('$ref' in part)) return part;
  const found = parts[nameIn(part.$ref)];
  if (!found) throw new Error(`openapi.json has no ${part.$ref}.`);
  return found;
};

/** Every operation of a set of paths, in its order. */
export const operationsOf = (paths: Record<string, PathItem>) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]) => ({ path, method, operation })),
  );

/** The bounds of a value in words: `from 1 to 50`. */
export const boundsOf = (schema: Schema): string =>
  Object.entries(bounds)
    .flatMap(([name, word]) => {
      const value = schema[name as Bound];
      return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER
        ? []
        : [word.replace('#', value.toLocaleString('en-GB'))];
    })
    .join(' ');
