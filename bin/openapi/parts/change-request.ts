import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { transactionChange } from '../schemas/transaction.ts';
import { correlation, idempotent, ifTagged, selection, uuidInPath } from './parameters.ts';

type Examples = Record<string, { summary: string; value: unknown }>;

/** The body of a PATCH and a PUT of one transaction, for sessions (V1-6) and partners (V2-2). */
export const changeRequest = (
  mediaTypes: readonly string[],
  examples: Examples,
  key: typeof idempotent = idempotent,
): Pick<ZodOpenApiOperationObject, 'requestParams' | 'requestBody'> => ({
  requestParams: {
    path: z.object(uuidInPath),
    query: z.object(selection),
    header: z.object({ ...ifTagged, ...key, ...correlation }),
  },
  requestBody: {
    required: true,
    content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: transactionChange, examples }])),
  },
});
