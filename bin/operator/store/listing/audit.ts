import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredTransaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import { conditionHeld } from '../../../../functions/shared/store/dynamodb/failure.ts';
import { withRetries } from '../../../../functions/shared/store/dynamodb/retry.ts';
import type { Statement } from '../../../../functions/shared/store/dynamodb/statement.ts';
import { keyText } from '../../../../functions/shared/store/listing/keys.ts';
import { productionSettings } from '../../../../functions/shared/store/listing/settings.ts';
import { addToCounter, isUnchanged } from '../../../../functions/shared/store/transactions/statements.ts';
import {
  type AuditAccess,
  type AuditProgress,
  type CounterFinding,
  type EntryFinding,
  type ListingAuditorDeps,
  type Recount,
  recount,
} from './recount.ts';

/** An entry that does not match the transactions. */
type EntryDrift = { key: string; found: 'missing' | 'orphan' | 'different' };

/** A counter that does not match the transactions; adding `difference` repairs it. */
type CounterDrift = { key: string; attribute: string; difference: number };

export type ListingAudit = {
  transactions: number;
  entries: number;
  counters: number;
  entryDrift: EntryDrift[];
  counterDrift: CounterDrift[];
};

/** The repaired differences. `countersLeft` counters differed in both audits and changed in between. */
export type ListingRepair = ListingAudit & { countersLeft: number };

/** `listing audit` and `listing repair` (RUN-4). Writes during an audit may look like drift. */
export type ListingAuditor = {
  audit: (onProgress?: (progress: AuditProgress) => void) => Promise<ListingAudit>;
  /** Audits twice, repairs the differences that both found unchanged, and returns them (STO-6). */
  repair: (onProgress?: (progress: AuditProgress) => void) => Promise<ListingRepair>;
};

export const createListingAuditor = (deps: ListingAuditorDeps): ListingAuditor => {
  const access = { settings: productionSettings, ...deps };
  return {
    audit: async (onProgress = () => {}) => toAudit(await recount(access, onProgress)),
    repair: async (onProgress = () => {}) => {
      const first = await recount(access, onProgress);
      if (!hasFindings(first)) return { ...toAudit(first), countersLeft: 0 };
      return mend(access, first, await recount(access, onProgress));
    },
  };
};

const hasFindings = ({ entryFindings, counterFindings }: Recount) =>
  entryFindings.length + counterFindings.length > 0;

const toAudit = ({ entryFindings, counterFindings, ...counts }: Recount): ListingAudit => ({
  ...counts,
  entryDrift: entryFindings.map(({ key, found }) => ({ key: keyName(key), found })),
  counterDrift: counterFindings.map(({ key, attribute, difference }) => ({
    key: keyName(key),
    attribute,
    difference,
  })),
});

const keyName = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`;

const mend = async (access: AuditAccess, first: Recount, second: Recount): Promise<ListingRepair> => {
  const known = new Set([...first.entryFindings, ...first.counterFindings].map(textOf));
  const stays = (finding: EntryFinding | CounterFinding) => known.has(textOf(finding));
  const differed = new Set(first.counterFindings.map(counterText));
  const entryFindings: EntryFinding[] = [];
  for (const finding of second.entryFindings.filter(stays))
    if (await mendEntry(access, finding)) entryFindings.push(finding);
  const counterFindings = second.counterFindings.filter(stays);
  for (const finding of counterFindings) await mendCounter(access, finding);
  const countersLeft = second.counterFindings.filter(
    (finding) => differed.has(counterText(finding)) && !stays(finding),
  ).length;
  return { ...toAudit({ ...second, entryFindings, counterFindings }), countersLeft };
};

/** Compares more than the difference: in each audit another write between its two scans may cause the same one. */
const textOf = (finding: EntryFinding | CounterFinding) =>
  'attribute' in finding
    ? JSON.stringify([counterText(finding), finding.expected, finding.found, finding.counted])
    : JSON.stringify([keyText(finding.key), finding.found, finding.owner?.version]);

const counterText = ({ key, attribute }: CounterFinding) => `${keyText(key)} ${attribute}`;

/** Writes only where the transaction is still as it was counted: a later write has updated the entry itself. */
const mendEntry = async (access: AuditAccess, { key, expected, owner }: EntryFinding) => {
  const { listingTable } = access;
  const statements: Statement[] = [
    ...(owner ? [isStillAsRead(access, owner)] : []),
    expected
      ? { Put: { TableName: listingTable, Item: expected } }
      : { Delete: { TableName: listingTable, Key: key } },
  ];
  return write(access, statements);
};

const isStillAsRead = ({ transactionsTable }: AuditAccess, stored: StoredTransaction): Statement => ({
  ConditionCheck: {
    TableName: transactionsTable,
    Key: { uuid: stored.transaction.uuid },
    ...isUnchanged(stored),
  },
});

/** Adds the difference, which commutes with concurrent counts. */
const mendCounter = (access: AuditAccess, { key, attribute, difference }: CounterFinding) =>
  write(access, [{ Update: addToCounter(access.listingTable, { key, add: { [attribute]: difference } }) }]);

/** The token makes a retried request add once. */
const write = ({ documents, retryDelays }: AuditAccess, statements: Statement[]) => {
  const request = new TransactWriteCommand({
    TransactItems: statements,
    ClientRequestToken: randomUUID(),
  });
  return conditionHeld(withRetries(() => documents.send(request), retryDelays));
};
