import { z } from 'zod';
import type { ZodOpenApiMetadata } from 'zod-openapi';

/**
 * Names a schema of the service as a component of the document. It is told from outside, so that no function's bundle carries
 * what only readers of the document need.
 */
export const named = <Schema extends z.core.$ZodType>(
  schema: Schema,
  id: string,
  about: Omit<ZodOpenApiMetadata, 'id'>,
): Schema => {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), ...about, id });
  return schema;
};

const tellings = new WeakMap<z.core.$ZodType, Readonly<Record<string, string>>>();

/** Says what members of an object are for: from outside as well, and of this object alone, since schemas of members are shared. */
export const tellOf = <Schema extends z.core.$ZodObject>(
  schema: Schema,
  members: { readonly [Name in keyof Schema['_zod']['def']['shape']]?: string },
): Schema => {
  tellings.set(schema, members as Readonly<Record<string, string>>);
  return schema;
};

/** What was told of an object's members. */
export const toldOf = (schema: z.core.$ZodType): [name: string, description: string][] =>
  Object.entries(tellings.get(schema) ?? {});
