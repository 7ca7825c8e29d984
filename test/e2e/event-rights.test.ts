import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { startRecordingEngine } from '../support/engine/recording-engine.ts';
import { rightsOf } from '../support/engine/rights.ts';
import { templatesOf } from '../support/engine/stacks.ts';
import { root } from '../support/repository.ts';
import { aPartnerProgram, type Credentials } from '../support/stage/partner-client.ts';
import { startStage, type TestStage, until } from '../support/stage/stage.ts';
import { startWebhookReceiver } from '../support/stage/webhook-receiver.ts';

const args = ['--dormancy-seconds', '2', '--tick-seconds', '1'];

let engine: Awaited<ReturnType<typeof startRecordingEngine>>;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let stage: TestStage;

/** One partner takes a change and a completion, and another one refuses them. */
beforeAll(async () => {
  engine = await startRecordingEngine();
  receiver = await startWebhookReceiver();
  stage = await startStage({ args, environment: { DYNAMODB_ENDPOINT: engine.endpoint } });
  const tool = createOperatorTool(root, join(stage.dataDir, 'stack.json'), 'ignore');
  const operate = async (...words: string[]): Promise<unknown> => {
    const outcome = await tool(...words);
    if (outcome.ok) return outcome.value;
    throw new Error(outcome.reason);
  };
  const owner = ['--group', 'G', '--franchise', 'F', '--location', 'L', '--branch', 'B'];
  await operate('storefront', 'create', '--name', 'shop', ...owner, '--origin', 'https://shop.example');
  const partner = (name: string) =>
    operate(
      'partner',
      'create',
      '--name',
      name,
      '--grant',
      'group=G',
      '--webhook-url',
      `${receiver.url}/${name}`,
    );
  const acme = await aPartnerProgram(stage, (await partner('acme')) as Credentials);
  await partner('unwilling');
  receiver.answers('unwilling', () => 404);

  const created = await fetch(`${stage.baseUrl}/api/transaction`, {
    method: 'POST',
    headers: { Origin: 'https://shop.example', 'Content-Type': 'application/json' },
    body: JSON.stringify({ vehicle: { make: 'Ford' } }),
  });
  const { uuid } = (await created.json()) as { uuid: string };
  await acme.write('POST', '/api/v2/payment', { transaction: uuid, type: 1, value: '1.00', status: 1 });
  await until(() => receiver.takenBy('acme').length >= 2);
  await until(() => engine.usedBy('collect-dead-letters').includes('Debounce dynamodb:UpdateItem'));
  await until(() => engine.usedBy('reconcile').length > 0);
}, 180_000);

afterAll(async () => {
  await stage.stop();
  await receiver.stop();
  await engine.stop();
}, 30_000);

const { service } = templatesOf('production');
const granted = (name: string) => rightsOf(service, name).filter((right) => right.includes('dynamodb:'));
const names = ['capture-change', 'publish-dormant', 'collect-dead-letters', 'reconcile', 'v2-write'];

test.each(names)('S-50 S-66 %s does nothing at the tables that its role does not allow', (name) => {
  const used = engine.usedBy(name);

  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((right) => !granted(name).includes(right))).toEqual([]);
});

test.each(['capture-change', 'publish-dormant', 'collect-dead-letters'])(
  'S-50 S-66 %s may write nothing that it does not write',
  (name) => {
    const isWrite = (right: string) => /dynamodb:(Put|Update|Delete|ConditionCheck)/.test(right);

    expect(granted(name).filter(isWrite)).toEqual(engine.usedBy(name).filter(isWrite));
  },
);

test('S-50 capture-change touches no table but the cursors', () => {
  expect(engine.usedBy('capture-change')).toEqual(['Debounce dynamodb:UpdateItem']);
});
