import { beforeAll, expect, test } from '@jest/globals';
import type { handler as Reconcile } from '../../../functions/reconcile/index.ts';
import type { DueRow } from '../../../functions/shared/domain/event/debounce-row.ts';
import { createDebounceRowStore } from '../../../functions/shared/store/debounce/debounce-rows.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { heldAtMs, useFunctions } from '../../support/functions/use-functions.ts';

const functions = useFunctions();
let reconcile: typeof Reconcile;

beforeAll(async () => {
  reconcile = await functions.start('reconcile');
});

const tables = { transactionsTable: 'Transactions', listingTable: 'Listing', debounceTable: 'Debounce' };

test('I20 a change that the stream lost is due 120 s after it, and the metric is reported', async () => {
  const { documents } = functions;
  const [lost, young, old, notified] = [uuidOf(1), uuidOf(2), uuidOf(3), uuidOf(4)];
  const rows = createDebounceRowStore({ documents, ...tables, clock: () => new Date() });
  const { create } = createTransactionWriter({ documents, ...tables });
  for (const [uuid, age] of [
    [lost, 300_000],
    [young, 59_000],
    [old, 1_801_000],
    [notified, 300_000],
  ] as const)
    await create(aNewTransaction({ uuid }, { updatedAtMs: heldAtMs - age }));
  const row = { uuid: notified, kind: 'NOTIFY' } as const;
  await rows.recordChange({ uuid: notified, changed: [], dueAtMs: heldAtMs });
  await rows.passOver(row, (await rows.get(row)) as DueRow, 1);

  await reconcile({ lookBackMinutes: 30 });

  const found = await rows.getMany([lost, young, old, notified]);
  expect([...found].map(([uuid, { dueAtMs }]) => [uuid, dueAtMs])).toEqual([
    [lost, heldAtMs - 180_000],
    [notified, undefined],
  ]);
  expect(functions.logged('DEBOUNCE_ROW_REPAIRED')).toMatchObject([{ service: 'reconcile', repaired: 1 }]);
  expect(functions.logged('RECONCILE_ENDED')).toMatchObject([{ checked: 2, repaired: 1 }]);
  expect(functions.reported()).toEqual([{ service: 'reconcile', Repaired: 1, LookedBack: 30 }]);
});
