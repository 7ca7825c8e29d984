import type { oas31 } from 'zod-openapi';

export type Schema = oas31.SchemaObject | oas31.ReferenceObject | boolean | undefined;

/** The sender of the value. Requests that were valid must stay valid, and answers must stay understood. */
export type Direction = 'request' | 'answer';

/** The path of a value that is no longer valid, and the reason. */
export type Gap = { at: string; why: string };

type Side = { schema: Schema; within: oas31.OpenAPIObject };

/**
 * Why some value of the inner schema is not one of the outer. Undefined if each is. An answer may get new members,
 * because readers ignore unknown ones. It may not lose any.
 */
export const gapsBetween = (inner: Side, outer: Side, direction: Direction, at = ''): Gap[] => {
  const [given, taken] = [resolved(inner), resolved(outer)];
  if (takesAnything(taken)) return [];
  const asked = (side: Side, schema: Schema): Side => ({ ...side, schema });
  const ways = alternativesOf(given);
  if (ways) return ways.flatMap((one) => gapsBetween(asked(inner, one), outer, direction, at));
  const known = alternativesOf(taken);
  if (known) return fewest(known.map((one) => gapsBetween(inner, asked(outer, one), direction, at)));
  const ofType = typeGaps(given, taken, at);
  if (ofType.length > 0) return ofType;
  return [
    ...valueGaps(given, taken, at),
    ...memberGaps(given, taken, direction, at),
    ...partsOf(given, taken).flatMap(({ part, one, other }) =>
      gapsBetween(asked(inner, one), asked(outer, other), direction, joined(at, part)),
    ),
  ];
};

/** The alternatives of a value. Undefined if there is only one. */
const alternativesOf = ({ anyOf, oneOf, type, ...rest }: oas31.SchemaObject): Schema[] | undefined =>
  anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((one) => ({ ...rest, type: one })) : undefined);

/** Items, and members that both schemas have. */
const partsOf = (given: oas31.SchemaObject, taken: oas31.SchemaObject) => [
  ...(given.items && taken.items ? [{ part: '[]', one: given.items, other: taken.items }] : []),
  ...Object.entries(given.properties ?? {}).flatMap(([name, one]) => {
    const other = taken.properties?.[name];
    return other === undefined ? [] : [{ part: `.${name}`, one, other }];
  }),
];

/** `customer`, then `.address`; `data`, then `[]`. */
const joined = (at: string, part: string) => (at === '' ? part.replace('.', '') : at + part);

const fewest = (gaps: Gap[][]): Gap[] => gaps.toSorted((a, b) => a.length - b.length)[0] ?? [];

const takesAnything = (schema: oas31.SchemaObject) =>
  Object.keys(schema).every((name) => ['description', 'title', 'examples', 'default'].includes(name));

const resolved = ({ schema, within }: Side): oas31.SchemaObject => {
  if (schema === undefined || typeof schema === 'boolean') return schema === false ? { not: {} } : {};
  if (!('$ref' in schema) || schema.$ref === undefined) return schema as oas31.SchemaObject;
  const name = schema.$ref.replace('#/components/schemas/', '');
  return resolved({ schema: within.components?.schemas?.[name], within });
};

const typesOf = ({ type, const: constant, enum: values }: oas31.SchemaObject): string[] => {
  if (type !== undefined) return [type].flat();
  const known = constant === undefined ? values : [constant];
  return known ? [...new Set(known.map((value) => (value === null ? 'null' : typeof value)))] : [];
};

const typeGaps = (given: oas31.SchemaObject, taken: oas31.SchemaObject, at: string): Gap[] => {
  const [some, all] = [typesOf(given), typesOf(taken)];
  if (all.length === 0) return [];
  if (some.length === 0) return [{ at, why: `anything, where ${all.join(' or ')} is known` }];
  const isKnown = (type: string) => all.includes(type) || (type === 'integer' && all.includes('number'));
  return some
    .filter((type) => !isKnown(type))
    .map((type) => ({ at, why: `${type}, where ${all.join(' or ')} is known` }));
};

const valueGaps = (given: oas31.SchemaObject, taken: oas31.SchemaObject, at: string): Gap[] => [
  ...enumGaps(given, taken, at),
  ...(['maxLength', 'maximum', 'maxItems'] as const).flatMap((name) =>
    (given[name] ?? Number.POSITIVE_INFINITY) > (taken[name] ?? Number.POSITIVE_INFINITY)
      ? [{ at, why: `${name} ${given[name] ?? 'unlimited'}, where ${taken[name]} is known` }]
      : [],
  ),
  ...(['minLength', 'minimum', 'minItems'] as const).flatMap((name) =>
    (given[name] ?? Number.NEGATIVE_INFINITY) < (taken[name] ?? Number.NEGATIVE_INFINITY)
      ? [{ at, why: `${name} ${given[name] ?? 'unlimited'}, where ${taken[name]} is known` }]
      : [],
  ),
  ...(['pattern', 'format'] as const).flatMap((name) =>
    taken[name] !== undefined && given[name] !== taken[name] && !isOneOfFew(given)
      ? [{ at, why: `${name} ${given[name] ?? 'free'}, where ${taken[name]} is known` }]
      : [],
  ),
];

const isOneOfFew = (schema: oas31.SchemaObject) => schema.enum !== undefined || schema.const !== undefined;

const enumGaps = (given: oas31.SchemaObject, taken: oas31.SchemaObject, at: string): Gap[] => {
  if (!isOneOfFew(taken)) return [];
  const known: unknown[] = taken.enum ?? [taken.const];
  if (!isOneOfFew(given)) return [{ at, why: `any value, where ${JSON.stringify(known)} is known` }];
  const values: unknown[] = given.enum ?? [given.const];
  return values
    .filter((value) => !known.includes(value))
    .map((value) => ({ at, why: `${JSON.stringify(value)}, where ${JSON.stringify(known)} is known` }));
};

const memberGaps = (
  given: oas31.SchemaObject,
  taken: oas31.SchemaObject,
  direction: Direction,
  at: string,
): Gap[] => [
  ...(taken.required ?? [])
    .filter((name) => !given.required?.includes(name))
    .map((name) => ({
      at: joined(at, `.${name}`),
      why: direction === 'request' ? 'is required now' : 'may be absent now',
    })),
  ...(direction === 'request' && isClosed(taken) && !isClosed(given)
    ? [{ at, why: 'takes no other members any more' }]
    : []),
  ...(direction === 'request' ? refusedMembers(given, taken) : lostMembers(given, taken)).map((name) => ({
    at: joined(at, `.${name}`),
    why: 'is removed',
  })),
];

const isClosed = ({ additionalProperties }: oas31.SchemaObject) => additionalProperties === false;

const refusedMembers = (given: oas31.SchemaObject, taken: oas31.SchemaObject): string[] =>
  isClosed(taken)
    ? Object.keys(given.properties ?? {}).filter((name) => taken.properties?.[name] === undefined)
    : [];

const lostMembers = (given: oas31.SchemaObject, taken: oas31.SchemaObject): string[] =>
  Object.keys(taken.properties ?? {}).filter((name) => given.properties?.[name] === undefined);
