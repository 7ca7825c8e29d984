import { v5 } from 'uuid';
import type { ElementName, StoredTransaction } from '../transaction/transaction.ts';

/** The elements that `detail` may contain beside `ndMeta` (interface 6.2), in the order used everywhere. */
export const eventElementNames = [
  'vehicle',
  'extras',
  'deliveryCollection',
  'financeProposal',
  'valuation',
  'customer',
  'payments',
] as const satisfies readonly ElementName[];
export type EventElementName = (typeof eventElementNames)[number];

/** Properties of an event type. Code reads them and never compares the name. */
type EventTypeFacts =
  /**
   * It contains what changed since the previous event, once the transaction has rested. A wider one can stand for it.
   */
  | { isOfChain: true }
  /** It contains these elements at once, covers one version, and is always sent again as stored. */
  | { isOfChain: false; elements: readonly EventElementName[] };

const factsOf = {
  TransactionUpdated: { isOfChain: true },
  TransactionCompleted: { isOfChain: false, elements: ['payments'] },
} as const satisfies Record<string, EventTypeFacts>;

/** The `detail-type` of a message of a transaction (interface 6.1). */
export type EventType = keyof typeof factsOf;
export const eventTypes = Object.keys(factsOf) as EventType[];

/** Types whose events form a chain of versions, and types that do not. */
export type ChainType = {
  [Type in EventType]: (typeof factsOf)[Type]['isOfChain'] extends true ? Type : never;
}[EventType];
export type SingleType = Exclude<EventType, ChainType>;

/** The `detail-type` of a message without a transaction. It only checks that the endpoint works. */
export const testEventType = 'WebhookTest';
/** The `detail-type` of any message. A partner finds all of them among its events. */
export const messageTypes = [...eventTypes, testEventType] as const;
export type MessageType = (typeof messageTypes)[number];

/** Whether events of this type form a chain of versions. */
export const isChainType = (type: MessageType): type is ChainType =>
  type !== testEventType && factsOf[type].isOfChain;

/** The versions that an event covers: after `from`, up to and including `to`. */
export type VersionRange = { from: number; to: number };

/**
 * One event of one transaction, the same for every recipient. Its bodies are stored separately. Times are epoch
 * milliseconds.
 */
export type TransactionEvent = VersionRange & {
  /** UUIDv5 of what it covers (EV-6). */
  eventId: string;
  type: MessageType;
  /** Empty for an event without a transaction. */
  uuid: string;
  elements: EventElementName[];
  /** Names of the elements that were too large to send (EV-9). */
  omitted: EventElementName[];
  /** When the last change that it covers was made. */
  changedAtMs: number;
  claimedAtMs: number;
  /** Client ids of all partners that were authorised at the claim, including paused ones. */
  recipients: string[];
};

/** The webhook bodies as JSON text, byte for byte as sent. `tokens` only if it differs from `plain` (SHOW-1). */
export type EventBodies = { plain: string; tokens?: string };

/**
 * The elements that changed after version `from`. Derived from the versions on the transaction, never from what the
 * stream recorded, so lost or repeated records cannot falsify it. Includes elements that changed back to their earlier
 * value (EV-3). A deleted transaction has none, because no read shows it (EV-11).
 */
export const changedElements = (
  { elementVersions, transaction }: Pick<StoredTransaction, 'elementVersions' | 'transaction'>,
  from: number,
): EventElementName[] =>
  transaction.isDeleted === 1 ? [] : eventElementNames.filter((name) => elementVersions[name] > from);

/** The elements that an event of this type contains of the versions after `from`. */
export const elementsOf = (
  type: EventType,
  stored: Pick<StoredTransaction, 'elementVersions' | 'transaction'>,
  from: number,
): EventElementName[] => {
  const facts: EventTypeFacts = factsOf[type];
  return facts.isOfChain ? changedElements(stored, from) : [...facts.elements];
};

/**
 * Whether the transaction was deleted by a change after `to`. Then no read shows its content, so the event is sent to
 * no partner (DEL-1).
 */
export const isDeletedAfter = (
  { to }: Pick<VersionRange, 'to'>,
  stored: StoredTransaction | undefined,
): boolean => stored?.transaction.isDeleted === 1 && stored.elementVersions.own > to;

/** A namespace of our own (RFC 9562, section 5.5), so that no other system makes the same ids. */
const namespace = '7a0dc1f5-5a3b-5c2e-9a51-1c5e0b0d5a3f';

/** The same for the same change of a transaction, over every crash, retry, redrive and replay (EV-6). */
export const eventIdOf = (stage: string, type: EventType, uuid: string, { from, to }: VersionRange): string =>
  v5(JSON.stringify([stage, type, uuid, from, to]), namespace);

/**
 * The same for the same request for a test: two requests with one idempotency key at the same time are one test. A key
 * counts for a day (WR-1), and the event is stored for longer, so the id depends on the day.
 */
export const testEventIdOf = (commandId: string, now: Date): string =>
  v5(`${commandId} ${now.toISOString().slice(0, 10)}`, namespace);
