import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import {
  nextSignatureExample,
  pausedExample,
  repeatedSignatureExample,
  verifyingExample,
  webhookExample,
} from '../examples/webhook.ts';
import { onEvery, replayed, webhookLocation } from '../parts/headers.ts';
import { always, json } from '../parts/operation.ts';
import { correlation, idempotent } from '../parts/parameters.ts';
import {
  badAddress,
  badBody,
  badKey,
  badMembers,
  changeConflict,
  changedMeanwhile,
  lacksRead,
  lacksWebhook,
  notJson,
  tooLargeBody,
  twoTokensSent,
  unauthorized,
  usedKey,
} from '../parts/refusals.ts';
import { managesWebhook, readsAsPartner } from '../parts/security.ts';
import { toPartner } from '../parts/to-partner.ts';
import {
  changedWebhook,
  nextSignature,
  repeatedSignature,
  webhook,
  webhookAddress,
  webhookChange,
} from '../schemas/webhook.ts';

const tags = ['Partner'];
const header = z.object({ ...idempotent, ...correlation });
const refused = {
  '400': badBody,
  '401': unauthorized,
  '403': lacksWebhook,
  '409': changedMeanwhile,
  '413': tooLargeBody,
  '415': notJson,
  '422': badMembers,
  ...always,
};

/** Self-service of the webhook (V2-13). */
export const v2Webhook: ZodOpenApiPathsObject = {
  '/api/v2/webhook': {
    get: {
      operationId: 'getWebhook',
      tags,
      summary: 'Get your webhook',
      description: 'Its address, its state with the reason, and the ages of its signatures.',
      security: readsAsPartner,
      requestParams: { header: z.object(correlation) },
      responses: toPartner({
        '200': json({
          description: 'Your webhook as it is now.',
          schema: webhook,
          examples: { on: { summary: 'Events are sent', value: webhookExample } },
        }),
        '400': twoTokensSent,
        '401': unauthorized,
        '403': lacksRead,
        ...always,
      }),
    },
    put: {
      operationId: 'setWebhook',
      tags,
      summary: 'Set the address of your webhook',
      description:
        'The address is checked in the background: two test messages, one of them with a wrong signature. Look at `Location` until its `state` is `on` or `failing`. The former address serves until the new one has passed.',
      security: managesWebhook,
      requestParams: { header },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: webhookAddress,
            examples: {
              address: { summary: 'An address', value: { url: 'https://crm.example/new-hooks' } },
            },
          },
        },
      },
      responses: toPartner({
        '202': json({
          description: 'It is being checked.',
          schema: changedWebhook,
          headers: { ...replayed, ...webhookLocation },
          examples: { verifying: { summary: 'The former address serves', value: verifyingExample } },
        }),
        ...refused,
        '422': badAddress,
      }),
    },
    patch: {
      operationId: 'updateWebhook',
      tags,
      summary: 'Pause or resume your webhook, or switch its signature',
      description:
        'While it is paused events are kept: one for each transaction is sent when it is resumed. `"signature": "next"` makes the announced value the one that counts.',
      security: managesWebhook,
      requestParams: { header },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: webhookChange,
            examples: {
              pause: { summary: 'Pause', value: { paused: true } },
              next: { summary: 'Switch to the next signature', value: { signature: 'next' } },
            },
          },
        },
      },
      responses: toPartner({
        '200': json({
          description: 'It is changed.',
          schema: changedWebhook,
          headers: replayed,
          examples: { paused: { summary: 'Paused', value: pausedExample } },
        }),
        ...refused,
        '409': changeConflict,
      }),
    },
    delete: {
      operationId: 'removeWebhook',
      tags,
      summary: 'Remove your webhook',
      description:
        'Nothing is sent any more, and what was kept is not sent either. Your signature stays. Without an address there is nothing to remove, and the answer is the same.',
      security: managesWebhook,
      requestParams: { header: z.object(correlation) },
      responses: toPartner({
        '204': { description: 'There is no address.', headers: z.object(onEvery) },
        '400': twoTokensSent,
        '401': unauthorized,
        '403': lacksWebhook,
        '409': changedMeanwhile,
        ...always,
      }),
    },
  },
  '/api/v2/webhook/signature': {
    post: {
      operationId: 'announceSignature',
      tags,
      summary: 'Create the next signature of your webhook',
      description:
        'Begins a rotation: makes the value that comes next. Messages carry it as `X-Webhook-Signature-Next` beside the present one, until you switch to it by `PATCH /api/v2/webhook`. It is shown this once: a repetition with the same `Idempotency-Key` says only when it was made. A next value that was made before is forgotten.',
      security: managesWebhook,
      requestParams: { header },
      responses: toPartner({
        '200': json({
          description: 'It was made by an earlier request with this key.',
          schema: repeatedSignature,
          headers: replayed,
          examples: { repeated: { summary: 'Without the value', value: repeatedSignatureExample } },
        }),
        '201': json({
          description: 'The next value, shown this once.',
          schema: nextSignature,
          examples: { made: { summary: 'The value', value: nextSignatureExample } },
        }),
        '400': badKey,
        '401': unauthorized,
        '403': lacksWebhook,
        '409': changedMeanwhile,
        '422': usedKey,
        ...always,
      }),
    },
  },
};
