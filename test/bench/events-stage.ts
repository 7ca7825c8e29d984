import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredTransaction } from '../../functions/shared/domain/transaction/transaction.ts';
import { chunksOf } from '../../functions/shared/runtime/chunks.ts';
import { toItem } from '../../functions/shared/store/transactions/item.ts';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { readStore } from '../support/builders/store-record.ts';
import { aNewTransaction, anOwner, uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf } from '../support/engine/engine.ts';
import { root } from '../support/repository.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';
import { startWebhookReceiver } from '../support/stage/webhook-receiver.ts';
import type { Print } from './print.ts';

const dueTogether = 5_000;
/** The stream may take so long to schedule them all. */
const scheduledWithinMs = 90_000;
/** The wait before they are counted, which takes a while as well. */
const beforeMs = 10_000;

/** The embedded stage with its true times: two minutes of rest, a tick every ten seconds. */
export const printStage = async (print: Print): Promise<void> => {
  const receiver = await startWebhookReceiver();
  const stage = await startStage();
  try {
    const operator = createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore');
    const imported = await importRate(stage, operator);
    await operator(
      ...['partner', 'create', '--name', 'acme', '--grant', 'group=due-together'],
      ...['--webhook-url', `${receiver.url}/acme`],
    );
    const published = await publishTogether(stage, () => receiver.takenBy('acme').length);
    print(['embedded stage', 'measured', 'goal'], [...imported, ...published]);
  } finally {
    await stage.stop();
    await receiver.stop();
  }
};

/** The demo data twenty times over, every transaction under a uuid of its own; the process's start is a part of it. */
const importRate = async ({ dataDir }: TestStage, operator: ReturnType<typeof createOperatorTool>) => {
  const demo = readFileSync(join(root, 'localstack/demo/transactions.ndjson'), 'utf8').trim().split('\n');
  const lines = Array.from({ length: 20 }, () => demo)
    .flat()
    .map((line, index) => JSON.stringify({ ...JSON.parse(line), uuid: uuidOf(1_000_000 + index) }));
  const file = join(dataDir, 'bench.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const began = performance.now();
  const outcome = await operator('transactions', 'import', file);
  if (!outcome.ok) throw new Error(outcome.reason);
  const seconds = (performance.now() - began) / 1000;
  const rate = (lines.length / seconds).toFixed(0);
  return [[`import of ${lines.length} lines, a second`, rate, '≥ 1,000']];
};

/** Every transaction gets the same moment at which it is due; the stream schedules them until then. */
const publishTogether = async (stage: TestStage, taken: () => number) => {
  const dueAtMs = Date.now() + scheduledWithinMs;
  await putTransactions(stage, changedAt(dueAtMs - 120_000));
  await pause(Math.max(0, dueAtMs - beforeMs - Date.now()));
  const scheduled = (await readStore(stage)).dueRows.filter((row) => row.dueAtMs === dueAtMs).length;
  while (taken() < dueTogether && Date.now() < dueAtMs + 5 * 60_000) await pause(200);
  const deliveredMs = Date.now() - dueAtMs;
  const { deliveries } = await readStore(stage);
  const acceptedMs = deliveries.flatMap(({ timeline }) =>
    timeline.filter(({ step }) => step === 'accepted').map(({ atMs }) => atMs - dueAtMs),
  );
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return [
    [`rows that become due in one moment, of ${dueTogether}`, scheduled, ''],
    ['until the bus has the last of their events', seconds(Math.max(...acceptedMs)), '≤ 15 s'],
    [`until the endpoint has taken ${taken()} of them`, seconds(deliveredMs), ''],
  ];
};

/** Writes items directly and leaves out the listing, which no event needs. */
const putTransactions = async ({ stack }: TestStage, transactions: readonly StoredTransaction[]) => {
  const documents = documentsOf(clientOf(stack.operator.endpoints.dynamodb));
  const { TRANSACTIONS_TABLE = '' } = stack.operator.variables;
  for (const chunk of chunksOf(transactions, 25)) {
    const puts = chunk.map((stored) => ({ PutRequest: { Item: toItem(stored) } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [TRANSACTIONS_TABLE]: puts } }));
  }
};

const changedAt = (updatedAtMs: number) =>
  Array.from({ length: dueTogether }, (_, index) => ({
    ...aNewTransaction(
      { uuid: uuidOf(index), ndMeta: anOwner({ group: 'due-together' }), customer: { firstName: 'Ann' } },
      { createdAtMs: updatedAtMs, updatedAtMs },
    ),
    elementVersions: { ...aNewTransaction().elementVersions, customer: 1 },
    position: 10_000 + index,
  }));
