import { indexedColumns } from '../../../functions/shared/domain/listing/columns.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import {
  type JsonObject,
  type Transaction,
  type VersionedPart,
  versionedParts,
} from '../../../functions/shared/domain/transaction/transaction.ts';

export const anOwner = (values: Partial<NdMeta> = {}): NdMeta => ({
  group: 'group-a',
  franchise: 'franchise-a',
  branch: 'Branch A',
  location: 'location-a',
  groupSoftware: '',
  ...values,
});

export const aTransaction = (values: Partial<Transaction> = {}): Transaction => ({
  uuid: '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11-0000',
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
  ndMeta: anOwner(),
  ...values,
});

const createdAtMs = Date.parse('2026-01-01T00:00:00Z');

/** A transaction before the store assigns its sequence number. */
export const aNewTransaction = (
  transaction: Partial<Transaction> = {},
  facts: Partial<Omit<NewTransaction, 'transaction'>> = {},
): NewTransaction => ({
  transaction: aTransaction(transaction),
  version: 1,
  // Every version is that of some part.
  elementVersions: Object.fromEntries(
    versionedParts.map((part) => [part, part === 'own' ? (facts.version ?? 1) : 0]),
  ) as Record<VersionedPart, number>,
  createdAtMs,
  updatedAtMs: createdAtMs,
  notifyFromVersion: 1,
  ...facts,
});

/** A uuid of the right shape for a number. */
export const uuidOf = (number: number) =>
  `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000-0000`;

/** The elements of a transaction that has this text in every indexed column. */
export const withIndexedValues = (text: string): Partial<Transaction> => {
  const elements: JsonObject = {};
  for (const { path } of Object.values(indexedColumns)) put(elements, path, text);
  return elements as Partial<Transaction>;
};

const put = (into: JsonObject, [name = '', ...inside]: readonly string[], text: string) => {
  if (inside.length === 0) {
    into[name] = text;
    return;
  }
  const member = (into[name] ?? {}) as JsonObject;
  into[name] = member;
  put(member, inside, text);
};
