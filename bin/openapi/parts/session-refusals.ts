import type { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { sessionToken } from './headers.ts';
import {
  badBody,
  badFilter,
  badMembers,
  badQuery,
  filterOfOne,
  noCreation,
  notFound,
  notJson,
  sessionConflict,
  staleTag,
  tooLargeBody,
} from './refusals.ts';

/** A refusal to a session: its token goes with it as with any other answer (V1-5). */
const toSession = (one: ZodOpenApiResponseObject): ZodOpenApiResponseObject => ({
  ...one,
  id: `${one.id}InSession`,
  headers: (one.headers as z.ZodObject).extend(sessionToken),
});

/** What an operation of V1 may answer instead of what was asked. */
export const inSession = {
  badBody: toSession(badBody),
  badFilter: toSession(badFilter),
  badMembers: toSession(badMembers),
  badQuery: toSession(badQuery),
  conflict: toSession(sessionConflict),
  filterOfOne: toSession(filterOfOne),
  noCreation: toSession(noCreation),
  notFound: toSession(notFound),
  notJson: toSession(notJson),
  staleTag: toSession(staleTag),
  tooLargeBody: toSession(tooLargeBody),
};
