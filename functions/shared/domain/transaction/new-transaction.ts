import type { NdMeta } from '../ownership/owner.ts';
import { type StoredTransaction, untouched, type VersionedPart, versionedParts } from './transaction.ts';

/** A transaction before its creation. The store assigns its sequence number. */
export type NewTransaction = Omit<StoredTransaction, 'sequenceNumber'>;

/**
 * The transaction that get-or-create makes for a session. No partner is notified of it, because nothing was sent yet
 * (EV-10).
 */
export const newTransaction = (facts: {
  uuid: string;
  owner: NdMeta;
  session: string;
  now: Date;
}): NewTransaction => ({
  transaction: {
    uuid: facts.uuid,
    ...untouched(),
    ndMeta: facts.owner,
  },
  version: 1,
  elementVersions: versionsAtCreation(),
  createdAtMs: facts.now.getTime(),
  updatedAtMs: facts.now.getTime(),
  notifyFromVersion: 2,
  session: facts.session,
});

const versionsAtCreation = () =>
  Object.fromEntries(
    versionedParts.map((part) => [part, part === 'own' || part === 'ndMeta' ? 1 : 0]),
  ) as Record<VersionedPart, number>;
