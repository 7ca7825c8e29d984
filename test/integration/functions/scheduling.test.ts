import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { handler as Capture } from '../../../functions/capture-change/index.ts';
import type { handler as Reconcile } from '../../../functions/reconcile/index.ts';
import { createDebounceRowStore } from '../../../functions/shared/store/debounce/debounce-rows.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aStreamRecord } from '../../support/builders/stream-records.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { startFunction } from '../../support/engine/start-place.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const fiveMinutesAgo = Date.now() - 300_000;
const uuid = uuidOf(1);
const lines: string[] = [];
let capture: typeof Capture;
let reconcile: typeof Reconcile;

/** Both functions as Lambda starts them. */
beforeAll(async () => {
  Object.assign(process.env, {
    ...{ TRANSACTIONS_TABLE: 'Transactions', DEBOUNCE_TABLE: 'Debounce', DORMANCY_SECONDS: '120' },
    ...{ AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint, AWS_REGION: 'eu-west-2' },
    ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  });
  const keepLine = (line: unknown) => lines.push(String(line)) > 0;
  for (const level of ['info', 'error', 'log'] as const)
    jest.spyOn(console, level).mockImplementation(keepLine);
  jest.spyOn(process.stdout, 'write').mockImplementation(keepLine);
  jest.spyOn(process.stderr, 'write').mockImplementation(keepLine);
  capture = await startFunction('capture-change');
  reconcile = await startFunction('reconcile');
});
afterAll(() => {
  jest.restoreAllMocks();
});

const tables = { transactionsTable: 'Transactions', listingTable: 'Listing', debounceTable: 'Debounce' };
const dueAtMsOf = async (key: string) => {
  const rows = createDebounceRowStore({ documents: engine.documents, ...tables, clock: () => new Date() });
  return (await rows.get({ uuid: key, kind: 'NOTIFY' }))?.dueAtMs;
};

test('EV-1 what the stream has is due 120 s after the change', async () => {
  const record = aStreamRecord({ uuid, after: { version: 1, updatedAtMs: fiveMinutesAgo } });

  await capture({ Records: [record] });

  expect(await dueAtMsOf(uuid)).toBe(fiveMinutesAgo + 120_000);
});

test('I20 what the stream has lost is due 120 s after the change, too', async () => {
  const lost = uuidOf(2);
  const writer = createTransactionWriter({
    documents: engine.documents,
    ...tables,
    requestsTable: 'Requests',
  });
  await writer.create(aNewTransaction({ uuid: lost }, { updatedAtMs: fiveMinutesAgo }));

  await reconcile({ lookBackMinutes: 30 });

  expect(await dueAtMsOf(lost)).toBe(fiveMinutesAgo + 120_000);
  expect(lines.join('\n')).toContain('DEBOUNCE_ROW_REPAIRED');
});
