import { randomUUID } from 'node:crypto';
import type { NoticeKey } from '../../domain/event/cursor.ts';
import { realPatience } from '../dynamodb/retry.ts';
import { claimNotice, type NoticePlace } from './claim.ts';
import { getCursors, getNotice, noticeOf, queryDue } from './cursor-reads.ts';
import type { NoticeStore, Settlement } from './cursor-store.ts';
import {
  armChange,
  disarmChange,
  rearmChange,
  renewLeaseChange,
  settleChange,
  settleMarkerChange,
  settleTouchedChange,
} from './cursor-updates.ts';
import { noticeKey } from './keys.ts';
import { type Change, changeRow } from './update.ts';
import { createWake } from './wake.ts';

type NoticeDeps = Omit<NoticePlace, 'patience' | 'newToken'> &
  Partial<Pick<NoticePlace, 'patience' | 'newToken'>>;

/**
 * Cursors and markers over DynamoDB. After a lost answer a step that was done may be answered by false: then nobody goes on
 * with it, and what is armed is found again.
 */
export const createNoticeStore = (deps: NoticeDeps): NoticeStore => {
  const place: NoticePlace = { patience: realPatience, newToken: randomUUID, ...deps };
  const changes = async (key: NoticeKey, change: Change) =>
    (await changeRow(place, noticeKey(key), change)).isDone;

  return {
    wake: createWake(place),
    arm: (key, dueAtMs) => changes(key, armChange(key, dueAtMs)),
    due: (shard, nowMs, limit) => queryDue(place, { shard, nowMs, limit }),
    get: (key) => getNotice(place, key),
    cursors: (uuids) => getCursors(place, uuids),
    disarm: (key, seen) => changes(key, disarmChange(seen)),
    rearm: (key, seen, dueAtMs) => changes(key, rearmChange(seen, dueAtMs)),
    claim: (claim) => claimNotice(place, claim),
    renewLease: async (key, seen, lease) => {
      const renewed = await changeRow(place, noticeKey(key), renewLeaseChange(seen, lease));
      return renewed.isDone ? noticeOf(key, renewed.attributes) : undefined;
    },
    settle: (key, settlement) => settle(changes, key, settlement),
  };
};

type Changes = (key: NoticeKey, change: Change) => Promise<boolean>;

const settle = async (changes: Changes, key: NoticeKey, settlement: Settlement) => {
  if (key.kind === 'COMPLETED') return changes(key, settleMarkerChange(settlement));
  const isUntouched = await changes(key, settleChange(settlement));
  return isUntouched || changes(key, settleTouchedChange(settlement));
};
