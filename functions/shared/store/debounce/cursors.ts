import type { DueRowKey } from '../../domain/event/cursor.ts';
import { type ClaimAccess, claimDueRow } from './claim.ts';
import { dueRowOf } from './cursor-items.ts';
import { getCursors, getDueRow, queryDue } from './cursor-reads.ts';
import type { CursorStore, Settlement } from './cursor-store.ts';
import {
  armChange,
  disarmChange,
  rearmChange,
  renewLeaseChange,
  settleAndRearmChange,
  settleChange,
  settleMarkerChange,
} from './cursor-updates.ts';
import { dueRowKey } from './keys.ts';
import { type Change, changeRow } from './update.ts';
import { createWake } from './wake.ts';

/**
 * Cursors and markers over DynamoDB. After a lost answer a step that was done may be answered by false: then nobody goes on
 * with it, and what is armed is found again.
 */
export const createCursorStore = (access: ClaimAccess): CursorStore => {
  const changes = async (key: DueRowKey, change: Change) =>
    (await changeRow(access, dueRowKey(key), change)).isDone;

  return {
    wake: createWake(access),
    arm: (key, dueAtMs) => changes(key, armChange(key, dueAtMs)),
    due: (shard, nowMs, limit) => queryDue(access, { shard, nowMs, limit }),
    get: (key) => getDueRow(access, key),
    getMany: (uuids) => getCursors(access, uuids),
    disarm: (key, seen) => changes(key, disarmChange(seen)),
    rearm: (key, seen, dueAtMs) => changes(key, rearmChange(seen, dueAtMs)),
    claim: (claim) => claimDueRow(access, claim),
    renewLease: async (key, seen, lease) => {
      const renewed = await changeRow(access, dueRowKey(key), renewLeaseChange(seen, lease));
      return renewed.isDone ? dueRowOf(key, renewed.attributes) : undefined;
    },
    settle: (key, settlement) => settle(changes, key, settlement),
  };
};

type Changes = (key: DueRowKey, change: Change) => Promise<boolean>;

const settle = async (changes: Changes, key: DueRowKey, settlement: Settlement) => {
  if (key.kind === 'COMPLETED') return changes(key, settleMarkerChange(settlement));
  const isSettled = await changes(key, settleChange(settlement));
  return isSettled || changes(key, settleAndRearmChange(settlement));
};
