import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { type Transaction, untouched } from '../../../functions/shared/domain/transaction/transaction.ts';
import { complete, incomplete, listOf, shown } from '../examples/transactions.ts';
import { changeRequest } from '../parts/change-request.ts';
import {
  cached,
  location,
  onEvery,
  paginatedIfList,
  replayed,
  sessionToken,
  tagged,
} from '../parts/headers.ts';
import { always, json, notModified } from '../parts/operation.ts';
import {
  claim,
  correlation,
  filters,
  idempotentInSession,
  paging,
  selection,
  unlessTagged,
  uuidInPath,
  uuidInQuery,
} from '../parts/parameters.ts';
import { unauthorized } from '../parts/refusals.ts';
import { asSession, asSessionOrNobody } from '../parts/security.ts';
import { inSession } from '../parts/session-refusals.ts';
import { newTransaction, shownTransaction, transactionList } from '../schemas/transaction.ts';

const tags = ['Checkout'];

/** An answer to a session, with its token, which no cache may store. */
const ofSession = (parts: Parameters<typeof json>[0]): ZodOpenApiResponseObject =>
  json({ ...parts, headers: { ...parts.headers, ...sessionToken, ...cached } });

const getOrCreate: ZodOpenApiOperationObject = {
  operationId: 'getOrCreateTransaction',
  tags,
  summary: 'Get or create the session’s transaction',
  description:
    'Without a token, creates a transaction in a new session, whose token is in `authentication-token`. With a token, returns the newest incomplete transaction of the session, or creates one. If the session has reached its 20 and none is open, a new session begins. With `uuid`, returns that transaction of the session. With any `filter[…]`, returns a list of the session’s transactions. `uuid` and a filter cannot be combined.',
  security: asSessionOrNobody,
  requestParams: {
    query: z.object({
      ...uuidInQuery,
      ...filters,
      ...selection,
      ...paging,
      ...claim,
    }),
    header: z.object({ ...unlessTagged, ...correlation }),
  },
  responses: {
    '200': ofSession({
      description: 'The transaction, or one page of transactions if there is a filter.',
      schema: z.union([shownTransaction, transactionList]),
      headers: { ...tagged, ...paginatedIfList },
      examples: {
        transaction: { summary: 'A transaction', value: shown(incomplete) },
        list: {
          summary: 'The complete transaction of the session',
          value: listOf({
            ...{ transactions: [complete], totalCount: 1, path: '/transaction' },
            parameters: { 'filter[status]': ['1'] },
          }),
        },
      },
    }),
    '204': { description: 'A prefetch of a browser. It creates nothing.', headers: z.object(onEvery) },
    '304': notModified({ ...tagged, ...sessionToken }),
    '400': inSession.badQuery,
    '401': unauthorized,
    '403': inSession.noCreation,
    '404': inSession.notFound,
    '422': inSession.badFilter,
    ...always,
  },
};

const entered = {
  location: complete.ndMeta?.location,
  franchise: complete.ndMeta?.franchise,
  vehicle: { make: 'Ford', model: 'Focus', price: '10695.00' },
  guestEmail: 'buyer@mail.example',
};

const created: Transaction = { uuid: incomplete.uuid, ...untouched(), guestEmail: entered.guestEmail };

const create: ZodOpenApiOperationObject = {
  operationId: 'createTransaction',
  tags,
  summary: 'Create a transaction in a session',
  description:
    'Creates a transaction with what the buyer has entered so far, in the session of the token. Without a token, a new session begins.',
  security: asSessionOrNobody,
  requestParams: {
    query: z.object(selection),
    header: z.object({ ...idempotentInSession, ...correlation }),
  },
  requestBody: {
    required: false,
    content: {
      'application/json': {
        schema: newTransaction,
        examples: { entered: { summary: 'A vehicle and an address', value: entered } },
      },
    },
  },
  responses: {
    '201': ofSession({
      description: 'The new transaction.',
      schema: shownTransaction,
      headers: { ...tagged, ...location, ...replayed },
      examples: { created: { summary: 'Its own properties', value: shown(created) } },
    }),
    '400': inSession.badBody,
    '401': unauthorized,
    '403': inSession.noCreation,
    '404': inSession.notFound,
    '409': inSession.full,
    '413': inSession.tooLargeCreation,
    '415': inSession.notJson,
    '422': inSession.badMembers,
    ...always,
  },
};

const single: ZodOpenApiOperationObject = {
  operationId: 'getOwnTransaction',
  tags,
  summary: 'Get a transaction of the session',
  description: 'Reads one transaction of the session. Without the token of the session, the answer is 404.',
  security: asSessionOrNobody,
  requestParams: {
    path: z.object(uuidInPath),
    query: z.object(selection),
    header: z.object({ ...unlessTagged, ...correlation }),
  },
  responses: {
    '200': ofSession({
      description: 'The transaction, with what `expand` and `fields` ask for.',
      schema: shownTransaction,
      headers: tagged,
      examples: { own: { summary: 'Its own properties', value: shown(incomplete) } },
    }),
    '304': notModified({ ...tagged, ...sessionToken }),
    '400': inSession.badQuery,
    '401': unauthorized,
    '404': inSession.notFound,
    '422': inSession.filterOfOne,
    ...always,
  },
};

const write = (
  about: Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description'>,
  mediaTypes: readonly string[],
): ZodOpenApiOperationObject => ({
  ...about,
  tags,
  security: asSession,
  ...changeRequest(
    mediaTypes,
    { change: { summary: 'Who buys', value: { customer: { lastName: 'Doe' } } } },
    idempotentInSession,
  ),
  responses: {
    '200': ofSession({
      description: 'The transaction as it is now.',
      schema: shownTransaction,
      headers: { ...tagged, ...replayed },
      examples: { written: { summary: 'Its own properties', value: shown(incomplete) } },
    }),
    '400': inSession.badBody,
    '401': unauthorized,
    '403': inSession.noCreation,
    '404': inSession.notFound,
    '409': inSession.complete,
    '412': inSession.staleTag,
    '413': inSession.tooLargeChange,
    '415': inSession.notJson,
    '422': inSession.badMembers,
    ...always,
  },
});

/** Interface 4.1, V1-1 to V1-6. */
export const v1Transaction: ZodOpenApiPathsObject = {
  '/api/transaction': { get: getOrCreate, post: create },
  '/api/transaction/{uuid}': {
    get: single,
    patch: write(
      {
        operationId: 'updateOwnTransaction',
        summary: 'Update a transaction of the session',
        description:
          'Applies a JSON merge patch (RFC 7396). The answer is 409 if the transaction is complete.',
      },
      ['application/merge-patch+json', 'application/json'],
    ),
    put: write(
      {
        operationId: 'replaceOwnElements',
        summary: 'Replace elements of a transaction of the session',
        description:
          'Replaces each element that the body names as a whole. The answer is 409 if the transaction is complete.',
      },
      ['application/json'],
    ),
  },
};
