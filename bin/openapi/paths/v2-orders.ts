import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import {
  failedAnswerExample,
  narrowReplayExample,
  replayAnswerExample,
  replayFailedExample,
  replaySinceExample,
  webhookTestExample,
} from '../examples/orders.ts';
import { replayed } from '../parts/headers.ts';
import { always, json } from '../parts/operation.ts';
import { correlation, idempotent } from '../parts/parameters.ts';
import {
  badBody,
  badKey,
  badMembers,
  lacksWebhook,
  lacksWrite,
  nothingLeaves,
  notJson,
  tooLargeBody,
  unauthorized,
  usedKey,
} from '../parts/refusals.ts';
import { managesWebhook, writesAsPartner } from '../parts/security.ts';
import { toPartner } from '../parts/to-partner.ts';
import { webhookTestAnswer } from '../schemas/events.ts';
import { newReplay, replayAnswer } from '../schemas/orders.ts';

const header = z.object({ ...idempotent, ...correlation });
const refused = {
  '400': badKey,
  '401': unauthorized,
  '403': lacksWrite,
  '409': nothingLeaves,
  '422': usedKey,
  ...always,
};

/** Replays and tests (V2-10 to V2-12). */
export const v2Orders: ZodOpenApiPathsObject = {
  '/api/v2/event/replay': {
    post: {
      operationId: 'replayEvents',
      tags: ['Events'],
      summary: 'Replay events',
      description:
        'Sends again what was sent since a time, or what failed. You get each transaction once, with everything that changed and present values, and each completion. The first ones arrive within twenty seconds.',
      security: writesAsPartner,
      requestParams: { header },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: newReplay,
            examples: {
              since: { summary: 'Everything since a time', value: replaySinceExample },
              narrow: { summary: 'The updates of one transaction', value: narrowReplayExample },
              failed: { summary: 'What failed', value: replayFailedExample },
            },
          },
        },
      },
      responses: toPartner({
        '202': json({
          description: 'The replay has begun.',
          schema: replayAnswer,
          headers: replayed,
          examples: {
            since: { summary: 'Since a time', value: replayAnswerExample },
            failed: { summary: 'What failed', value: failedAnswerExample },
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
        'Sends a WebhookTest within ten seconds, in the same way as every event. `GET /api/v2/event?filter[type]=WebhookTest` shows what became of it.',
      security: managesWebhook,
      requestParams: { header },
      responses: toPartner({
        '202': json({
          description: 'Scheduled. It is sent within ten seconds.',
          schema: webhookTestAnswer,
          headers: replayed,
          examples: { scheduled: { summary: 'About to be sent', value: webhookTestExample } },
        }),
        ...refused,
        '403': lacksWebhook,
      }),
    },
  },
};
