import assert from 'node:assert/strict';
import { at, json } from '../journeys/answers.ts';
import type { World } from '../journeys/world.ts';
import type { Emulator } from './account.ts';
import { announceFrom, changeTemplate, logicalIdOf, nextRelease, type Template } from './assembly.ts';
import { assembly, deploy, destroy, diff } from './cdk.ts';
import type { Invoke } from './functions.ts';
import { functionLogs } from './logs.ts';
import { inWorkspace } from './places.ts';
import type { Report } from './report.ts';
import { exportNames, stackStates } from './stacks.ts';

/** Any function that may be called at any time will do. */
const changed = 'sweep-expired';

/** What becomes of deployed stacks: another release, a broken one, one that moves what the stacks share, the end. */
export const proveLifecycle = async (
  report: Report,
  { emulator, invoke, world }: { emulator: Emulator; invoke: Invoke; world: World },
): Promise<void> => {
  const linesWith = async (line: string) => {
    await invoke(changed, {});
    return (await functionLogs(emulator)).filter((one) => one.includes(line)).length;
  };

  await report.prove('an update with changed code is what `cdk diff` says, and runs it', async () => {
    const second = nextRelease(assembly, 'second');
    announceFrom(second, changed, 'This is release 2');
    await assert.rejects(diff(emulator, second), /Number of stacks with differences: 1/);
    await deploy(emulator, second);

    assert.ok((await linesWith('This is release 2')) > 0);
  });

  await report.prove(
    'D-13 an update that fails is rolled back, and the release before it answers',
    async () => {
      const broken = nextRelease(inWorkspace('cdk.out.second'), 'broken');
      announceFrom(broken, changed, 'This is release 3');
      changeTemplate(broken, 'service', withBrokenResource);
      await assert.rejects(deploy(emulator, broken), /ROLLBACK|rolled back/i);
      const before = await linesWith('This is release 2');

      assert.equal((await stackStates(emulator))['transactions-staging-service'], 'UPDATE_ROLLBACK_COMPLETE');
      assert.ok((await linesWith('This is release 2')) >= before);
      assert.equal(await linesWith('This is release 3'), 0);
      const answer = await world.send(`${world.baseUrl}/api/v2/transaction`);
      assert.deepEqual([answer.status, at(json(answer), 'title')], [401, 'Unauthorized']);
    },
  );

  await report.prove(
    'D-05 a table loses its last reader and an output its name, and the update goes on',
    async () => {
      const moved = nextRelease(assembly, 'moved');
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
    'D-06 `cdk destroy --all` takes the service away, and the data stack is protected',
    async () => {
      await assert.rejects(destroy(emulator), /TerminationProtection/);

      assert.deepEqual(Object.keys(await stackStates(emulator)), ['transactions-staging-data']);
    },
  );
};

/** No metric has such an expression; the function before it has its new code by then. */
const withBrokenResource = (template: Template): Template => ({
  ...template,
  Resources: {
    ...template.Resources,
    Broken: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: {
        ComparisonOperator: 'GreaterThanThreshold',
        EvaluationPeriods: 1,
        Threshold: 0,
        Metrics: [{ Id: 'e1', Expression: 'NO_SUCH_FUNCTION(m1)' }],
      },
      DependsOn: [logicalIdOf(template, changed)],
    },
  },
});

/** Nobody reads the Listing table's ARN any more, and the Debounce table's has another name. */
const moveOutputs = (assemblyOfRelease: string): void => {
  const readersOf = (name: string) => ({
    gone: `"arn:aws:dynamodb:eu-west-2:000000000000:table/${name}"`,
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
  changeTemplate(assemblyOfRelease, 'data', (template) => {
    const { Outputs = {}, Resources } = JSON.parse(renamed(JSON.stringify(template))) as Template;
    const left = Object.entries(Outputs).filter(([name]) => !/FnGetAtt.*Listing.*Arn/.test(name));
    assert.ok(left.length < Object.keys(Outputs).length);
    assert.ok(left.some(([name]) => name.includes('RenamedDebounce')));
    // For MiniStack, outputs alone are no update.
    const another = { Another: { Type: 'AWS::SQS::Queue' } };
    return { ...template, Resources: { ...Resources, ...another }, Outputs: Object.fromEntries(left) };
  });
};
