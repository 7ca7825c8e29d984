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

/** The management of a partner's own webhook (V2-13). */
export const v2Webhook: ZodOpenApiPathsObject = {
  '/api/v2/webhook': {
    get: {
      operationId: 'getWebhook',
      tags,
      summary: 'Get your webhook',
      description: 'Reads the address and the state of your webhook, and how old its signatures are.',
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
        'Sets a new address, which is checked in the background by two test messages, one of them with a wrong signature. Read `Location` until `state` is `on` or `failing`. Events go to the former address until the check has passed.',
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
          description: 'The address is being checked.',
          schema: changedWebhook,
          headers: { ...replayed, ...webhookLocation },
          examples: { verifying: { summary: 'Events go to the former address', value: verifyingExample } },
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
        'While the webhook is paused, the service keeps its events. When you resume, it sends one for each transaction. `"signature": "next"` switches to the next signature.',
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
          description: 'The webhook after the change.',
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
        'Ends all sending and discards the events that were kept. Your signature stays. The answer is the same if you have no address.',
      security: managesWebhook,
      requestParams: { header: z.object(correlation) },
      responses: toPartner({
        '204': { description: 'You have no address now.', headers: z.object(onEvery) },
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
        'Begins a rotation. Creates the next value and shows it this once. Configure your receiver to accept both values, then switch with `PATCH /api/v2/webhook`. No message carries the next value before that. A repeated request with the same `Idempotency-Key` does not show the value. A next value that was created before is discarded.',
      security: managesWebhook,
      requestParams: { header },
      responses: toPartner({
        '200': json({
          description: 'An earlier request with this key created it.',
          schema: repeatedSignature,
          headers: replayed,
          examples: { repeated: { summary: 'Without the value', value: repeatedSignatureExample } },
        }),
        '201': json({
          description: 'The next value. It is shown this once.',
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
