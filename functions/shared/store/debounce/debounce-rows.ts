import type { DueRowKey } from '../../domain/event/debounce-row.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { type ClaimAccess, claimDueRow, claimTogether } from './claim.ts';
import { dueRowOf } from './debounce-row-items.ts';
import { getDebounceRows, getDueRow, getDueRows, queryDue } from './debounce-row-reads.ts';
import type { CompletedSend, DebounceRowStore } from './debounce-row-store.ts';
import {
  completeAndRescheduleUpdate,
  completeMarkerUpdate,
  completeUpdate,
  passOverUpdate,
  renewLeaseUpdate,
  rescheduleUpdate,
  scheduleUpdate,
  unscheduleUpdate,
} from './debounce-row-updates.ts';
import { dueRowKey } from './keys.ts';
import { createRecordChange } from './record-change.ts';
import { type RowUpdate, updateRow } from './update.ts';

/**
 * Debounce rows and markers in DynamoDB. After a lost answer a completed step may return false: no flusher continues then,
 * and scheduled rows are found again.
 */
export const createDebounceRowStore = (access: ClaimAccess): DebounceRowStore => {
  const changes = changesIn(access);

  return {
    recordChange: createRecordChange(access),
    ...createScheduling(access),
    due: (shard, nowMs, limit) => queryDue(access, { shard, nowMs, limit }),
    get: (key) => getDueRow(access, key),
    getAll: (keys) => getDueRows(access, keys),
    unschedule: (key, seen) => changes(key, unscheduleUpdate(seen)),
    passOver: (key, seen, version) => changes(key, passOverUpdate(seen, version)),
    reschedule: (key, seen, dueAtMs) => changes(key, rescheduleUpdate(seen, dueAtMs)),
    claim: (claim) => claimDueRow(access, claim),
    claimTogether: (claims) => claimTogether(access, claims),
    renewLease: async (key, seen, lease) => {
      const renewed = await updateRow(access, dueRowKey(key), renewLeaseUpdate(seen, lease));
      return renewed.isDone ? dueRowOf(key, renewed.attributes) : undefined;
    },
    complete: (key, completedSend) => complete(changes, key, completedSend),
  };
};

/** Scheduling, for the function that schedules what the stream lost. */
export const createScheduling = (
  access: TableAccess<'debounceTable'>,
): Pick<DebounceRowStore, 'getMany' | 'schedule'> => ({
  getMany: (uuids) => getDebounceRows(access, uuids),
  schedule: (key, dueAtMs) => changesIn(access)(key, scheduleUpdate(key, dueAtMs)),
});

type Changes = (key: DueRowKey, change: RowUpdate) => Promise<boolean>;

const changesIn =
  (access: TableAccess<'debounceTable'>): Changes =>
  async (key, change) =>
    (await updateRow(access, dueRowKey(key), change)).isDone;

const complete = async (changes: Changes, key: DueRowKey, completedSend: CompletedSend) => {
  if (key.kind !== 'NOTIFY') return changes(key, completeMarkerUpdate(completedSend));
  const isCompleted = await changes(key, completeUpdate(completedSend));
  return isCompleted || changes(key, completeAndRescheduleUpdate(completedSend));
};
