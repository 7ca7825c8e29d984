import { z } from 'zod';
import { testEventType } from '../domain/event/event.ts';
import { customer, extras, financeProposal, valuation, vehicle } from './elements.ts';
import { storedDeliveryCollection, storedNdMeta, storedPayment } from './stored.ts';

/** What an import may have brought for an element that the interface leaves open (RUN-6). */
export const importedElement = z.union([z.looseObject({}), z.array(z.unknown())]);

/** An element that the interface leaves open, as answers and messages show it: mostly as callers write it. */
export const openElement = (usual: z.core.$ZodType) => z.union([usual, importedElement]).nullable();

/**
 * What partners' endpoints are sent (interface 6.2), for `npm run openapi`. The interface closes
 * `detail`, ndMeta, deliveryCollection and payments, whose members are all there (SHAPE-1); the other elements are described
 * by what callers write and may hold anything that an import brought. An element that was removed is null, removed payments
 * are an empty list (EV-9).
 */
const element = (usual: z.core.$ZodType) => openElement(usual).optional();

const uuidPart = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

/** Payments and deliveryCollection as they are shown: each with every member (SHAPE-1). */
export const payment = storedPayment.required();
export const deliveryCollection = storedDeliveryCollection.required();

/** The identifier of a transaction (ID-1). */
export const transactionUuid = z
  .string()
  .regex(new RegExp(`^${uuidPart}-[0-9A-Za-z]{1,16}$`))
  .describe('Identifier of the transaction: a UUID, a hyphen, then a short code.');

const always = {
  uuid: transactionUuid,
  status: z.literal([0, 1]).describe('0 = incomplete, 1 = complete.'),
  ndMeta: storedNdMeta.describe('Who owns the transaction.'),
};

export const updatedDetail = z
  .strictObject({
    ...always,
    vehicle: element(vehicle).describe('The vehicle being bought.'),
    extras: element(extras).describe('What is bought beside the vehicle.'),
    deliveryCollection: deliveryCollection.nullable().optional().describe('Delivery or collection.'),
    financeProposal: element(financeProposal).describe('The finance that the buyer asks for.'),
    valuation: element(valuation).describe("What the shop offers for the buyer's own vehicle."),
    customer: element(customer).describe('The buyer.'),
    payments: z.array(payment).optional().describe('All payments of the transaction.'),
  })
  .describe('ndMeta, uuid and status, and the elements of the transaction that changed.');

export const deletedDetail = z
  .strictObject({ ...always, isDeleted: z.literal(1).describe('The transaction is deleted.') })
  .describe('ndMeta, uuid and status of a transaction that is deleted; no element, whatever else changed.');

/** Without payments where they are too large to be sent (EV-9). */
export const completedDetail = z
  .strictObject({
    ...always,
    status: z.literal(1).describe('1 = complete.'),
    payments: z
      .array(storedPayment.required())
      .min(1)
      .optional()
      .describe('All payments of the transaction.'),
  })
  .describe('ndMeta, uuid and status, and the payments.');

const messageOf = (type: string, detail: z.ZodType, description: string) =>
  z
    .strictObject({
      version: z.string().describe('Disregard.'),
      id: z.uuid().describe('Message id; can be used to de-duplicate.'),
      'detail-type': z.literal(type),
      source: z
        .string()
        .regex(/^svc\.[a-z]+\.online-payments$/)
        .describe('Environment-specific; check it to avoid mixing environments.'),
      account: z.string().describe('Disregard.'),
      time: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
        .describe('Time the message was published: ISO 8601, UTC.'),
      region: z.string().describe('Disregard.'),
      resources: z.array(z.unknown()).max(0).describe('Disregard (empty).'),
      detail,
    })
    .meta({ title: type, description });

/** By the name of the file that describes it. */
export const messages = {
  'transaction-updated': messageOf(
    'TransactionUpdated',
    z.union([updatedDetail, deletedDetail]),
    'Some property of the transaction changed; sent when it has not been updated for two minutes.',
  ),
  'transaction-completed': messageOf(
    'TransactionCompleted',
    completedDetail,
    'A payment moved the transaction to complete; sent at once.',
  ),
  'webhook-test': messageOf(
    testEventType,
    z.strictObject({}),
    'Has no transaction: asks whether the endpoint takes messages with the right signature alone.',
  ),
};

/** The JSON Schemas (draft 2020-12) by the name of their file. */
export const messageSchemas = (): { [file: string]: z.core.JSONSchema.BaseSchema } =>
  Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [
      `${name}.schema.json`,
      z.toJSONSchema(message, { target: 'draft-2020-12', io: 'output' }),
    ]),
  );
