import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { connect } from '../../../../bin/operator/connect.ts';
import { runOperator } from '../../../../bin/operator/program.ts';
import { aTerminal, aWorkspace } from '../../../support/operator/operator.ts';

const { folder, stackFile } = aWorkspace();
afterAll(() => rmSync(folder, { recursive: true }));

/** The SDK looks for a region in the environment and in these files before it uses the network. */
const settings = ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE'];
const former = Object.fromEntries(settings.map((name) => [name, process.env[name]]));
beforeEach(() => {
  for (const name of settings) delete process.env[name];
  process.env.AWS_CONFIG_FILE = process.env.AWS_SHARED_CREDENTIALS_FILE = join(folder, 'absent');
});
afterEach(() => {
  for (const [name, value] of Object.entries(former)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

test('RUN-4 without a region, a deployed stage is refused with how to set one', async () => {
  const outputs = join(folder, 'outputs.json');
  const names = [
    ...[
      'TransactionsTable',
      'ListingTable',
      'PartnersTable',
      'DebounceTable',
      'RequestsTable',
      'AuditTable',
      'PepperSecret',
      'AccessKeysSecret',
      'SessionKeysSecret',
    ],
    ...['StageName', 'EventBusName', 'DeliveryRoleArn', 'DeadLetterQueueArn', 'DataKeyArn'],
  ];
  const named = Object.fromEntries(names.map((name) => [name, name]));
  writeFileSync(outputs, JSON.stringify({ stage: { ...named, DormancySeconds: '120' } }));

  const { terminal, said } = aTerminal();
  const args = ['partner', 'list', '--outputs', outputs];

  const exitCode = await runOperator(args, { terminal, user: 'tester', stackFile, connect });

  expect(exitCode).toBe(1);
  expect(said).toMatchObject({
    printed: '',
    noted: 'No AWS region is set: set AWS_REGION to the region of the deployed stage.\n',
  });
});
