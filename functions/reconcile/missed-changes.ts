import { type DebounceRow, notifiedVersionOf, notifyKey } from '../shared/events/rows.ts';
import type { DebounceTable, ReconciledPlace } from '../shared/events/table.ts';
import { arrivingChunksOf } from '../shared/runtime/chunks.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { Changed, ChangeIndex } from '../shared/store/transactions/changed-index.ts';

export type RepairDeps = {
  changes: ChangeIndex;
  table: Pick<DebounceTable, 'read' | 'recordChange'>;
  /** How far the daily run has come. */
  place: ReconciledPlace;
  clock: Clock;
  log: Log;
  dormancyMs: number;
};

/** Changes that were checked, how many of them were scheduled, and up to which time all were checked. */
export type RepairCounts = { checked: number; repaired: number; checkedUntilMs: number };

/** Younger changes may still be on their way through the stream. */
const underWayMs = 60_000;
/** Keys in one BatchGetItem. */
const atOnce = 100;

/**
 * Schedules the debounce rows of changes since `fromMs` that were not scheduled (I20). The daily run goes on where the
 * last one stopped, so that a day with more changes than an invocation can check is checked by the next.
 */
export const repairMissed = async (
  deps: RepairDeps,
  { fromMs, untilMs, isDaily }: { fromMs: number; untilMs: number; isDaily: boolean },
): Promise<RepairCounts> => {
  const { changes, place, clock } = deps;
  const toMs = clock().getTime() - underWayMs;
  const beginMs = Math.max(fromMs, (isDaily ? await place.read() : undefined) ?? fromMs);
  const counts: RepairCounts = { checked: 0, repaired: 0, checkedUntilMs: beginMs };
  const checkedUntil = async (ms: number) => {
    counts.checkedUntilMs = ms;
    if (isDaily) await place.save(ms);
  };
  for await (const group of arrivingChunksOf(changes.changedBetween({ fromMs: beginMs, toMs }), atOnce)) {
    counts.checked += group.length;
    counts.repaired += await repairGroup(group, deps);
    await checkedUntil(group.at(-1)?.updatedAtMs ?? beginMs);
    if (clock().getTime() > untilMs) return counts;
  }
  await checkedUntil(toMs);
  // Nothing is left of the span but what is under way.
  return { ...counts, checkedUntilMs: toMs + underWayMs };
};

const repairGroup = async (group: readonly Changed[], { table, log, dormancyMs }: RepairDeps) => {
  const rows = (await table.read(group.map(({ uuid }) => notifyKey(uuid)))) as DebounceRow[];
  const known = new Map(rows.map((row) => [row.uuid, row]));
  const missed = group.filter((change) => {
    const debounceRow = known.get(change.uuid);
    return debounceRow?.dueAtMs === undefined && change.version > notifiedVersionOf(debounceRow, change);
  });
  await Promise.all(
    missed.map(({ uuid, updatedAtMs }) =>
      table.recordChange({ uuid, changed: [], dueAtMs: updatedAtMs + dormancyMs }),
    ),
  );
  const repaired = missed.length;
  if (repaired > 0) log('debounceRowRepaired', { repaired });
  return repaired;
};
