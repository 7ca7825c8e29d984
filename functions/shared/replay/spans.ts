import type { Delivery } from '../domain/event/delivery.ts';
import type { LedgerStore } from '../store/debounce/ledger-store.ts';

/** So many rows of a partner are in memory at a time, with their timelines some 2 MB. */
const mostRowsAtOnce = 1_000;

type Span = { sinceMs: number; untilMs: number };

/**
 * The deliveries of one partner within a time, the oldest part of it first, in parts of so many rows at most. A list begins
 * with the newest, so a part that has too many is left and asked for again with half of its time.
 */
export async function* deliveriesInSpans(
  clientId: string,
  { sinceMs, untilMs }: Span,
  ledger: Pick<LedgerStore, 'deliveriesOfPartner'>,
): AsyncGenerator<{ rows: Delivery[]; untilMs: number }> {
  let lengthMs = untilMs - sinceMs;
  for (let fromMs = sinceMs; fromMs < untilMs; ) {
    const endMs = Math.min(fromMs + lengthMs, untilMs);
    const rows = await rowsWithin(clientId, { sinceMs: fromMs, untilMs: endMs }, ledger);
    lengthMs = rows ? lengthMs * 2 : Math.ceil((endMs - fromMs) / 2);
    if (!rows) continue;
    yield { rows, untilMs: endMs };
    fromMs = endMs;
  }
}

/** The newest first; undefined where there are too many. What is of one millisecond is not divided. */
const rowsWithin = async (
  clientId: string,
  span: Span,
  ledger: Pick<LedgerStore, 'deliveriesOfPartner'>,
): Promise<Delivery[] | undefined> => {
  const rows: Delivery[] = [];
  for await (const row of ledger.deliveriesOfPartner(clientId, span)) {
    rows.push(row);
    if (rows.length > mostRowsAtOnce && span.untilMs - span.sinceMs > 1) return undefined;
  }
  return rows;
};
