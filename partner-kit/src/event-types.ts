import type { PartnerEvent } from './types.ts';

/** The `detail-type` of a message. */
export type EventType = PartnerEvent['type'];

/** Whether a message is about a transaction. A type of the service that is missing here does not compile. */
const isOfTransaction = {
  TransactionUpdated: true,
  TransactionCompleted: true,
  WebhookTest: false,
} as const satisfies Record<EventType, boolean>;

export const eventTypes = Object.keys(isOfTransaction) as EventType[];

/** The types of messages about a transaction. */
export type TransactionType = {
  [Type in EventType]: (typeof isOfTransaction)[Type] extends true ? Type : never;
}[EventType];

/** There may be others in future, which a receiver accepts and ignores. */
export const hasTransaction = (type: string): type is TransactionType =>
  (eventTypes as string[]).includes(type) && isOfTransaction[type as EventType];
