import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { onEvery } from './headers.ts';
import { failed, internal, tookTooLong, tooLargeHeaders, tooMany, unavailable } from './refusals.ts';

type Example = { summary: string; value: unknown };

type Success = {
  description: string;
  schema: z.core.$ZodType;
  headers?: { [name: string]: z.ZodType };
  examples: { [name: string]: Example };
};

/** An answer with a JSON body. */
export const json = ({ description, schema, headers = {}, examples }: Success): ZodOpenApiResponseObject => ({
  description,
  headers: z.object({ ...onEvery, ...headers }),
  content: { 'application/json': { schema, examples } },
});

/** 304: the caller has the present version (COND-1). */
export const notModified = (headers: { [name: string]: z.ZodType }): ZodOpenApiResponseObject => ({
  description: 'Not changed: one of the tags in `If-None-Match` is the present one.',
  headers: z.object({ ...onEvery, ...headers }),
});

/** Refusals and faults of every operation (ERR-3, ERR-4). */
export const always: ZodOpenApiResponsesObject = {
  '429': tooMany,
  '431': tooLargeHeaders,
  '500': internal,
  '502': failed,
  '503': unavailable,
  '504': tookTooLong,
};
