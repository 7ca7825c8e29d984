import type { DueRowKey } from '../../domain/event/cursor.ts';
import { type ClaimAccess, claimDueRow, claimTogether } from './claim.ts';
import { dueRowOf } from './cursor-items.ts';
import { getCursors, getDueRow, getDueRows, queryDue } from './cursor-reads.ts';
import type { CursorStore, Settlement } from './cursor-store.ts';
import {
  passOverUpdate,
  renewLeaseUpdate,
  rescheduleUpdate,
  scheduleUpdate,
  settleAndRescheduleUpdate,
  settleMarkerUpdate,
  settleUpdate,
  unscheduleUpdate,
} from './cursor-updates.ts';
import { dueRowKey } from './keys.ts';
import { createRecordChange } from './record-change.ts';
import { type RowUpdate, updateRow } from './update.ts';

/**
 * Cursors and markers over DynamoDB. After a lost answer a step that was done may be answered by false: then no flusher goes
 * on with it, and what is scheduled is found again.
 */
export const createCursorStore = (access: ClaimAccess): CursorStore => {
  const changes = async (key: DueRowKey, change: RowUpdate) =>
    (await updateRow(access, dueRowKey(key), change)).isDone;

  return {
    recordChange: createRecordChange(access),
    schedule: (key, dueAtMs) => changes(key, scheduleUpdate(key, dueAtMs)),
    due: (shard, nowMs, limit) => queryDue(access, { shard, nowMs, limit }),
    get: (key) => getDueRow(access, key),
    getAll: (keys) => getDueRows(access, keys),
    getMany: (uuids) => getCursors(access, uuids),
    unschedule: (key, seen) => changes(key, unscheduleUpdate(seen)),
    passOver: (key, seen, version) => changes(key, passOverUpdate(seen, version)),
    reschedule: (key, seen, dueAtMs) => changes(key, rescheduleUpdate(seen, dueAtMs)),
    claim: (claim) => claimDueRow(access, claim),
    claimTogether: (claims) => claimTogether(access, claims),
    renewLease: async (key, seen, lease) => {
      const renewed = await updateRow(access, dueRowKey(key), renewLeaseUpdate(seen, lease));
      return renewed.isDone ? dueRowOf(key, renewed.attributes) : undefined;
    },
    settle: (key, settlement) => settle(changes, key, settlement),
  };
};

type Changes = (key: DueRowKey, change: RowUpdate) => Promise<boolean>;

const settle = async (changes: Changes, key: DueRowKey, settlement: Settlement) => {
  if (key.kind === 'COMPLETED') return changes(key, settleMarkerUpdate(settlement));
  const isSettled = await changes(key, settleUpdate(settlement));
  return isSettled || changes(key, settleAndRescheduleUpdate(settlement));
};
