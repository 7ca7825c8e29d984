import type { PartnerEvent } from './types.ts';

/** The `detail-type` of a message. */
export type EventType = PartnerEvent['type'];

/** Whether a message is of a transaction: a type that the service has and this table lacks does not compile. */
const isOfTransaction = {
  TransactionUpdated: true,
  TransactionCompleted: true,
  WebhookTest: false,
} as const satisfies Record<EventType, boolean>;

export const eventTypes = Object.keys(isOfTransaction) as EventType[];

/** The types of messages that are of a transaction. */
export type TransactionType = {
  [Type in EventType]: (typeof isOfTransaction)[Type] extends true ? Type : never;
}[EventType];

/** Others may come one day: a receiver lets them pass. */
export const hasTransaction = (type: string): type is TransactionType =>
  (eventTypes as string[]).includes(type) && isOfTransaction[type as EventType];
