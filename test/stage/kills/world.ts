import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOperatorTool } from '../../../localstack/demo/operator-tool.ts';
import type { DemoPartner } from '../../../localstack/stack-file.ts';
import { type Random, randomFrom } from '../../support/builders/random.ts';
import { root } from '../../support/repository.ts';
import { aPartnerProgram } from '../../support/stage/partner-client.ts';
import { startStage, type TestStage } from '../../support/stage/stage.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stage/webhook-receiver.ts';
import type { Send } from './load.ts';
import { answeringOf, type CrashPartner, crashLines, writerGrants } from './partners.ts';

/** A stage that can be killed and started again, and endpoints of its partners that live on meanwhile. */
export type CrashWorld = {
  stage: () => TestStage;
  receiver: WebhookReceiver;
  partners: (CrashPartner & { clientId: string })[];
  send: Send;
  /** kill -9, and the same folder again. */
  crash: () => Promise<void>;
  stop: () => Promise<void>;
};

export type CrashPlan = { partners: readonly CrashPartner[]; transactions: number; random: Random };

/** Two seconds of rest, and a tick every second. */
const args = ['--dormancy-seconds', '2', '--tick-seconds', '1'];

export const openWorld = async (plan: CrashPlan): Promise<CrashWorld> => {
  const receiver = await startWebhookReceiver();
  let stage = await startStage({ args });
  const operator = async (...command: string[]) => {
    const outcome = await createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore')(...command);
    if (outcome.ok) return outcome.value;
    throw new Error(`${command.join(' ')}: ${outcome.reason}`);
  };
  await importLines(plan.transactions, (file) => operator('transactions', 'import', file));
  const grants = writerGrants.flatMap(({ group }) => ['--grant', `group=${group}`]);
  const writer = (await operator('partner', 'create', '--name', 'writer', ...grants)) as DemoPartner;
  const partners: CrashWorld['partners'] = [];
  for (const partner of plan.partners) {
    const answering = answeringOf(partner.habit, randomFrom(plan.random.integer(0, 2 ** 31)));
    if (answering) receiver.answers(partner.name, answering);
    partners.push({ ...partner, clientId: await register(operator, partner, receiver) });
  }
  const { write } = await aPartnerProgram(stage, writer);

  let up = Promise.resolve();
  return {
    stage: () => stage,
    receiver,
    partners,
    send: async ({ method, target, body }) => {
      await up;
      // The address stays the same after each start, and the token stays valid.
      const answer = await write(method, target, body).catch(() => undefined);
      return answer?.status;
    },
    crash: async () => {
      await stage.kill();
      const { promise, resolve } = Promise.withResolvers<void>();
      up = promise;
      stage = await stage.restart();
      resolve();
    },
    stop: async () => {
      await stage.stop();
      await receiver.stop();
    },
  };
};

type Operator = (...command: string[]) => Promise<unknown>;

const register = async (operator: Operator, { name, group }: CrashPartner, { url }: WebhookReceiver) => {
  const endpoint = ['--webhook-url', `${url}/${name}`];
  const created = await operator(
    'partner',
    'create',
    '--name',
    name,
    '--grant',
    `group=${group}`,
    ...endpoint,
  );
  return (created as DemoPartner).clientId;
};

const importLines = async (count: number, load: (file: string) => Promise<unknown>) => {
  const folder = mkdtempSync(join(tmpdir(), 'crash-'));
  const file = join(folder, 'transactions.ndjson');
  writeFileSync(
    file,
    crashLines(count)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  await load(file).finally(() => rmSync(folder, { recursive: true }));
};
