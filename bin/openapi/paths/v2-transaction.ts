import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { complete, listOf, shown } from '../examples/transactions.ts';
import { changeRequest } from '../parts/change-request.ts';
import { paginated, replayed, tagged } from '../parts/headers.ts';
import { always, json, notModified } from '../parts/operation.ts';
import { correlation, filters, paging, selection, unlessTagged, uuidInPath } from '../parts/parameters.ts';
import {
  badBody,
  badFilter,
  badMembers,
  badQuery,
  filterOfOne,
  lacksRead,
  lacksWrite,
  notFound,
  notJson,
  staleTag,
  tooLargeBody,
  unauthorized,
} from '../parts/refusals.ts';
import { readsAsPartner, writesAsPartner } from '../parts/security.ts';
import { toPartner } from '../parts/to-partner.ts';
import { shownTransaction, transactionList } from '../schemas/transaction.ts';

const tags = ['Transactions'];

const list: ZodOpenApiOperationObject = {
  operationId: 'listTransactions',
  tags,
  summary: 'List transactions',
  description:
    'The transactions within your grants, oldest first. Filters, `expand` and `fields` may be used alone or together. Follow `_links.next` to read on.',
  security: readsAsPartner,
  requestParams: {
    query: z.object({ ...filters, ...selection, ...paging }),
    header: z.object({ ...unlessTagged, ...correlation }),
  },
  responses: toPartner({
    '200': json({
      description: 'One page.',
      schema: transactionList,
      headers: { ...tagged, ...paginated },
      examples: {
        page: { summary: 'The first page of 23 transactions', value: listOf(complete, {}) },
        selected: {
          summary: 'Complete ones, with the values of their payments alone',
          value: listOf(complete, {
            'filter[status]': ['1'],
            expand: ['payments'],
            fields: ['uuid,payments.value'],
            'per-page': ['1'],
          }),
        },
      },
    }),
    '304': notModified({ ...tagged, ...paginated }),
    '400': badQuery,
    '401': unauthorized,
    '403': lacksRead,
    '422': badFilter,
    ...always,
  }),
};

const single: ZodOpenApiOperationObject = {
  operationId: 'getTransaction',
  tags,
  summary: 'Read a transaction',
  description:
    'One transaction within your grants. Unknown, deleted and out of your grants are the same 404.',
  security: readsAsPartner,
  requestParams: {
    path: z.object(uuidInPath),
    query: z.object(selection),
    header: z.object({ ...unlessTagged, ...correlation }),
  },
  responses: toPartner({
    '200': json({
      description: 'The transaction.',
      schema: shownTransaction,
      headers: tagged,
      examples: {
        own: { summary: 'Its own properties', value: shown(complete) },
        expanded: {
          summary: 'With payments and delivery',
          value: shown(complete, { expand: ['payments,deliveryCollection'] }),
        },
      },
    }),
    '304': notModified(tagged),
    '400': badQuery,
    '401': unauthorized,
    '403': lacksRead,
    '404': notFound,
    '422': filterOfOne,
    ...always,
  }),
};

const changed = { customer: { mobile: '07700 900461' }, deliveryCollection: { method: 'Collection' } };

const write = (
  about: Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description'>,
  mediaTypes: readonly string[],
): ZodOpenApiOperationObject => ({
  ...about,
  tags,
  security: writesAsPartner,
  ...changeRequest(mediaTypes, {
    change: { summary: 'A new number, and collection instead of delivery', value: changed },
  }),
  responses: toPartner({
    '200': json({
      description: 'The transaction as it is now; without `nop2/read` its uuid alone.',
      schema: shownTransaction,
      headers: { ...tagged, ...replayed },
      examples: {
        written: { summary: 'Its own properties', value: shown(complete) },
        unread: { summary: 'Without nop2/read', value: { uuid: complete.uuid } },
      },
    }),
    '400': badBody,
    '401': unauthorized,
    '403': lacksWrite,
    '404': notFound,
    '412': staleTag,
    '413': tooLargeBody,
    '415': notJson,
    '422': badMembers,
    ...always,
  }),
});

/** Interface 4.2, V2-1 and V2-2. */
export const v2Transaction: ZodOpenApiPathsObject = {
  '/api/v2/transaction': { get: list },
  '/api/v2/transaction/{uuid}': {
    get: single,
    patch: write(
      {
        operationId: 'updateTransaction',
        summary: 'Change a transaction',
        description:
          'A JSON merge patch (RFC 7396): objects are merged, `null` removes a member or an element, lists are replaced. A write that changes nothing is no change, and nobody is notified of it.',
      },
      ['application/merge-patch+json', 'application/json'],
    ),
    put: write(
      {
        operationId: 'replaceElements',
        summary: 'Replace elements of a transaction',
        description: 'Replaces the elements that the body names, each as a whole, and leaves the others.',
      },
      ['application/json'],
    ),
  },
};
