import type { SentLog } from '../../../functions/shared/events/table.ts';
import type { MemoryDebounceTable } from './debounce-table.ts';

/** What was sent, of a Debounce table in memory, on one page. */
export const createMemorySentLog = (table: Pick<MemoryDebounceTable, 'lines' | 'sendings'>): SentLog => {
  const newestFirst = <Line extends { atMs: number }>(
    lines: readonly Line[],
    { sinceMs = 0, untilMs = Number.POSITIVE_INFINITY }: { sinceMs?: number; untilMs?: number },
  ) => ({
    lines: lines
      .filter(({ atMs }) => atMs >= sinceMs && atMs < untilMs)
      .toSorted((one, other) => other.atMs - one.atMs),
  });
  return {
    linesOf: async (clientId, span) =>
      newestFirst(
        table.lines.filter((line) => line.clientId === clientId),
        span,
      ),
    sendingsOf: async (uuid, span) =>
      newestFirst(
        table.sendings.filter((line) => line.uuid === uuid),
        span,
      ),
  };
};
