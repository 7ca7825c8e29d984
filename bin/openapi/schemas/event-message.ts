import { z } from 'zod';
import {
  eventElementNames,
  type MessageType,
  testEventType,
} from '../../../functions/shared/domain/event/event.ts';
import { tellMembers } from '../render.ts';
import { aboutElements, closedElement, ndMeta, shownElements } from './shown.ts';

const uuidPart = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

/** The identifier of a transaction (ID-1). */
export const transactionUuid = z
  .string()
  .regex(new RegExp(`^${uuidPart}-[0-9A-Za-z]{1,16}$`))
  .describe('Identifier of the transaction: a UUID, a hyphen, then a short code.');

const always = {
  uuid: transactionUuid,
  status: z.literal([0, 1]).describe('0 = incomplete, 1 = complete: a payment completed it.'),
  ndMeta: ndMeta.describe(aboutElements.ndMeta),
};

/** A removed element is null, and removed payments are an empty list (EV-9). */
const changed = eventElementNames.map((name) => [
  name,
  shownElements[name].optional().describe(aboutElements[name]),
]);

export const updatedDetail = z
  .strictObject({ ...always, ...Object.fromEntries(changed) })
  .describe('uuid, status and ndMeta, and the elements that changed.');

export const deletedDetail = z
  .strictObject({
    ...always,
    isDeleted: z.literal(1).describe('Always 1: the transaction is deleted, and reads no longer find it.'),
  })
  .describe('uuid, status and ndMeta of a deleted transaction, and no element.');

/** Without payments if they are too large to send (EV-9). */
export const completedDetail = z
  .strictObject({
    ...always,
    status: z.literal(1).describe('Always 1: the transaction is complete.'),
    payments: z.array(closedElement('payments')).min(1).optional().describe(aboutElements.payments),
  })
  .describe('uuid, status and ndMeta, and the payments.');

/** The messages to partners' endpoints (interface 6.2). */
const messageOf = (type: MessageType, [detail, about]: readonly [z.ZodType, string], description: string) =>
  z
    .strictObject({
      version: z.string().describe('Disregard it: it has no meaning for partners.'),
      id: z.uuid().describe('ID of the event. A copy has the same ID. Use it to drop duplicates.'),
      'detail-type': z
        .literal(type)
        .describe('The type of event. Answer 2xx to a type that you do not know.'),
      source: z
        .string()
        .regex(/^svc\.[a-z]+\.online-payments$/)
        .describe(
          'The stage that sent it: `svc.production.online-payments`, `svc.staging.online-payments`. Check it, so that you do not mix stages.',
        ),
      account: z.string().describe('Disregard it: it has no meaning for partners.'),
      time: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
        .describe('When the message was published: ISO 8601, UTC.'),
      region: z.string().describe('Disregard it: it has no meaning for partners.'),
      resources: z.array(z.unknown()).max(0).describe('Always empty. Disregard it.'),
      detail: detail.describe(about),
    })
    .meta({ title: type, description });

/** By type. */
export const messages = {
  TransactionUpdated: messageOf(
    'TransactionUpdated',
    [z.union([updatedDetail, deletedDetail]), 'The transaction, with the elements that changed.'],
    'A property of the transaction changed. Sent when it has rested.',
  ),
  TransactionCompleted: messageOf(
    'TransactionCompleted',
    [completedDetail, 'The transaction that is complete now, with its payments.'],
    'A payment completed the transaction. Sent at once.',
  ),
  [testEventType]: messageOf(
    testEventType,
    [z.strictObject({}), 'Always empty: a test has no transaction.'],
    'Checks whether the endpoint accepts the right signature and refuses a wrong one.',
  ),
} satisfies Record<MessageType, z.ZodType>;

/** The JSON Schemas (draft 2020-12) by file name: `transaction-updated.schema.json`. */
export const messageSchemas = (): { [file: string]: z.core.JSONSchema.BaseSchema } =>
  Object.fromEntries(
    Object.entries(messages).map(([type, message]) => [
      `${type.replaceAll(/(?<=.)[A-Z]/g, '-$&').toLowerCase()}.schema.json`,
      z.toJSONSchema(message, { target: 'draft-2020-12', io: 'output', override: tellMembers }),
    ]),
  );
