import type { DueRowKey } from '../domain/event/cursor.ts';
import type { DueKey } from '../store/debounce/cursor-store.ts';
import { type DueWork, loadDelivery, loadRows } from './load-due.ts';
import type { Run } from './run.ts';

/** Loads the work of a group of due rows: cursors and markers together, deliveries one by one. */
export const loadAll = async (keys: readonly DueKey[], run: Run): Promise<DueWork[]> => {
  const rows = keys.flatMap((key) => (key.kind === 'DELIVERY' ? [] : [key]));
  const deliveries = keys.flatMap((key) => (key.kind === 'DELIVERY' ? [key] : []));
  const loaded = await Promise.all([
    rows.length === 0 ? [] : loadTogether(rows, run),
    ...deliveries.map(async (key) => [await run.apart(() => loadDelivery(key, run.deps))]),
  ]);
  return loaded.flat();
};

/** Where they cannot be read together each is read by itself: one that cannot be read at all stops no other (EV-17). */
const loadTogether = async (keys: readonly DueRowKey[], run: Run): Promise<DueWork[]> => {
  try {
    return await loadRows(keys, run);
  } catch (fault) {
    const isLast = keys.length === 1 || !run.hasTimeFor(0);
    const each = keys.map((key) =>
      run.apart(() => (isLast ? Promise.reject(fault) : loadRows([key], run)), { kind: key.kind }),
    );
    return (await Promise.all(each)).flatMap((works) => works ?? []);
  }
};
