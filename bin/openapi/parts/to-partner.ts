import type { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { rateLimited } from './headers.ts';
import { answeredAt } from './refusal.ts';
import { overQuota } from './refusals.ts';

/** Refusals before the rate limit, or by the gateway (ERR-3). */
const withoutRate = ['401', '431', '502', '504'];

/** The answers of a V2 operation. After token and OAuth scope, each has the state of the partner's limit (S-40). */
export const toPartner = (responses: ZodOpenApiResponsesObject): ZodOpenApiResponsesObject =>
  Object.fromEntries(
    Object.entries({ ...responses, '429': overQuota }).map(([status, one]) => [
      status,
      withoutRate.includes(status) ? one : sayingRate(one as ZodOpenApiResponseObject),
    ]),
  );

const notOfPartners = /^\/(?!api\/v2\/)/;

/** A component is one object in all its uses. */
const made = new Map<ZodOpenApiResponseObject, ZodOpenApiResponseObject>();

const sayingRate = (one: ZodOpenApiResponseObject): ZodOpenApiResponseObject => {
  const headers = (one.headers as z.ZodObject).extend(rateLimited);
  const found = made.get(one) ?? {
    ...answeredAt('/api/v2/transaction', one, notOfPartners),
    ...(one.id && { id: `${one.id}ToPartner` }),
    headers,
  };
  made.set(one, found);
  return found;
};
