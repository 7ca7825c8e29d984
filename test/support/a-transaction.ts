import type { NdMeta, Transaction } from '../../functions/shared/domain/transaction.ts';
import { type VersionedPart, versionedParts } from '../../functions/shared/domain/transaction.ts';
import type { NewTransaction } from '../../functions/shared/store/transaction-writer.ts';

export const anOwner = (changes: Partial<NdMeta> = {}): NdMeta => ({
  group: 'group-a',
  franchise: 'franchise-a',
  branch: 'Leeds',
  location: 'location-a',
  groupSoftware: 'software-a',
  ...changes,
});

/** A transaction in API shape, owned, without other elements. */
export const aTransaction = (changes: Partial<Transaction> = {}): Transaction => ({
  uuid: '6f1d2c3b-4a59-4e68-8778-96a5b4c3d2e1-7k3q',
  status: 0,
  editable: true,
  isDeleted: 0,
  priceAdjustment: { payment: true, priceRule: false },
  externalRedirect: 0,
  incentive: false,
  document_id: null,
  preselectedPaymentMethod: 'finance',
  referrerUrl: 'https://shop.example/cars',
  guestEmail: null,
  ndMeta: anOwner(),
  ...changes,
});

/** The same as the store receives it. */
export const aNewTransaction = (
  changes: Partial<Transaction> = {},
  inner: Partial<Omit<NewTransaction, 'transaction'>> = {},
): NewTransaction => ({
  transaction: aTransaction(changes),
  version: 1,
  elementVersions: Object.fromEntries(versionedParts.map((part) => [part, 1])) as Record<
    VersionedPart,
    number
  >,
  createdAtMs: 1_700_000_000_000,
  updatedAtMs: 1_700_000_000_000,
  quietVersion: 0,
  ...inner,
});
