import type { NdMeta } from '../ownership/owner.ts';

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export type JsonObject = { [name: string]: JsonValue };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The related records of a transaction, in the order used everywhere (interface 2.1). */
export const elementNames = [
  'vehicle',
  'ndMeta',
  'extras',
  'deliveryCollection',
  'selectedPaymentMethod',
  'financeProposal',
  'valuation',
  'customer',
  'payments',
  'financeDefaults',
] as const;
export type ElementName = (typeof elementNames)[number];

/** 0 incomplete, 1 complete (interface 2.1). */
export type Status = 0 | 1;

export type OwnProperties = {
  uuid: string;
  status: Status;
  editable: boolean;
  isDeleted: 0 | 1;
  priceAdjustment: { payment: boolean; priceRule: boolean };
  externalRedirect: 0 | 1;
  incentive: boolean;
  document_id: string | null;
  preselectedPaymentMethod: string;
  referrerUrl: string;
  guestEmail: string | null;
};
export type OwnPropertyName = keyof OwnProperties;

/** The own properties of a transaction to which nothing was written, in declaration order (interface 2.1). */
export const untouched = (): Omit<OwnProperties, 'uuid'> => ({
  status: 0,
  editable: true,
  isDeleted: 0,
  priceAdjustment: { payment: false, priceRule: false },
  externalRedirect: 0,
  incentive: false,
  document_id: null,
  preselectedPaymentMethod: '',
  referrerUrl: '',
  guestEmail: null,
});

/** All own properties in declaration order. */
export const ownPropertyNames = ['uuid', ...Object.keys(untouched())] as readonly OwnPropertyName[];

/**
 * Elements are absent until a caller writes them. A response shows an absent one as `null`, and absent payments as `[]`
 * (FLD-4).
 */
type Elements = {
  ndMeta?: NdMeta;
  payments?: JsonObject[];
} & { [Name in Exclude<ElementName, 'ndMeta' | 'payments'>]?: JsonObject | JsonValue[] };

/** A transaction as it is stored: its own properties, and the elements that callers have written. */
export type Transaction = OwnProperties & Elements;

/** The parts with versions of their own: each element, and the own properties together (`docs/events.md`). */
export const versionedParts = [...elementNames, 'own'] as const;
export type VersionedPart = (typeof versionedParts)[number];

/** A transaction with internal facts that never leave the service (SHOW-1). Times are epoch milliseconds. */
export type StoredTransaction = {
  transaction: Transaction;
  /** +1 per change; 1 when created. */
  version: number;
  /** The version at which each part last changed, or 0. All eleven keys exist from the creation. */
  elementVersions: Record<VersionedPart, number>;
  createdAtMs: number;
  /** Strictly rising per transaction: max(previous + 1, now). */
  updatedAtMs: number;
  /**
   * The first version that partners are notified of (EV-10): 2 of an import, the next one of an empty checkout, else 1.
   */
  notifyFromVersion: number;
  /** The V1 session that owns it. Absent for transactions of imports, and for erased ones (S-88). */
  session?: string;
  /** When retention deleted it (V1-8). A later change has a higher `updatedAtMs`. */
  expiredAtMs?: number;
  /** When its customer was erased. Nothing of the content is kept since (S-61). */
  erasedAtMs?: number;
  /** Set by its erasure if it had a session, so that it is not taken for an import (EV-11). */
  isErasedCheckout?: true;
  /**
   * Sequence number of its creation, the order of every list (LIST-2). The store assigns it; moves and restores keep
   * it.
   */
  sequenceNumber: number;
};
