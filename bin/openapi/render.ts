import type { z } from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';
import { isShortIdentifier } from '../../functions/shared/schema/elements.ts';
import { isLine, isWebAddress } from '../../functions/shared/schema/fields.ts';
import { describedMembersOf } from './schemas/named.ts';

/** Checks by our own functions as JSON Schema that every validator reads alike. */
const checked = new Map<unknown, { [keyword: string]: unknown }>([
  [isShortIdentifier, { maxLength: 512 }],
  // Generated PHP clients match bytes and do not support `\u`: they would refuse `é` by the second pattern, but they
  // ignore `not`.
  [isLine, { pattern: '^[^\\x00-\\x1f\\x7f]*$', not: { pattern: '[\\x80-\\x9f]' } }],
  [isWebAddress, { pattern: '^([hH][tT][tT][pP][sS]?://[^/\\\\\\s][^\\\\\\s]*)?$', maxLength: 2048 }],
]);

/** Adds what zod cannot express: rules that are functions, and the range of 64-bit integers. */
export const rendered: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  for (const check of zodSchema._zod.def.checks ?? []) {
    const { def } = check._zod;
    if ('fn' in def) Object.assign(jsonSchema, checked.get(def.fn));
  }
  if (jsonSchema.anyOf?.some(isEmpty)) delete jsonSchema.anyOf;
  if (jsonSchema.type === 'integer' && !hasFixedNumbers(jsonSchema)) jsonSchema.format = 'int64';
  tellMembers({ zodSchema, jsonSchema });
};

/** Adds the descriptions of an object's members, and the type integer for numbers with fixed values. */
export const tellMembers = ({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) => {
  const { properties = {} } = jsonSchema;
  for (const [name, description] of describedMembersOf(zodSchema)) {
    const member = properties[name];
    if (typeof member !== 'object') throw new Error(`There is no member ${name} to describe.`);
    properties[name] = { ...member, description };
  }
  if (hasFixedNumbers(jsonSchema)) jsonSchema.type = 'integer';
};

/** 0 or 1, or one number, never a fraction. */
const hasFixedNumbers = ({ enum: values, const: value }: z.core.JSONSchema.BaseSchema) =>
  (values ?? [value]).every(Number.isInteger);

/** Any value, including null. */
const isEmpty = (schema: object) => Object.keys(schema).length === 0;
