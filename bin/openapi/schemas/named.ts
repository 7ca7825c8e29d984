import { z } from 'zod';
import type { ZodOpenApiMetadata } from 'zod-openapi';

/**
 * Makes a schema of the service a named component of the document. The name is added here, so that functions' bundles
 * do not contain it.
 */
export const named = <Schema extends z.core.$ZodType>(
  schema: Schema,
  id: string,
  about: Omit<ZodOpenApiMetadata, 'id'>,
): Schema => {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), ...about, id });
  return schema;
};

/** The description of a member, and for an object those of its members. */
export type MemberDescription = string | readonly [about: string, members: MemberDescriptions];
export type MemberDescriptions = { readonly [member: string]: MemberDescription };

const descriptions = new WeakMap<z.core.$ZodType, [name: string, description: string][]>();

/**
 * Describes the members of one object, for the document only. The schema of an optional member belongs to the object,
 * so it gets the description itself. Another schema may be shared, so the object keeps the description.
 */
export const describeMembers = <Schema extends z.core.$ZodObject>(
  schema: Schema,
  members: { readonly [Name in keyof Schema['_zod']['def']['shape']]?: MemberDescription },
): Schema => {
  const kept: [string, string][] = [];
  for (const [name, about] of Object.entries(members as MemberDescriptions)) {
    const member = schema._zod.def.shape[name];
    const [description, within] = typeof about === 'string' ? [about] : about;
    if (within) describeMembers(objectIn(member), within);
    if (member instanceof z.core.$ZodOptional) z.globalRegistry.add(member, { description });
    else kept.push([name, description]);
  }
  descriptions.set(schema, kept);
  return schema;
};

/** The object in a member, which may be null or absent. */
const objectIn = (schema: z.core.$ZodType | undefined): z.core.$ZodObject => {
  if (schema instanceof z.core.$ZodObject) return schema;
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable)
    return objectIn(schema._zod.def.innerType);
  throw new Error('Only an object has described members.');
};

/** The descriptions that an object keeps for its members. */
export const describedMembersOf = (schema: z.core.$ZodType): [name: string, description: string][] =>
  descriptions.get(schema) ?? [];
