import { type Outcome, refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import type { NewTransaction } from '../../../../functions/shared/domain/transaction/new-transaction.ts';
import type { StoredTransaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import { chunksOf } from '../../../../functions/shared/runtime/chunks.ts';
import { createLimit } from '../../../../functions/shared/runtime/limit.ts';
import { batchGet } from '../../../../functions/shared/store/dynamodb/batch-get.ts';
import { conditionHeld } from '../../../../functions/shared/store/dynamodb/failure.ts';
import { withRetries } from '../../../../functions/shared/store/dynamodb/retry.ts';
import {
  atomicWrite,
  createStored,
  type WriterAccess,
} from '../../../../functions/shared/store/transactions/write.ts';
import { type Load, loadsByGroup } from './loads.ts';
import { forgetSequenceNumbers, readSequenceNumbers, takeSequenceNumbers } from './sequence-numbers.ts';

type Created = Outcome<StoredTransaction, 'uuid-taken'>;

/** Larger chunks let more transactions share the counters of a write. */
const transactionsPerChunk = 1_000;
/** Groups that are written in parallel. */
const groupsAtOnce = 4;

/**
 * Creates transactions at rising sequence numbers in the given order. A uuid that exists, or comes twice, is refused. After a crash
 * the same list is continued: each transaction gets the sequence number reserved for it. Two concurrent calls with the same list may
 * both return a transaction, which is stored once, at that sequence number.
 */
export const createMany = async (
  access: WriterAccess,
  transactions: readonly NewTransaction[],
): Promise<Created[]> => {
  const outcomes: Created[] = [];
  for (const chunk of chunksOf(transactions, transactionsPerChunk))
    outcomes.push(...(await createChunk(access, chunk)));
  return outcomes;
};

const createChunk = async (access: WriterAccess, chunk: NewTransaction[]): Promise<Created[]> => {
  const outcomes: Created[] = chunk.map(() => refuse('uuid-taken'));
  const [taken, kept] = await Promise.all([takenUuids(access, chunk), readSequenceNumbers(access, chunk)]);
  const fresh = firstOfEachUuid(chunk).filter(({ uuid }) => !taken.has(uuid));
  if (fresh.length > 0) {
    const first = kept.first ?? (await takeSequenceNumbers(access, kept.key, chunk.length));
    const stored = fresh.map(({ transaction, index }) => ({ ...transaction, sequenceNumber: first + index }));
    for (const created of await writeGroups(access, loadsByGroup(access, stored)))
      if (created.ok) outcomes[created.value.sequenceNumber - first] = created;
  }
  await forgetSequenceNumbers(access, kept.key);
  return outcomes;
};

const firstOfEachUuid = (chunk: readonly NewTransaction[]) => {
  const found = new Map<string, { uuid: string; index: number; transaction: NewTransaction }>();
  for (const [index, transaction] of chunk.entries()) {
    const { uuid } = transaction.transaction;
    if (!found.has(uuid)) found.set(uuid, { uuid, index, transaction });
  }
  return [...found.values()];
};

const takenUuids = async (access: WriterAccess, chunk: readonly NewTransaction[]) => {
  const keys = [...new Set(chunk.map(({ transaction }) => transaction.uuid))].map((uuid) => ({ uuid }));
  const items = await batchGet(access, { table: access.transactionsTable, keys, attributes: ['uuid'] });
  return new Set(items.map(({ uuid }) => String(uuid)));
};

/** Throws the fault of a group only after the other groups have ended, so that no write continues unseen. */
const writeGroups = async (access: WriterAccess, groups: Iterable<Load>[]): Promise<Created[]> => {
  const limit = createLimit(groupsAtOnce);
  const ends = await Promise.allSettled(groups.map((loads) => limit(() => writeGroup(access, loads))));
  return ends.flatMap((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
};

const writeGroup = async (access: WriterAccess, loads: Iterable<Load>) => {
  const outcomes: Created[] = [];
  for (const load of loads) outcomes.push(...(await writeLoad(access, load)));
  return outcomes;
};

/** Writes a load. After a failure, by a taken uuid or a lost answer, creates its transactions one by one. */
const writeLoad = async (access: WriterAccess, { transactions, statements }: Load): Promise<Created[]> => {
  const write = atomicWrite(access, statements);
  if (await conditionHeld(withRetries(write, access.retryDelays))) return transactions.map(succeed);
  const outcomes: Created[] = [];
  for (const stored of transactions) {
    const created = await createStored(access, stored);
    outcomes.push(created.ok ? created : refuse('uuid-taken'));
  }
  return outcomes;
};
