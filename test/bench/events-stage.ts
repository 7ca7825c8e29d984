import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../../bin/operator/connect.ts';
import { runOperator } from '../../bin/operator/program.ts';
import { configOf } from '../../lib/config.ts';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { readStore } from '../support/builders/store-record.ts';
import { uuidOf } from '../support/builders/transactions.ts';
import { aTerminal } from '../support/operator/operator.ts';
import { root } from '../support/repository.ts';
import { makeDueTogether } from '../support/stage/due-together.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/stage/webhook-receiver.ts';
import type { Print } from './print.ts';

const dormancyMs = configOf('local').eventTimes.dormancySeconds * 1000;
const dueTogether = 5_000;
/** How long the stream may take to schedule them all. */
const scheduledWithinMs = 90_000;
/** The wait before they are counted, which takes a while as well. */
const beforeMs = 10_000;

/** The embedded stage with the true times of interface 6.3. */
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
    const crowded = await publishToMany(stage, receiver);
    print(['embedded stage', 'measured', 'goal'], [...imported, ...published, ...crowded]);
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
  await makeDueTogether(stage, { first: 0, count: dueTogether, group: 'due-together', dueAtMs, dormancyMs });
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
    ['until the bus has the last of their events', seconds(Math.max(...acceptedMs)), '≤ 25 s'],
    [`until the endpoint has taken ${taken()} of them`, seconds(deliveredMs), ''],
  ];
};

const crowd = Array.from({ length: 300 }, (_, index) => `crowd-${index}`);
const dueToCrowd = 20;

/** Twenty transactions that are due in one moment, for three hundred partners: how often each webhook came. */
const publishToMany = async (stage: TestStage, receiver: WebhookReceiver) => {
  await registerAll(stage, receiver.url);
  const dueAtMs = Date.now() + 20_000;
  await makeDueTogether(stage, { first: 500_000, count: dueToCrowd, group: 'crowd', dueAtMs, dormancyMs });
  const takenByAll = () => receiver.received.filter(({ partner }) => partner.startsWith('crowd-'));
  const wanted = crowd.length * dueToCrowd;
  while (takenByAll().length < wanted && Date.now() < dueAtMs + 5 * 60_000) await pause(200);
  const seconds = ((Date.now() - dueAtMs) / 1000).toFixed(1);
  // What came twice would come within the lease of a row.
  await pause(30_000);
  const taken = takenByAll();
  const different = new Set(taken.map(({ partner, body }) => `${partner} ${JSON.parse(body).id}`)).size;
  return [
    [`webhooks of ${dueToCrowd} transactions that ${crowd.length} partners received`, different, wanted],
    ['of these more than once', taken.length - different, 0],
    ['until the endpoints have the last of them', `${seconds} s`, ''],
  ];
};

/** By the operator's tool in this process: three hundred of its own would take minutes to start. */
const registerAll = async ({ dataDir }: TestStage, url: string) => {
  const stackFile = join(dataDir, 'stack.json');
  const run = async (...args: string[]) => {
    const { terminal, said } = aTerminal();
    await runOperator([...args, '--json'], { terminal, user: 'bench', stackFile, connect });
    return JSON.parse(said.printed);
  };
  for (const name of crowd)
    await run(
      ...['partner', 'create', '--name', name, '--grant', 'group=crowd', '--no-wait'],
      ...['--webhook-url', `${url}/${name}`],
    );
  const end = Date.now() + 5 * 60_000;
  for (const name of crowd)
    while ((await run('partner', 'show', name)).webhook !== 'on' && Date.now() < end) await pause(500);
};
