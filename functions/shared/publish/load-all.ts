import type { DueRowKey } from '../domain/event/debounce-row.ts';
import type { DueKey } from '../store/debounce/debounce-row-store.ts';
import type { Invocation } from './invocation.ts';
import { type DueWork, loadRows } from './load-due.ts';
import { loadDelivery } from './resend.ts';

/** Loads a group of due rows: debounce rows and markers together, deliveries one by one. */
export const loadAll = async (keys: readonly DueKey[], invocation: Invocation): Promise<DueWork[]> => {
  const rows = keys.flatMap((key) => (key.kind === 'DELIVERY' ? [] : [key]));
  const deliveries = keys.flatMap((key) => (key.kind === 'DELIVERY' ? [key] : []));
  const loaded = await Promise.all([
    rows.length === 0 ? [] : loadTogether(rows, invocation),
    ...deliveries.map(async (key) => [await invocation.apart(() => loadDelivery(key, invocation.deps))]),
  ]);
  return loaded.flat();
};

/** If the common read fails, each row is read alone, so that one bad row stops no other (EV-17). */
const loadTogether = async (keys: readonly DueRowKey[], invocation: Invocation): Promise<DueWork[]> => {
  try {
    return await loadRows(keys, invocation);
  } catch (fault) {
    const isLast = keys.length === 1 || !invocation.hasTimeFor(0);
    const each = keys.map((key) =>
      invocation.apart(() => (isLast ? Promise.reject(fault) : loadRows([key], invocation)), {
        kind: key.kind,
      }),
    );
    return (await Promise.all(each)).flatMap((works) => works ?? []);
  }
};
