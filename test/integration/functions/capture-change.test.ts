import { beforeAll, expect, test } from '@jest/globals';
import type { handler as Capture } from '../../../functions/capture-change/index.ts';
import { createDebounceRowStore } from '../../../functions/shared/store/debounce/debounce-rows.ts';
import { aStreamRecord } from '../../support/builders/stream-records.ts';
import { uuidOf } from '../../support/builders/transactions.ts';
import { heldAtMs, useFunctions } from '../../support/functions/use-functions.ts';

const functions = useFunctions();
let capture: typeof Capture;

beforeAll(async () => {
  capture = await functions.start('capture-change');
});

const dueAtMsOf = async (uuid: string) => {
  const tables = { transactionsTable: 'Transactions', debounceTable: 'Debounce' };
  const { documents } = functions;
  const rows = createDebounceRowStore({ documents, ...tables, clock: () => new Date() });
  return (await rows.get({ uuid, kind: 'NOTIFY' }))?.dueAtMs;
};

test('EV-1 a stream record is due 120 s after its change, and the log says how many there were', async () => {
  const uuid = uuidOf(1);
  const record = aStreamRecord({ uuid, after: { version: 1, updatedAtMs: heldAtMs - 50_000 } });

  await capture({ Records: [record, aStreamRecord({ uuid })] });

  expect(await dueAtMsOf(uuid)).toBe(heldAtMs + 70_000);
  expect(functions.logged('CHANGE_CAPTURED')).toMatchObject([
    { service: 'capture-change', records: 2, captured: 1, failed: 0 },
  ]);
});

test('EV-1 a change without a time counts as changed now', async () => {
  const uuid = uuidOf(2);
  const record = aStreamRecord({ uuid, after: { version: 1 } });
  delete record.dynamodb?.NewImage?.updatedAtMs;

  await capture({ Records: [record] });

  expect(await dueAtMsOf(uuid)).toBe(heldAtMs + 120_000);
});

test('EV-17 a record that cannot be parsed is retried and logged', async () => {
  const record = aStreamRecord({ after: { version: 1 } });
  delete record.dynamodb?.Keys;

  const answer = await capture({ Records: [record] });

  expect(answer.batchItemFailures).toHaveLength(1);
  expect(functions.logged('RECORD_FAILED')).toMatchObject([
    { service: 'capture-change', level: 'ERROR', record: record.dynamodb?.SequenceNumber },
  ]);
});
