import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import {
  newReplayExample,
  nextReplayExample,
  olderReplayedExample,
  partReplayedExample,
  replayAnswerExample,
  webhookTestExample,
} from '../examples/orders.ts';
import { eventLocation, replayed } from '../parts/headers.ts';
import { always, json } from '../parts/operation.ts';
import { correlation, eventIdInPath, idempotent } from '../parts/parameters.ts';
import {
  badBody,
  badKey,
  badMembers,
  lacksWebhook,
  lacksWrite,
  notFound,
  nothingLeaves,
  notJson,
  tooLargeBody,
  unauthorized,
  usedKey,
} from '../parts/refusals.ts';
import { managesWebhook, writesAsPartner } from '../parts/security.ts';
import { toPartner } from '../parts/to-partner.ts';
import { newReplay, replayAnswer, webhookTestAnswer } from '../schemas/orders.ts';

const header = z.object({ ...idempotent, ...correlation });
const refused = {
  '400': badKey,
  '401': unauthorized,
  '403': lacksWrite,
  '409': nothingLeaves,
  '422': usedKey,
  ...always,
};
const again = { again: { summary: 'One event is replayed', value: replayAnswerExample } };

/** Replays and tests (V2-9 to V2-12). */
export const v2Orders: ZodOpenApiPathsObject = {
  '/api/v2/event/{id}/replay': {
    post: {
      operationId: 'replayEvent',
      tags: ['Events'],
      summary: 'Replay an event',
      description:
        'Sends one event again within ten seconds, with the same id and bytes, even if newer ones were sent since: see `newerVersion`. It is sent only if your grants still cover the transaction.',
      security: writesAsPartner,
      requestParams: { path: z.object(eventIdInPath), header },
      responses: toPartner({
        '202': json({
          description: 'Scheduled. It is sent within ten seconds.',
          schema: replayAnswer,
          headers: replayed,
          examples: {
            ...again,
            older: { summary: 'Newer events were sent since', value: olderReplayedExample },
          },
        }),
        ...refused,
        '404': notFound,
      }),
    },
  },
  '/api/v2/event/replay': {
    post: {
      operationId: 'replayEvents',
      tags: ['Events'],
      summary: 'Replay events since a time',
      description:
        'Sends again what was created since a time: each completion, and for each transaction one event with everything that changed. A request looks at 100 events, the oldest first. Repeat it with `next` as its body until `next` is null.',
      security: writesAsPartner,
      requestParams: { header },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: newReplay,
            examples: {
              failed: { summary: 'What failed this morning', value: newReplayExample },
              next: {
                summary: 'The next 100 events: send next of the answer before',
                value: nextReplayExample,
              },
            },
          },
        },
      },
      responses: toPartner({
        '202': json({
          description: 'The events that are replayed.',
          schema: replayAnswer,
          headers: replayed,
          examples: {
            ...again,
            part: { summary: 'There is more: continue with next', value: partReplayedExample },
          },
        }),
        ...refused,
        '400': badBody,
        '413': tooLargeBody,
        '415': notJson,
        '422': badMembers,
      }),
    },
  },
  '/api/v2/webhook/test': {
    post: {
      operationId: 'testWebhook',
      tags: ['Events'],
      summary: 'Test your webhook',
      description:
        'Sends a WebhookTest within ten seconds, in the same way as every event. The address in `Location` shows what became of it.',
      security: managesWebhook,
      requestParams: { header },
      responses: toPartner({
        '202': json({
          description: 'Scheduled. It is sent within ten seconds.',
          schema: webhookTestAnswer,
          headers: { ...replayed, ...eventLocation },
          examples: { scheduled: { summary: 'About to be sent', value: webhookTestExample } },
        }),
        ...refused,
        '403': lacksWebhook,
      }),
    },
  },
};
