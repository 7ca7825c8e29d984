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

/**
 * The `detail-type` of a message of a transaction (interface 6.1): an update, which contains what changed, once the transaction
 * has rested, and a completion, which contains the payments at once.
 */
export const eventTypes = ['TransactionUpdated', 'TransactionCompleted'] as const;
export type EventType = (typeof eventTypes)[number];

/** The `detail-type` of a message without a transaction. It only checks that the endpoint works. */
export const testEventType = 'WebhookTest';
/** The `detail-type` of any message. A partner finds all of them among its events. */
export const messageTypes = [...eventTypes, testEventType] as const;
export type MessageType = (typeof messageTypes)[number];

/** The versions that an event covers: after `from`, up to and including `to`. */
export type VersionRange = { from: number; to: number };

/** The webhook bodies as JSON text. `tokens` only if it differs from `plain` (SHOW-1). */
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
): EventElementName[] => (type === 'TransactionUpdated' ? changedElements(stored, from) : ['payments']);

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

/** The same for the same change of a transaction, over every crash, retry and replay (EV-6). */
export const eventIdOf = (stage: string, type: EventType, uuid: string, { from, to }: VersionRange): string =>
  v5(JSON.stringify([stage, type, uuid, from, to]), namespace);

/**
 * The same for the same request for a test: two requests with one idempotency key at the same time are one test. A key
 * counts for a day (WR-1), and the line of the test stays for longer, so the id depends on the day.
 */
export const testEventIdOf = (commandId: string, now: Date): string =>
  v5(`${commandId} ${now.toISOString().slice(0, 10)}`, namespace);
