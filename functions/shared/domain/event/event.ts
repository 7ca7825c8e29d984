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

/** What the type of an event decides: code asks for these facts, and never compares the name. */
type EventTypeFacts =
  /** It brings what changed since the event before it, once the transaction has rested; a wider one can stand for it. */
  | { isOfChain: true }
  /** It brings these elements at once, covers one version, and is always sent again as it is stored. */
  | { isOfChain: false; elements: readonly EventElementName[] };

const factsOf = {
  TransactionUpdated: { isOfChain: true },
  TransactionCompleted: { isOfChain: false, elements: ['payments'] },
} as const satisfies Record<string, EventTypeFacts>;

/** The `detail-type` of a message of a transaction (interface 6.1). */
export type EventType = keyof typeof factsOf;
export const eventTypes = Object.keys(factsOf) as EventType[];

/** The types whose events join to a chain of versions, and those that stand outside of it. */
export type ChainType = {
  [Type in EventType]: (typeof factsOf)[Type]['isOfChain'] extends true ? Type : never;
}[EventType];
export type SingleType = Exclude<EventType, ChainType>;

/** The `detail-type` of a message without a transaction: it only asks whether the endpoint is there. */
export const testEventType = 'WebhookTest';
/** The `detail-type` of any message; a partner finds all of them among its events. */
export const messageTypes = [...eventTypes, testEventType] as const;
export type MessageType = (typeof messageTypes)[number];

/** Whether events of this type join to a chain of versions. */
export const isChainType = (type: MessageType): type is ChainType =>
  type !== testEventType && factsOf[type].isOfChain;

/** The versions that an event covers: after `from`, up to and including `to`. */
export type VersionRange = { from: number; to: number };

/** One event of one transaction, the same for every recipient; its bodies are kept apart. Times are milliseconds since the epoch. */
export type TransactionEvent = VersionRange & {
  /** UUIDv5 of what it covers (EV-6). */
  eventId: string;
  type: MessageType;
  /** Empty where it is of no transaction. */
  uuid: string;
  elements: EventElementName[];
  /** Names of the elements that were too large to be sent (EV-9). */
  omitted: EventElementName[];
  /** When the last change that it covers was made. */
  changedAtMs: number;
  claimedAtMs: number;
  /** Client ids of all partners authorised when it was claimed, paused ones too. */
  recipients: string[];
};

/** The whole webhook bodies as JSON text, byte for byte as sent; `tokens` only where it differs from `plain` (SHOW-1). */
export type EventBodies = { plain: string; tokens?: string };

/**
 * The elements that changed after version `from`. Derived from the versions on the transaction, never from what the stream
 * recorded, so that lost or repeated records cannot falsify it. Values that are equal again count as well (EV-3). Of a
 * deleted transaction there are none, whatever changed: no read shows them any more (EV-11).
 */
export const changedElements = (
  { elementVersions, transaction }: Pick<StoredTransaction, 'elementVersions' | 'transaction'>,
  from: number,
): EventElementName[] =>
  transaction.isDeleted === 1 ? [] : eventElementNames.filter((name) => elementVersions[name] > from);

/** The elements that an event of this type brings of the versions after `from`. */
export const elementsOf = (
  type: EventType,
  stored: Pick<StoredTransaction, 'elementVersions' | 'transaction'>,
  from: number,
): EventElementName[] => {
  const facts: EventTypeFacts = factsOf[type];
  return facts.isOfChain ? changedElements(stored, from) : [...facts.elements];
};

/**
 * Whether the transaction was deleted by a change that an event up to `to` does not cover: no read shows its content any
 * more, and so the event is sent to no partner (DEL-1).
 */
export const isDeletedAfter = (
  { to }: Pick<VersionRange, 'to'>,
  stored: StoredTransaction | undefined,
): boolean => stored?.transaction.isDeleted === 1 && stored.elementVersions.own > to;

/** Our own namespace (RFC 9562, section 5.5), so that no other system's name gives one of our ids. */
const namespace = '7a0dc1f5-5a3b-5c2e-9a51-1c5e0b0d5a3f';

/** The same for the same change of the same transaction, over every crash, retry, redrive and replay (EV-6). */
export const eventIdOf = (stage: string, type: EventType, uuid: string, { from, to }: VersionRange): string =>
  v5(JSON.stringify([stage, type, uuid, from, to]), namespace);

/**
 * The same for the same order of a test: two requests under one key at the same moment are one test. A key counts for a day
 * (WR-1), and the event is kept for longer: so the id is of that day.
 */
export const testEventIdOf = (commandId: string, now: Date): string =>
  v5(`${commandId} ${now.toISOString().slice(0, 10)}`, namespace);
