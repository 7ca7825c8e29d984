import type { z } from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';
import { isShortIdentifier } from '../../functions/shared/schema/elements.ts';
import { isLine, isWebAddress } from '../../functions/shared/schema/fields.ts';
import { describedMembersOf } from './schemas/named.ts';

/** What a schema checks by a function of ours, in words of JSON Schema that every validator reads alike. */
const checked = new Map<unknown, { [keyword: string]: unknown }>([
  [isShortIdentifier, { maxLength: 512 }],
  // Generated PHP clients match bytes, and have no `\u`: by the second pattern they would refuse `é`, but they skip `not`.
  [isLine, { pattern: '^[^\\x00-\\x1f\\x7f]*$', not: { pattern: '[\\x80-\\x9f]' } }],
  [isWebAddress, { pattern: '^([hH][tT][tT][pP][sS]?://[^/\\\\\\s][^\\\\\\s]*)?$', maxLength: 2048 }],
]);

/** Adds to a schema what zod cannot tell of it: the rules that are functions, and that no integer leaves 64 bits. */
export const rendered: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  for (const check of zodSchema._zod.def.checks ?? []) {
    const { def } = check._zod;
    if ('fn' in def) Object.assign(jsonSchema, checked.get(def.fn));
  }
  if (jsonSchema.anyOf?.some(isEmpty)) delete jsonSchema.anyOf;
  if (jsonSchema.type === 'integer' && !hasFixedNumbers(jsonSchema)) jsonSchema.format = 'int64';
  tellMembers({ zodSchema, jsonSchema });
};

/** Adds what an object keeps of its members, and that a number with fixed values is an integer. */
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

/** 0 or 1, or one number: none has a fraction. */
const hasFixedNumbers = ({ enum: values, const: value }: z.core.JSONSchema.BaseSchema) =>
  (values ?? [value]).every(Number.isInteger);

/** Anything, null too. */
const isEmpty = (schema: object) => Object.keys(schema).length === 0;
