import type { ElementName } from '../transaction/transaction.ts';

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
