import type { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { sessionToken } from './headers.ts';
import { answeredAt } from './refusal.ts';
import {
  badBody,
  badFilter,
  badMembers,
  badQuery,
  completeAlready,
  filterOfOne,
  noCreation,
  notFound,
  notJson,
  sessionFull,
  staleTag,
  tooLargeChange,
  tooLargeCreation,
} from './refusals.ts';

/** A refusal to a session. It has the session's token, as every answer does (V1-5). */
const toSession = (one: ZodOpenApiResponseObject): ZodOpenApiResponseObject => ({
  ...answeredAt('/api/transaction', one),
  id: `${one.id}InSession`,
  headers: (one.headers as z.ZodObject).extend(sessionToken),
});

/** The refusals of a V1 operation. */
export const inSession = {
  badBody: toSession(badBody),
  badFilter: toSession(badFilter),
  badMembers: toSession(badMembers),
  badQuery: toSession(badQuery),
  complete: toSession(completeAlready),
  filterOfOne: toSession(filterOfOne),
  full: toSession(sessionFull),
  noCreation: toSession(noCreation),
  notFound: toSession(notFound),
  notJson: toSession(notJson),
  staleTag: toSession(staleTag),
  tooLargeChange: toSession(tooLargeChange),
  tooLargeCreation: toSession(tooLargeCreation),
};
