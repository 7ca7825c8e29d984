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
const again = { again: { summary: 'One event is sent again', value: replayAnswerExample } };

/** What a partner has sent to itself (V2-9 to V2-12). */
export const v2Orders: ZodOpenApiPathsObject = {
  '/api/v2/event/{id}/replay': {
    post: {
      operationId: 'replayEvent',
      tags: ['Events'],
      summary: 'Replay an event',
      description:
        'Sends one event again, with its id and its bytes, within ten seconds, even if newer ones were sent since: compare `newerVersion`. It is judged once more by your grants when it is sent.',
      security: writesAsPartner,
      requestParams: { path: z.object(eventIdInPath), header },
      responses: toPartner({
        '202': json({
          description: 'It is scheduled, and sent within ten seconds.',
          schema: replayAnswer,
          headers: replayed,
          examples: { ...again, older: { summary: 'You were sent newer ones', value: olderReplayedExample } },
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
        'Sends again what was created since a time: one event for each transaction, with everything that changed, so that no older state arrives last. A request looks at a hundred events, the oldest first: repeat it with `next` as its body until that is null.',
      security: writesAsPartner,
      requestParams: { header },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: newReplay,
            examples: {
              failed: { summary: 'What failed this morning', value: newReplayExample },
              next: { summary: 'The next hundred, with next of the answer before', value: nextReplayExample },
            },
          },
        },
      },
      responses: toPartner({
        '202': json({
          description: 'What is sent again.',
          schema: replayAnswer,
          headers: replayed,
          examples: {
            ...again,
            part: { summary: 'There is more: go on with next', value: partReplayedExample },
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
        'Sends a WebhookTest the way every event takes, within ten seconds. What came of it stands at the address in `Location`.',
      security: managesWebhook,
      requestParams: { header },
      responses: toPartner({
        '202': json({
          description: 'It is scheduled, and sent within ten seconds.',
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
