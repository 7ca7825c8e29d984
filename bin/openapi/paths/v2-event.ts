import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { eventListExample, waitingListExample } from '../examples/events.ts';
import { linked, tagged } from '../parts/headers.ts';
import { always, json, notModified } from '../parts/operation.ts';
import { correlation, eventCursor, eventFilters, paging, unlessTagged } from '../parts/parameters.ts';
import { badFilter, badQuery, lacksRead, unauthorized } from '../parts/refusals.ts';
import { readsAsPartner } from '../parts/security.ts';
import { toPartner } from '../parts/to-partner.ts';
import { eventList } from '../schemas/events.ts';

const tags = ['Events'];
const header = z.object({ ...unlessTagged, ...correlation });

/** A partner's events (V2-7). */
export const v2Event: ZodOpenApiPathsObject = {
  '/api/v2/event': {
    get: {
      operationId: 'listEvents',
      tags,
      summary: 'List events',
      description:
        'Lists what your webhook was sent in the last 30 days, newest first; with `filter[state]=waiting` what is still to be sent, by transaction. You see events of transactions that you may read now. Follow `_links.next` for more. There are no page numbers.',
      security: readsAsPartner,
      requestParams: {
        query: z.object({ ...eventFilters, 'per-page': paging['per-page'], ...eventCursor }),
        header,
      },
      responses: toPartner({
        '200': json({
          description: 'One page of your events, newest first.',
          schema: eventList,
          headers: { ...tagged, ...linked },
          examples: {
            page: {
              summary: 'One event a page; the newest failed',
              value: eventListExample,
            },
            waiting: {
              summary: 'What waits: the transaction of an event that failed',
              value: waitingListExample,
            },
          },
        }),
        '304': notModified({ ...tagged, ...linked }),
        '400': badQuery,
        '401': unauthorized,
        '403': lacksRead,
        '422': badFilter,
        ...always,
      }),
    },
  },
};
