import { randomUUID } from 'node:crypto';
import type { DueRowKey } from '../../domain/event/cursor.ts';
import { realPatience } from '../dynamodb/retry.ts';
import { type CursorPlace, claimDueRow } from './claim.ts';
import { dueRowOf, getCursors, getDueRow, queryDue } from './cursor-reads.ts';
import type { CursorStore, Settlement } from './cursor-store.ts';
import {
  armChange,
  disarmChange,
  rearmChange,
  renewLeaseChange,
  settleChange,
  settleMarkerChange,
  settleTouchedChange,
} from './cursor-updates.ts';
import { dueRowKey } from './keys.ts';
import { type Change, changeRow } from './update.ts';
import { createWake } from './wake.ts';

type CursorDeps = Omit<CursorPlace, 'patience' | 'newToken'> &
  Partial<Pick<CursorPlace, 'patience' | 'newToken'>>;

/**
 * Cursors and markers over DynamoDB. After a lost answer a step that was done may be answered by false: then nobody goes on
 * with it, and what is armed is found again.
 */
export const createCursorStore = (deps: CursorDeps): CursorStore => {
  const place: CursorPlace = { patience: realPatience, newToken: randomUUID, ...deps };
  const changes = async (key: DueRowKey, change: Change) =>
    (await changeRow(place, dueRowKey(key), change)).isDone;

  return {
    wake: createWake(place),
    arm: (key, dueAtMs) => changes(key, armChange(key, dueAtMs)),
    due: (shard, nowMs, limit) => queryDue(place, { shard, nowMs, limit }),
    get: (key) => getDueRow(place, key),
    getMany: (uuids) => getCursors(place, uuids),
    disarm: (key, seen) => changes(key, disarmChange(seen)),
    rearm: (key, seen, dueAtMs) => changes(key, rearmChange(seen, dueAtMs)),
    claim: (claim) => claimDueRow(place, claim),
    renewLease: async (key, seen, lease) => {
      const renewed = await changeRow(place, dueRowKey(key), renewLeaseChange(seen, lease));
      return renewed.isDone ? dueRowOf(key, renewed.attributes) : undefined;
    },
    settle: (key, settlement) => settle(changes, key, settlement),
  };
};

type Changes = (key: DueRowKey, change: Change) => Promise<boolean>;

const settle = async (changes: Changes, key: DueRowKey, settlement: Settlement) => {
  if (key.kind === 'COMPLETED') return changes(key, settleMarkerChange(settlement));
  const isUntouched = await changes(key, settleChange(settlement));
  return isUntouched || changes(key, settleTouchedChange(settlement));
};
