import type { Schema } from './schema.ts';

export type Reference = { $ref: string };
type Example = { summary?: string; value: unknown };
export type Media = { schema?: Schema; example?: unknown; examples?: Record<string, Example> };
export type Parameter = { name: string; in: string; required?: boolean; schema: Schema; example?: unknown };
export type Answer = { description: string; headers?: unknown; content?: Record<string, Media> };

/** A request in one language, as the page of an operation shows it. */
export type Sample = { lang: string; label: string; source: string };

/** In the order of the menu. */
const methods = ['get', 'post', 'patch', 'put', 'delete'] as const;
type Method = (typeof methods)[number];

export type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { description?: string; content: Record<string, Media> };
  responses: Record<string, Answer | Reference>;
  'x-codeSamples'?: Sample[];
};
type PathItem = { servers?: { url: string }[] } & { [method in Method]?: Operation };

/** The parts of docs/openapi.json that pages need. */
export type Description = {
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    parameters: Record<string, Parameter>;
    securitySchemes: unknown;
  };
};

/** An operation, and the path of its page. */
export type OperationPage = {
  method: string;
  path: string;
  /** Of the service that answers it, if it is not the usual one. */
  server: string | undefined;
  place: string;
  operation: Operation;
};

/** Every operation and webhook of the description, in its order. */
export const operationPages = ({ paths, webhooks }: Description): OperationPage[] => [
  ...pagesIn(paths, 'operations'),
  ...pagesIn(webhooks, 'webhooks'),
];

const pagesIn = (items: Record<string, PathItem>, kind: string): OperationPage[] =>
  Object.entries(items).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const place = `reference/${kind}/${kebab(operation.operationId)}`;
      return [{ method, path, operation, place, server: item.servers?.[0]?.url }];
    }),
  );

/** The form of `listTransactions` in addresses: `list-transactions`. */
export const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A part of the description, inline or by reference. */
export const resolved = <Part extends object>(part: Part | Reference, parts: Record<string, Part>): Part => {
  if (!('$ref' in part)) return part;
  const found = parts[part.$ref.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`docs/openapi.json has no ${part.$ref}.`);
  return found;
};
