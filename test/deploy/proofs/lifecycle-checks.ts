import assert from 'node:assert/strict';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { at } from '../../journeys/answers.ts';
import { type Emulator, settingsFor } from '../account.ts';
import { deploy, destroy } from '../cdk.ts';
import { operatorOf } from '../operator.ts';
import type { Report } from '../report.ts';

/** The service stack goes, and comes again. */
export const proveLifecycle = async (report: Report, emulator: Emulator, release: string): Promise<void> => {
  await report.prove('D-06 `cdk destroy` takes the service stack away', async () => {
    await destroy(emulator, 'transactions-staging-service');

    assert.deepEqual(await stacksOn(emulator), ['transactions-staging-data']);
  });
  await report.prove('D-06 the stage is deployed again, with the data that stayed', async () => {
    await deploy(emulator, release);

    assert.deepEqual(await stacksOn(emulator), ['transactions-staging-data', 'transactions-staging-service']);
    assert.deepEqual(at(await operatorOf(emulator)('listing', 'audit'), 'entryDrift'), []);
  });
};

const stacksOn = async (emulator: Emulator) => {
  const client = new CloudFormationClient(settingsFor(emulator));
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({}));
  return Stacks.filter(({ StackStatus = '' }) => /^(CREATE|UPDATE)_COMPLETE$/.test(StackStatus))
    .map(({ StackName = '' }) => StackName)
    .filter((name) => name.startsWith('transactions-'))
    .sort();
};
