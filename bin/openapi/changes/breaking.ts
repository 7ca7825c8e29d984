import type { oas31 } from 'zod-openapi';
import { type Direction, type Gap, gapsBetween, type Schema } from './schema-gaps.ts';

/** A breaking change: its operation, such as `GET /api/v2/transaction`, and the difference. */
export type Breaking = { operation: string; what: string };

type Both<Value> = { before: Value; after: Value };
type Documents = Both<oas31.OpenAPIObject>;

/** Differences that a caller of the first document would not expect in the second. */
export const breakingChanges = (before: oas31.OpenAPIObject, after: oas31.OpenAPIObject): Breaking[] => {
  const known = new Map(operationsOf(after));
  return operationsOf(before).flatMap(([name, operation]) => {
    const now = known.get(name);
    if (!now) return [{ operation: name, what: 'is removed' }];
    // Webhooks are answers to partners, and the partners' answers are requests to us.
    const isWebhook = name.startsWith('webhook ');
    return differences({ before: operation, after: now }, { before, after }, isWebhook).map((what) => ({
      operation: name,
      what,
    }));
  });
};

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** Every operation by its name: `GET /api/v2/transaction`, `webhook TransactionUpdated`. */
const operationsOf = ({ paths = {}, webhooks = {} }: oas31.OpenAPIObject) => [
  ...Object.entries(paths).flatMap(([path, item]) => namedOperations(item, (method) => `${method} ${path}`)),
  ...Object.entries(webhooks).flatMap(([name, item]) => namedOperations(item, () => `webhook ${name}`)),
];

const namedOperations = (item: oas31.PathItemObject, nameOf: (method: string) => string) =>
  methods.flatMap((method): [string, oas31.OperationObject][] => {
    const operation = item[method];
    return operation ? [[nameOf(method.toUpperCase()), operation]] : [];
  });

const differences = (
  operation: Both<oas31.OperationObject>,
  documents: Documents,
  isWebhook: boolean,
): string[] => {
  const [sent, got] = isWebhook ? (['answer', 'request'] as const) : (['request', 'answer'] as const);
  return [
    ...parameterDifferences(operation, documents, sent),
    ...bodyDifferences(operation, documents, sent),
    ...answerDifferences(operation, documents, got),
    ...(isWebhook ? [] : securityDifferences(operation)),
  ];
};

const compare = (schemas: Both<Schema>, documents: Documents, direction: Direction): Gap[] => {
  const before = { schema: schemas.before, within: documents.before };
  const after = { schema: schemas.after, within: documents.after };
  return direction === 'request'
    ? gapsBetween(before, after, direction)
    : gapsBetween(after, before, direction);
};

const told = (place: string, gaps: Gap[]) =>
  gaps.map(({ at, why }) => [place, at, why].filter((word) => word !== '').join(' '));

/** A component by reference, or an inline one. */
const found = <Value extends object>(
  value: Value | oas31.ReferenceObject,
  within: oas31.OpenAPIObject,
): Value => {
  if (!('$ref' in value)) return value as Value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const components = within.components as { [kind: string]: { [name: string]: Value } } | undefined;
  const component = components?.[kind]?.[name];
  if (!component) throw new Error(`There is nothing at ${value.$ref}`);
  return found(component, within);
};

const parametersOf = ({ parameters = [] }: oas31.OperationObject, within: oas31.OpenAPIObject) =>
  new Map(
    parameters.map((one) => {
      const parameter = found<oas31.ParameterObject>(one, within);
      return [`${parameter.in} ${parameter.name}` as string, parameter] as const;
    }),
  );

const parameterDifferences = (
  operation: Both<oas31.OperationObject>,
  documents: Documents,
  direction: Direction,
): string[] => {
  const before = parametersOf(operation.before, documents.before);
  const after = parametersOf(operation.after, documents.after);
  const isNewlyRequired = ([name, { required }]: [string, oas31.ParameterObject]) =>
    direction === 'request' && required === true && before.get(name)?.required !== true;
  return [
    ...[...before].flatMap(([name, { schema }]) => {
      const now = after.get(name);
      if (!now) return [`${name} is removed`];
      return told(name, compare({ before: schema, after: now.schema }, documents, direction));
    }),
    ...[...after].filter(isNewlyRequired).map(([name]) => `${name} is required now`),
  ];
};

const bodyDifferences = (
  { before, after }: Both<oas31.OperationObject>,
  documents: Documents,
  direction: Direction,
): string[] => {
  const known = before.requestBody && found<oas31.RequestBodyObject>(before.requestBody, documents.before);
  const now = after.requestBody && found<oas31.RequestBodyObject>(after.requestBody, documents.after);
  if (!now) return known ? ['body is removed'] : [];
  const isNewlyRequired = direction === 'request' && now.required === true && known?.required !== true;
  return [
    ...(isNewlyRequired ? ['body is required now'] : []),
    ...contentDifferences('body', { before: known?.content, after: now.content }, documents, direction),
  ];
};

const contentDifferences = (
  place: string,
  { before = {}, after = {} }: Both<oas31.ContentObject | undefined>,
  documents: Documents,
  direction: Direction,
): string[] =>
  Object.entries(before).flatMap(([type, { schema }]) => {
    const now = after[type];
    if (!now) return [`${place} ${type} is removed`];
    return told(place, compare({ before: schema, after: now.schema }, documents, direction));
  });

const answerDifferences = (
  operation: Both<oas31.OperationObject>,
  documents: Documents,
  direction: Direction,
): string[] =>
  Object.entries(operation.before.responses ?? {}).flatMap(([status, answer]) => {
    const now = operation.after.responses?.[status];
    if (!now) return [`${status} is removed`];
    const known = found<oas31.ResponseObject>(answer, documents.before);
    const given = found<oas31.ResponseObject>(now, documents.after);
    return [
      ...Object.entries(known.headers ?? {}).flatMap(([name, header]) =>
        headerDifferences(
          `${status} header ${name}`,
          { before: header, after: given.headers?.[name] },
          documents,
          direction,
        ),
      ),
      ...contentDifferences(status, { before: known.content, after: given.content }, documents, direction),
    ];
  });

type Header = oas31.HeaderObject | oas31.ReferenceObject;

const headerDifferences = (
  place: string,
  { before, after }: { before: Header; after: Header | undefined },
  documents: Documents,
  direction: Direction,
): string[] => {
  if (!after) return [`${place} is removed`];
  const known = found<oas31.HeaderObject>(before, documents.before);
  const given = found<oas31.HeaderObject>(after, documents.after);
  const mayBeAbsent = direction === 'answer' && known.required === true && given.required !== true;
  return [
    ...(mayBeAbsent ? [`${place} may be absent now`] : []),
    ...told(place, compare({ before: known.schema, after: given.schema }, documents, direction)),
  ];
};

/** Each former way to authenticate must still work. */
const securityDifferences = ({ before, after }: Both<oas31.OperationObject>): string[] =>
  (before.security ?? [])
    .filter((old) => !(after.security ?? []).some((now) => isCovered(now, old)))
    .map((old) => `${Object.keys(old).join(' and ') || 'nobody'} is not enough any more`);

const isCovered = (now: oas31.SecurityRequirementObject, old: oas31.SecurityRequirementObject) =>
  Object.entries(now).every(
    ([scheme, scopes]) => scopes.every((scope) => old[scheme]?.includes(scope)) && old[scheme],
  );
