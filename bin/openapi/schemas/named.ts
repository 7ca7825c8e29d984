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
