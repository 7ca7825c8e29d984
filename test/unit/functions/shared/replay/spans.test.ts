import { expect, test } from '@jest/globals';
import { deliveriesInSpans } from '../../../../../functions/shared/replay/spans.ts';
import type { LedgerStore } from '../../../../../functions/shared/store/debounce/ledger-store.ts';
import { aDelivery } from '../../../../support/builders/events.ts';

/** A ledger of deliveries that were claimed at these times, and how long the spans are that it is asked for. */
const aLedger = (times: readonly number[]) => {
  const asked: number[] = [];
  async function* within(sinceMs: number, untilMs: number) {
    asked.push(untilMs - sinceMs);
    for (const claimedAtMs of times.toReversed())
      if (claimedAtMs >= sinceMs && claimedAtMs < untilMs) yield aDelivery({ claimedAtMs });
  }
  const deliveriesOfPartner: LedgerStore['deliveriesOfPartner'] = (_, { sinceMs = 0, untilMs = 0 }) =>
    within(sinceMs, untilMs);
  return { asked, deliveriesOfPartner };
};

const partsOf = async (ledger: ReturnType<typeof aLedger>, untilMs: number) => {
  const parts: number[] = [];
  for await (const { rows } of deliveriesInSpans('A', { sinceMs: 0, untilMs }, ledger))
    parts.push(rows.length);
  return parts;
};

test('V2-10 a thousand events are one part, and one more makes two', async () => {
  const times = Array.from({ length: 1_001 }, (_, n) => n);

  expect(await partsOf(aLedger(times.slice(0, 1_000)), 2_000)).toEqual([1_000]);
  expect(await partsOf(aLedger(times), 2_000)).toEqual([1_000, 1]);
});

test('V2-10 events of one millisecond are not divided, however many they are', async () => {
  const times = [0, ...Array.from({ length: 1_500 }, () => 1)];

  expect(await partsOf(aLedger(times), 3)).toEqual([1, 1_500, 0]);
});

test('V2-10 after a crowded time the parts become longer again', async () => {
  const ledger = aLedger(Array.from({ length: 2_000 }, (_, n) => n % 100).toSorted((a, b) => a - b));

  const parts = await partsOf(ledger, 100_000);

  expect(parts.reduce((sum, one) => sum + one, 0)).toBe(2_000);
  expect(ledger.asked.length).toBeLessThan(30);
});
