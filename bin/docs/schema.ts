/** A JSON schema, with the keywords that pages show. */
export type Schema = { [key: string]: unknown } & {
  $ref?: string;
  type?: string | string[];
  description?: string;
  anyOf?: Schema[];
};

type Schemas = Record<string, Schema>;

/**
 * A schema in readable form: `integer | null` instead of a choice of two schemas, and no limits that are only those of
 * data types. References are resolved.
 */
export const readable = (schema: Schema, known: Schemas): Schema => {
  const { anyOf, ...own } = resolvedIn(schema, known);
  if (anyOf)
    return chosen(
      own,
      anyOf.map((one) => readable(one, known)),
    );
  return Object.fromEntries(
    Object.entries(own)
      .filter(([name, value]) => !isOfComputers(name, value))
      .map(([name, value]) => [name, inner(name, value, known)]),
  );
};

const inner = (name: string, value: unknown, known: Schemas): unknown => {
  const shown = (one: unknown) => readable(one as Schema, known);
  if (name === 'properties') return mapped(value as Schemas, shown);
  if (name === 'allOf') return (value as Schema[]).map(shown);
  return name === 'items' ? shown(value) : value;
};

const mapped = (schemas: Schemas, shown: (one: Schema) => Schema): Schemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, shown(one)]));

const resolvedIn = (schema: Schema, known: Schemas): Schema => {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...known[$ref.split('/').at(-1) ?? ''], ...beside };
};

/** Limits of 64-bit integers and of doubles, and patterns against control characters. */
const isOfComputers = (name: string, value: unknown): boolean =>
  value === 'int64' ||
  (name === 'pattern' && String(value).includes('\\u001f')) ||
  (['minimum', 'maximum'].includes(name) && Math.abs(Number(value)) >= Number.MAX_SAFE_INTEGER);

/** The single schema beside null. */
const chosen = (own: Schema, all: readonly Schema[]): Schema => {
  const others = all.filter(({ type }) => type !== 'null');
  const isNullable = others.length < all.length;
  const [only = {}] = others;
  if (others.every(isPlain)) {
    const types = [...others.flatMap(({ type = [] }) => type), ...(isNullable ? ['null'] : [])];
    return Object.assign({}, ...others, own, { type: [...new Set(types)] });
  }
  const { description = only.description ?? '' } = own;
  const told =
    isNullable && !/\bnull\b/i.test(description)
      ? `${description} Null where there is none.`.trim()
      : description;
  const choice = others.length === 1 ? only : { anyOf: others };
  return { ...choice, ...own, ...(told !== '' && { description: told }) };
};

const isPlain = ({ type, anyOf, allOf }: Schema): boolean =>
  anyOf === undefined &&
  allOf === undefined &&
  type !== undefined &&
  ![type].flat().some((one) => ['object', 'array'].includes(one));
