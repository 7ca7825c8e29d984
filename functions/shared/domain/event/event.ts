import { v5 } from 'uuid';
import type { ElementName, StoredTransaction } from '../transaction/transaction.ts';

/** The `detail-type` of a message (interface 6.1). */
export const eventTypes = ['TransactionUpdated', 'TransactionCompleted'] as const;
export type EventType = (typeof eventTypes)[number];

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

/** The versions that an event tells of: after `from`, up to and including `to` (events EV-6). */
export type VersionRange = { from: number; to: number };

/** One message about one transaction, whoever receives it; its bodies are kept apart. Times are milliseconds since the epoch. */
export type TransactionEvent = VersionRange & {
  /** UUIDv5 of what it tells of (EV-6). */
  eventId: string;
  type: EventType;
  uuid: string;
  elements: EventElementName[];
  /** Names of the elements that were too large to be sent (EV-9). */
  omitted: EventElementName[];
  /** When the last change that it tells of was made. */
  changedAtMs: number;
  claimedAtMs: number;
  /** Client ids of everybody authorised when it was claimed, paused ones too. */
  recipients: string[];
};

/** The whole webhook bodies as JSON text, byte for byte as sent; `tokens` only where it differs from `plain` (SHOW-1). */
export type EventBodies = { plain: string; tokens?: string };

/**
 * The elements that changed after version `from` (events 3, I5). Derived from the versions on the transaction, never from
 * what a stream told, so that lost or repeated records cannot falsify it. Values that are equal again count as well (EV-3).
 */
export const changedElements = (
  { elementVersions }: Pick<StoredTransaction, 'elementVersions'>,
  from: number,
): EventElementName[] => eventElementNames.filter((name) => elementVersions[name] > from);

/**
 * Whether the transaction was deleted by a change that an event up to `to` does not tell of: no read shows its content any
 * more (DEL-1), and so the event shows it to nobody (TH-08).
 */
export const isDeletedAfter = (
  { to }: Pick<VersionRange, 'to'>,
  stored: StoredTransaction | undefined,
): boolean => stored?.transaction.isDeleted === 1 && stored.elementVersions.own > to;

/** Our own namespace (RFC 9562, section 5.5), so that nobody else's name gives one of our ids. */
const namespace = '7a0dc1f5-5a3b-5c2e-9a51-1c5e0b0d5a3f';

/** The same for the same change of the same transaction, over every crash, retry, redrive and replay (EV-6). */
export const eventIdOf = (stage: string, type: EventType, uuid: string, { from, to }: VersionRange): string =>
  v5(JSON.stringify([stage, type, uuid, from, to]), namespace);
