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

/** What a member is for; of an object within it, what its members are for as well. */
export type Telling = string | readonly [about: string, members: Tellings];
export type Tellings = { readonly [member: string]: Telling };

const tellings = new WeakMap<z.core.$ZodType, [name: string, description: string][]>();

/**
 * Says what members of an object are for: from outside as well, and of this object alone. The schema of a member that may be
 * absent is the object's own, so it is told itself; that of another is shared, so the object keeps what is told.
 */
export const tellOf = <Schema extends z.core.$ZodObject>(
  schema: Schema,
  members: { readonly [Name in keyof Schema['_zod']['def']['shape']]?: Telling },
): Schema => {
  const kept: [string, string][] = [];
  for (const [name, telling] of Object.entries(members as Tellings)) {
    const member = schema._zod.def.shape[name];
    const [description, within] = typeof telling === 'string' ? [telling] : telling;
    if (within) tellOf(objectIn(member), within);
    if (member instanceof z.core.$ZodOptional) z.globalRegistry.add(member, { description });
    else kept.push([name, description]);
  }
  tellings.set(schema, kept);
  return schema;
};

/** The object that a member holds, which may be null or absent. */
const objectIn = (schema: z.core.$ZodType | undefined): z.core.$ZodObject => {
  if (schema instanceof z.core.$ZodObject) return schema;
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable)
    return objectIn(schema._zod.def.innerType);
  throw new Error('What has members of its own is an object.');
};

/** What an object keeps of its members. */
export const toldOf = (schema: z.core.$ZodType): [name: string, description: string][] =>
  tellings.get(schema) ?? [];
