import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { eventExample, eventListExample } from '../examples/events.ts';
import { linked, tagged } from '../parts/headers.ts';
import { always, json, notModified } from '../parts/operation.ts';
import {
  correlation,
  eventCursor,
  eventFilters,
  eventIdInPath,
  paging,
  unlessTagged,
} from '../parts/parameters.ts';
import { badFilter, badQuery, lacksRead, notFound, twoTokensSent, unauthorized } from '../parts/refusals.ts';
import { readsAsPartner } from '../parts/security.ts';
import { toPartner } from '../parts/to-partner.ts';
import { eventList, eventWithMessage } from '../schemas/events.ts';

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
        'Lists what your webhook was sent in the last 30 days, and what is still to be sent, newest first. You see events of transactions that you may read now. Follow `_links.next` for older ones. There are no page numbers.',
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
              summary: 'One event a page; the newest is tried again in a minute',
              value: eventListExample,
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
  '/api/v2/event/{id}': {
    get: {
      operationId: 'getEvent',
      tags,
      summary: 'Get an event',
      description:
        'Reads one event with its timeline and its message, to the byte. The answer is 404 if the event does not exist or is not yours.',
      security: readsAsPartner,
      requestParams: { path: z.object(eventIdInPath), header },
      responses: toPartner({
        '200': json({
          description: 'The event, with its timeline and its message.',
          schema: eventWithMessage,
          headers: tagged,
          examples: { event: { summary: 'Accepted at the second try', value: eventExample } },
        }),
        '304': notModified(tagged),
        '400': twoTokensSent,
        '401': unauthorized,
        '403': lacksRead,
        '404': notFound,
        ...always,
      }),
    },
  },
};
