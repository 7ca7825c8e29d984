import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { MessageType } from '../../../functions/shared/domain/event/event.ts';
import { dormancyText } from '../dormancy.ts';
import {
  completedExample,
  deletedExample,
  eventId,
  testExample,
  updatedExample,
} from '../examples/messages.ts';
import { messages } from '../schemas/messages.ts';

const text = z.string();

const header = (schema: z.ZodType, description: string, example: string) =>
  schema.meta({ param: { description, example } });

/** What says which message this is, and under which signature (docs/guide/webhooks.md). */
const ofEvery = {
  'X-Webhook-Signature': header(
    text,
    'The value that you were given; compare it in constant time. A message with any other is not ours.',
    'example-signature-of-your-webhook',
  ),
  'X-Webhook-Signature-Next': header(
    text.optional(),
    'During a rotation: the value that comes next. Accept both.',
    'example-signature-that-comes-next',
  ),
};

const version = z.string().regex(/^\d+$/);

const ofEvents = {
  ...ofEvery,
  'Idempotency-Key': header(
    text,
    'The id of the event, as `id` of the body has it: use it to drop copies.',
    eventId,
  ),
  'X-Transaction-From-Version': header(
    version,
    'The event covers the changes after this version of the transaction, up to and including `X-Transaction-Version`.',
    '3',
  ),
  'X-Transaction-Version': header(version, 'The last version of the transaction that the event covers.', '5'),
  'X-Transaction-Omitted': header(
    text,
    'Changed elements that were too large to be sent, with commas between them; mostly empty. Read them.',
    'financeProposal',
  ),
};

type Message = Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'description'> & {
  schema: z.ZodType;
  headers: { [name: string]: z.ZodType };
  examples: { [name: string]: { summary: string; value: unknown } };
};

const message = ({ schema, headers, examples, ...about }: Message): ZodOpenApiPathsObject[string] => ({
  post: {
    ...about,
    tags: ['Webhooks'],
    security: [{ webhookSignature: [] }],
    requestParams: { header: z.object(headers) },
    requestBody: { required: true, content: { 'application/json': { schema, examples } } },
    responses: {
      '2XX': {
        description: 'You have the message. Answer within five seconds, before doing anything slow.',
      },
      '401': { description: 'The signature is not the expected one. It is tried again.' },
      '4XX': {
        description:
          '403, 404, 408 and 410 are tried again five times with pauses; 407, 409 and 429 for 24 hours; any other is not tried again.',
      },
      '5XX': {
        description: 'Tried again for 24 hours, at most 185 times; `Retry-After` is heeded.',
      },
    },
  },
});

/** What partners implement (interface 4.4). */
export const webhooks: Record<MessageType, ZodOpenApiPathsObject[string]> = {
  TransactionUpdated: message({
    operationId: 'onTransactionUpdated',
    summary: 'Receive a changed transaction',
    description: `Sent when the transaction has not been updated for ${dormancyText}, with everything that changed since the last one.`,
    schema: messages.TransactionUpdated,
    headers: ofEvents,
    examples: {
      updated: { summary: 'Delivery and customer changed', value: updatedExample },
      deleted: { summary: 'The transaction was deleted', value: deletedExample },
    },
  }),
  TransactionCompleted: message({
    operationId: 'onTransactionCompleted',
    summary: 'Receive a completed transaction',
    description:
      'Sent at once, when a payment has completed the transaction. It stands outside the chain of versions of TransactionUpdated.',
    schema: messages.TransactionCompleted,
    headers: ofEvents,
    examples: { completed: { summary: 'A bank transfer', value: completedExample } },
  }),
  WebhookTest: message({
    operationId: 'onWebhookTest',
    summary: 'Receive a test of your webhook',
    description:
      'Asks whether your endpoint is there and refuses a wrong signature. It has no transaction: check the signature, and answer.',
    schema: messages.WebhookTest,
    headers: ofEvery,
    examples: { test: { summary: 'A test', value: testExample } },
  }),
};
