import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { Statement } from '../dynamodb/statement.ts';
import { keyText } from '../listing/keys.ts';
import { productionSettings } from '../listing/settings.ts';
import { addToCounter } from '../transactions/statements.ts';
import {
  type AuditAccess,
  type AuditProgress,
  type CounterFinding,
  type EntryFinding,
  type ListingAuditorDeps,
  type Recount,
  recount,
} from './recount.ts';

/** One entry that differs from what the transactions say. */
type EntryDrift = { key: string; found: 'missing' | 'orphan' | 'different' };

/** One counter that differs; `difference` is what has to be added. */
type CounterDrift = { key: string; attribute: string; difference: number };

export type ListingAudit = {
  transactions: number;
  entries: number;
  counters: number;
  entryDrift: EntryDrift[];
  counterDrift: CounterDrift[];
};

/** For the operator's `listing audit` and `listing repair` (RUN-4). Writes during an audit may look like drift. */
export type ListingAuditor = {
  audit: (onProgress?: (progress: AuditProgress) => void) => Promise<ListingAudit>;
  /** Audits twice and mends what both found alike, so that writes in between are left alone; answers what was mended. */
  repair: (onProgress?: (progress: AuditProgress) => void) => Promise<ListingAudit>;
};

export const createListingAuditor = (deps: ListingAuditorDeps): ListingAuditor => {
  const access = { settings: productionSettings, ...deps };
  return {
    audit: async (onProgress = () => {}) => toAudit(await recount(access, onProgress)),
    repair: async (onProgress = () => {}) => {
      const first = await recount(access, onProgress);
      if (!hasFindings(first)) return toAudit(first);
      return toAudit(await mend(access, first, await recount(access, onProgress)));
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

const mend = async (access: AuditAccess, first: Recount, second: Recount): Promise<Recount> => {
  const known = new Set([...first.entryFindings, ...first.counterFindings].map(textOf));
  const stays = (finding: EntryFinding | CounterFinding) => known.has(textOf(finding));
  const entryFindings: EntryFinding[] = [];
  for (const finding of second.entryFindings.filter(stays))
    if (await mendEntry(access, finding)) entryFindings.push(finding);
  const counterFindings = second.counterFindings.filter(stays);
  for (const finding of counterFindings) await mendCounter(access, finding);
  return { ...second, entryFindings, counterFindings };
};

const textOf = (finding: EntryFinding | CounterFinding) =>
  'attribute' in finding
    ? JSON.stringify([keyText(finding.key), finding.attribute, finding.difference])
    : JSON.stringify([keyText(finding.key), finding.found, finding.owner?.version]);

/** On the condition that the transaction is still as it was counted; else its own write has seen to the entry. */
const mendEntry = async (access: AuditAccess, { key, expected, owner }: EntryFinding) => {
  const { listingTable } = access;
  const statements: Statement[] = [
    ...(owner ? [isStillAt(access, owner.transaction.uuid, owner.version)] : []),
    expected
      ? { Put: { TableName: listingTable, Item: expected } }
      : { Delete: { TableName: listingTable, Key: key } },
  ];
  return write(access, statements);
};

const isStillAt = ({ transactionsTable }: AuditAccess, uuid: string, version: number): Statement => ({
  ConditionCheck: {
    TableName: transactionsTable,
    Key: { uuid },
    ConditionExpression: '#version = :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': version },
  },
});

/** Adding the difference commutes with whatever is counted meanwhile. */
const mendCounter = (access: AuditAccess, { key, attribute, difference }: CounterFinding) =>
  write(access, [{ Update: addToCounter(access.listingTable, { key, add: { [attribute]: difference } }) }]);

/** The token makes a repeated request add once. */
const write = ({ documents, retryDelays }: AuditAccess, statements: Statement[]) => {
  const request = new TransactWriteCommand({
    TransactItems: statements,
    ClientRequestToken: randomUUID(),
  });
  return conditionHeld(withRetries(() => documents.send(request), retryDelays));
};
