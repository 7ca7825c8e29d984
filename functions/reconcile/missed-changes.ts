import { notifiedVersionOf } from '../shared/domain/event/debounce-row.ts';
import { arrivingChunksOf } from '../shared/runtime/chunks.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { DebounceRowStore } from '../shared/store/debounce/debounce-row-store.ts';
import type { Changed, ChangeIndex } from '../shared/store/transactions/changed-index.ts';

export type RepairDeps = {
  changes: ChangeIndex;
  debounceRows: Pick<DebounceRowStore, 'getMany' | 'schedule'>;
  clock: Clock;
  log: Log;
  dormancyMs: number;
};

/** Changes that were checked, and how many of them were scheduled. */
export type RepairCounts = { checked: number; repaired: number };

/** Younger changes may still be on their way through the stream. */
const underWayMs = 60_000;
/** Keys in one BatchGetItem. */
const atOnce = 100;

/** Schedules the debounce rows of recent changes that were not scheduled (I20). */
export const repairMissed = async (deps: RepairDeps, lookBackMs: number): Promise<RepairCounts> => {
  const nowMs = deps.clock().getTime();
  const counts: RepairCounts = { checked: 0, repaired: 0 };
  const span = { fromMs: nowMs - lookBackMs, toMs: nowMs - underWayMs };
  for await (const group of arrivingChunksOf(deps.changes.changedBetween(span), atOnce)) {
    counts.checked += group.length;
    counts.repaired += await repairGroup(group, deps);
  }
  return counts;
};

const repairGroup = async (group: readonly Changed[], { debounceRows, log, dormancyMs }: RepairDeps) => {
  const known = await debounceRows.getMany(group.map(({ uuid }) => uuid));
  const missed = group.filter((change) => {
    const debounceRow = known.get(change.uuid);
    return debounceRow?.dueAtMs === undefined && change.version > notifiedVersionOf(debounceRow, change);
  });
  const scheduled = await Promise.all(
    missed.map(({ uuid, updatedAtMs }) =>
      debounceRows.schedule({ uuid, kind: 'NOTIFY' }, updatedAtMs + dormancyMs),
    ),
  );
  const repaired = scheduled.filter(Boolean).length;
  if (repaired > 0) log('debounceRowRepaired', { repaired });
  return repaired;
};
