import assert from 'node:assert/strict';
import { at } from '../../journeys/answers.ts';
import { accountId, type Emulator, region } from '../account.ts';
import { changeTemplate, nextRelease, type Template } from '../assembly.ts';
import { deploy, destroy } from '../cdk.ts';
import type { Invoke } from '../functions.ts';
import { operatorOf } from '../operator.ts';
import type { Report } from '../report.ts';
import { exportNames, protectedStacks, stackStates } from '../stacks.ts';

/** What becomes of deployed stacks: a release that moves what the stacks share, the end. */
export const proveLifecycle = async (
  report: Report,
  { emulator, release, invoke }: { emulator: Emulator; release: string; invoke: Invoke },
): Promise<void> => {
  await report.prove(
    'RUN-13 a function that the operator stops is not called until it is started',
    async () => {
      const operator = operatorOf(emulator);
      await operator('stage', 'stop', 'v1', '--yes');

      await assert.rejects(invoke('v1-transaction', {}), /ConcurrentInvocationLimitExceeded/);
      assert.deepEqual(await operator('stage', 'status'), { stopped: ['v1-transaction'] });
      await operator('stage', 'start', 'v1');
      assert.deepEqual(await operator('stage', 'status'), { stopped: [] });
    },
  );

  const moved = nextRelease(release, 'moved');
  await report.prove(
    'D-05 a table loses its last reader and an output its name, and the update goes on',
    async () => {
      moveOutputs(moved);
      await deploy(emulator, moved);

      assert.deepEqual(await exportNames(emulator), []);
      assert.deepEqual(await stackStates(emulator), {
        'transactions-staging-data': 'UPDATE_COMPLETE',
        'transactions-staging-service': 'UPDATE_COMPLETE',
      });
    },
  );

  await report.prove(
    'D-06 the data stack is protected, and `cdk destroy` takes the service stack away',
    async () => {
      assert.deepEqual(await protectedStacks(emulator), ['transactions-staging-data']);
      await destroy(emulator, 'transactions-staging-service');

      assert.deepEqual(Object.keys(await stackStates(emulator)), ['transactions-staging-data']);
    },
  );
  await report.prove('D-06 the stage is deployed again, with the data that stayed', async () => {
    await deploy(emulator, moved);

    assert.deepEqual(await stackStates(emulator), {
      'transactions-staging-data': 'UPDATE_COMPLETE',
      'transactions-staging-service': 'CREATE_COMPLETE',
    });
    const operator = operatorOf(emulator);
    assert.deepEqual(at(await operator('listing', 'audit'), 'entryDrift'), []);
  });
};

/** Nobody reads the Listing table's ARN any more, and the Debounce table's has another name. */
const moveOutputs = (assemblyOfRelease: string): void => {
  const readersOf = (name: string) => ({
    gone: `"arn:aws:dynamodb:${region}:${accountId}:table/${name}"`,
    asked: new RegExp(
      `\\{"Fn::GetStackOutput":\\{[^{}]*"OutputName":"[^"]*${name}[^"]*Arn[^"]*"[^{}]*\\}\\}`,
      'g',
    ),
  });
  const { asked, gone } = readersOf('Listing');
  const renamed = (text: string) => text.replaceAll(/(PublishOutputFnGetAtt)(Debounce)/g, '$1Renamed$2');
  changeTemplate(assemblyOfRelease, 'service', (template) =>
    JSON.parse(renamed(JSON.stringify(template).replaceAll(asked, gone))),
  );
  changeTemplate(assemblyOfRelease, 'data', (former) => {
    const { Outputs = {}, ...template } = JSON.parse(renamed(JSON.stringify(former))) as Template;
    const left = Object.entries(Outputs).filter(([name]) => !/FnGetAtt.*Listing.*Arn/.test(name));
    assert.ok(left.length < Object.keys(Outputs).length);
    assert.ok(left.some(([name]) => name.includes('RenamedDebounce')));
    return { ...template, Outputs: Object.fromEntries(left) };
  });
};
