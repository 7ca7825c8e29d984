import {
  type CompletionMarker,
  type DebounceRow,
  type DueRow,
  type DueRowKey,
  type DueRowOf,
  isDueAt,
} from '../../../functions/shared/domain/event/debounce-row.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type {
  Claim,
  DebounceRowStore,
  Due,
} from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import { dueShardOf, isExpired, markerExpiresAt } from '../../../functions/shared/store/debounce/keys.ts';
import type { MemoryDeliveryLog } from './delivery-log.ts';

/** What the stand-in for transactions leaves, in one step with its change. */
export type MemoryDebounceRows = DebounceRowStore & { leave: (marker: CompletionMarker) => void };

type MemoryDebounceRowsDeps = {
  /** The version of a stored transaction, for the condition of a claim. */
  versionOf: (uuid: string) => number | undefined;
  deliveryLog: MemoryDeliveryLog;
  clock: Clock;
};

/** As the table has it: a debounce row's attributes and a marker's side by side. */
type StoredRow = Omit<DebounceRow, 'kind'> &
  Omit<CompletionMarker, 'kind'> & { kind: DueRow['kind']; expiresAt?: number };

/** Debounce rows and markers over a map: a stand-in for tests. Each condition of the protocol has a line of its own. */
export const createMemoryDebounceRows = ({
  versionOf,
  deliveryLog,
  clock,
}: MemoryDebounceRowsDeps): MemoryDebounceRows => {
  const rows = new Map<string, StoredRow>();

  const find = (key: DueRowKey): StoredRow | undefined => {
    const row = rows.get(textOf(key));
    return row && !isExpired(row, clock()) ? row : undefined;
  };
  const put = (row: StoredRow) => {
    rows.set(textOf(row), structuredClone(row));
    return true;
  };
  const orNew = (key: DueRowKey): StoredRow =>
    find(key) ?? { uuid: key.uuid, kind: key.kind, revision: 0, changeCount: 0 };

  const unschedule = (key: DueRowKey, seen: { revision: number; changeCount: number }) => {
    const row = find(key);
    const isAsRead = row?.revision === seen.revision;
    const isUnchanged = row?.changeCount === seen.changeCount;
    if (!row || !isAsRead || !isUnchanged) return false;
    const { dueAtMs: _due, changed: _changed, ...rest } = row;
    return put({ ...rest, revision: row.revision + 1 });
  };

  const isClaimable = ({ key, revision, transactionVersion }: Claim) => {
    const row = find(key);
    const isAsRead = row?.revision === revision;
    const isFree = row?.inflight === undefined;
    const isSameVersion = versionOf(key.uuid) === transactionVersion;
    return row !== undefined && isAsRead && isFree && isSameVersion;
  };

  /** The next event begins with the next change: `changed` begins anew. */
  const claim = (asked: Claim) => {
    const { key, inflight, event, bodies } = asked;
    const row = find(key);
    if (!row || !isClaimable(asked)) return false;
    const { changed: _changed, ...rest } = row;
    deliveryLog.put({ event, bodies });
    return put({ ...rest, inflight, revision: row.revision + 1 });
  };

  const get = <Key extends DueRowKey>(key: Key) => {
    const row = find(key);
    return row && (dueRowOf(row) as DueRowOf<Key>);
  };

  return {
    leave: put,
    recordChange: async ({ uuid, changed, dueAtMs }) => {
      const row = orNew({ uuid, kind: 'NOTIFY' });
      put({
        ...row,
        dueAtMs: row.dueAtMs ?? dueAtMs,
        changeCount: row.changeCount + 1,
        changed: [...new Set([...(row.changed ?? []), ...changed])],
      });
    },
    schedule: async (key, dueAtMs) => {
      const row = orNew(key);
      const isUnscheduled = row.dueAtMs === undefined;
      const isNotDone = row.expiresAt === undefined;
      return isUnscheduled && isNotDone && put({ ...row, dueAtMs });
    },
    due: async (shard, nowMs, limit) => {
      const dueRows = [...rows.values()].flatMap(({ uuid, kind, dueAtMs }): Due[] =>
        dueAtMs === undefined || dueShardOf(uuid) !== shard ? [] : [{ key: { uuid, kind }, dueAtMs }],
      );
      return [...dueRows, ...deliveryLog.scheduled(shard)]
        .filter(({ dueAtMs }) => dueAtMs <= nowMs)
        .sort((one, other) => one.dueAtMs - other.dueAtMs)
        .slice(0, limit);
    },
    get: async (key) => get(key),
    getAll: async (keys) => keys.flatMap((key) => get<DueRowKey>(key) ?? []),
    getMany: async (uuids) =>
      new Map(
        uuids.flatMap((uuid) => {
          const debounceRow = get({ uuid, kind: 'NOTIFY' });
          return debounceRow ? [[uuid, debounceRow]] : [];
        }),
      ),
    unschedule: async (key, seen) => unschedule(key, seen),
    passOver: async (key, seen, notifiedVersion) =>
      unschedule(key, seen) && put({ ...orNew(key), notifiedVersion }),
    reschedule: async (key, seen, dueAtMs) => {
      const row = find(key);
      const isAsRead = row?.revision === seen.revision;
      return row !== undefined && isAsRead && put({ ...row, dueAtMs, revision: row.revision + 1 });
    },
    claim: async (asked) => claim(asked),
    /** All of them are made, or none. */
    claimTogether: async (claims) => {
      const uuids = new Set(claims.map(({ key }) => key.uuid));
      if (claims.length > 20 || uuids.size < claims.length) throw new Error('More than a request takes');
      const isOpen = claims.map(isClaimable);
      if (isOpen.includes(false)) return isOpen.map((one) => (one ? 'not-at-fault' : 'lost'));
      for (const one of claims) claim(one);
      return claims.map(() => 'claimed');
    },
    renewLease: async (key, seen, { nowMs, dueAtMs }) => {
      const row = find(key);
      const isAsRead = row?.revision === seen.revision;
      const isEnded = row !== undefined && isDueAt(row, nowMs);
      if (!row?.inflight || !isAsRead || !isEnded) return undefined;
      const inflight = { ...row.inflight, attempts: row.inflight.attempts + 1 };
      const renewed = { ...row, inflight, dueAtMs, revision: row.revision + 1 };
      put(renewed);
      return structuredClone(renewed);
    },
    complete: async (key, { eventId, changeCount, to, nowMs, rescheduleAtMs }) => {
      const row = find(key);
      const isOurs = row?.inflight?.eventId === eventId;
      if (!row || !isOurs) return false;
      const isUnchanged = row.changeCount === changeCount;
      const { inflight: _inflight, dueAtMs: _due, ...rest } = row;
      const completed = { ...rest, lastSentAtMs: nowMs, revision: row.revision + 1 };
      if (key.kind === 'COMPLETED') return put({ ...completed, expiresAt: markerExpiresAt(nowMs) });
      return put({ ...completed, notifiedVersion: to, ...(!isUnchanged && { dueAtMs: rescheduleAtMs }) });
    },
  };
};

const textOf = ({ uuid, kind }: DueRowKey) => `${uuid}/${kind}`;

const dueRowOf = ({ expiresAt: _, ...dueRow }: StoredRow): DueRow => structuredClone(dueRow);
