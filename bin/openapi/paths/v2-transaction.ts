import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { complete, firstPage, listOf, shown } from '../examples/transactions.ts';
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
    'Lists the transactions within your grants, oldest first. You can combine filters, `expand` and `fields`. Follow `_links.next` to read on.',
  security: readsAsPartner,
  requestParams: {
    query: z.object({ ...filters, ...selection, ...paging }),
    header: z.object({ ...unlessTagged, ...correlation }),
  },
  responses: toPartner({
    '200': json({
      description: 'One page of your transactions, oldest first.',
      schema: transactionList,
      headers: { ...tagged, ...paginated },
      examples: {
        page: { summary: 'Two transactions a page, of 23', value: listOf(firstPage) },
        selected: {
          summary: 'The second page of complete transactions, with only the values of their payments',
          value: listOf({
            ...firstPage,
            parameters: {
              'filter[status]': ['1'],
              expand: ['payments'],
              fields: ['uuid,payments.value'],
              ...{ page: ['2'], 'per-page': ['2'] },
            },
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
  summary: 'Get a transaction',
  description:
    'Reads one transaction within your grants. The answer is 404 if it does not exist, was deleted, or is outside your grants.',
  security: readsAsPartner,
  requestParams: {
    path: z.object(uuidInPath),
    query: z.object(selection),
    header: z.object({ ...unlessTagged, ...correlation }),
  },
  responses: toPartner({
    '200': json({
      description: 'The transaction, with what `expand` and `fields` ask for.',
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

const moved = { location: complete.ndMeta?.location, franchise: complete.ndMeta?.franchise };

const ownProperties = {
  priceAdjustment: { payment: false, priceRule: true },
  ...{ externalRedirect: 0, incentive: false, document_id: complete.document_id },
  preselectedPaymentMethod: complete.preselectedPaymentMethod,
  ...{ referrerUrl: complete.referrerUrl, guestEmail: 'buyer@mail.example' },
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
    move: { summary: 'A move to another location', value: moved },
    properties: { summary: 'Own properties', value: ownProperties },
  }),
  responses: toPartner({
    '200': json({
      description: 'The transaction as it is now. Without `nop2/read`, only its uuid.',
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
        summary: 'Update a transaction',
        description:
          'Applies a JSON merge patch (RFC 7396). Objects are merged, lists are replaced, and `null` removes a member or an element. A request that changes nothing sends no event.',
      },
      ['application/merge-patch+json', 'application/json'],
    ),
    put: write(
      {
        operationId: 'replaceElements',
        summary: 'Replace elements of a transaction',
        description: 'Replaces each element that the body names as a whole. Other elements stay as they are.',
      },
      ['application/json'],
    ),
  },
};
