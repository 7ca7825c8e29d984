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

/** The identity of a message, and its signature (docs/guide/webhooks.md). */
const ofEvery = {
  'X-Webhook-Signature': header(
    text,
    'The value that you and the service share. Compare it in constant time, and refuse any other with 401.',
    'example-signature-of-your-webhook',
  ),
  'Idempotency-Key': header(text, 'The same as `id` in the body. Use it to drop copies.', eventId),
};

const version = z.string().regex(/^\d+$/);

const ofEvents = {
  ...ofEvery,
  'X-Transaction-From-Version': header(
    version,
    'The event covers the changes after this version of the transaction, up to and including `X-Transaction-Version`.',
    '3',
  ),
  'X-Transaction-Version': header(version, 'The last version of the transaction that the event covers.', '5'),
  'X-Transaction-Omitted': header(
    text,
    'Changed elements that were too large to send, separated by commas; often empty. Read them from the API.',
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
        description: 'You have stored the message. Answer within five seconds.',
      },
      '401': { description: 'The signature is wrong. The message is tried again for 24 hours.' },
      '4XX': {
        description:
          'After 403, 404, 408 and 410 there are five more tries, with pauses; after 407, 409 and 429 tries for 24 hours; after any other none.',
      },
      '5XX': {
        description: 'Tried again for 24 hours, 185 times at most. `Retry-After` is respected.',
      },
    },
  },
});

/** The requests that partners implement (interface 4.4). */
export const webhooks: Record<MessageType, ZodOpenApiPathsObject[string]> = {
  TransactionUpdated: message({
    operationId: 'onTransactionUpdated',
    summary: 'Receive a changed transaction',
    description: `Sent when the transaction has not been updated for ${dormancyText}, with everything that changed since the last event.`,
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
      'Sent at once when a payment completes the transaction. Do not compare its versions with those of TransactionUpdated.',
    schema: messages.TransactionCompleted,
    headers: ofEvents,
    examples: { completed: { summary: 'A bank transfer', value: completedExample } },
  }),
  WebhookTest: message({
    operationId: 'onWebhookTest',
    summary: 'Receive a test of your webhook',
    description:
      'Checks whether your endpoint answers, and refuses a wrong signature. There is no transaction in it.',
    schema: messages.WebhookTest,
    headers: ofEvery,
    examples: { test: { summary: 'A test', value: testExample } },
  }),
};
