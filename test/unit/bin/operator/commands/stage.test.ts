import { beforeEach, describe, expect, test } from '@jest/globals';
import type { StageFunction } from '../../../../../bin/operator/store/concurrency.ts';
import { stageParts } from '../../../../../lib/stage-parts.ts';
import { begin, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

const reserved = new Map<string, number | undefined>();
const functions = stageParts.all.map((name) => ({
  ...{ name, functionName: `transactions-${name}` },
  ...(name === 'v1-transaction' && { reserved: 200 }),
}));
const concurrency = {
  reserved: async ({ name }: StageFunction) => reserved.get(name),
  reserve: async ({ name }: StageFunction, executions: number | undefined) => {
    reserved.set(name, executions);
  },
};

beforeEach(() => {
  reserved.clear();
  begin({ functions, concurrency });
});

describe('RUN-13 stage stop', () => {
  const writes = [
    ...['collect-dead-letters', 'v1-transaction', 'v2-write', 'v2-partner', 'publish-dormant'],
    ...['capture-change', 'reconcile', 'sweep-expired'],
  ];
  test.each([
    ['v1', ['v1-transaction']],
    ['writes', writes],
    ['all', [...writes, 'v2-read']],
  ])('RUN-13 %s reserves no concurrency for its functions, in this order', async (part, names) => {
    expect(await json(`stage stop ${part} --yes`)).toEqual({ stopped: names });
    expect([...reserved]).toEqual(names.map((name) => [name, 0]));
    expect(stage.records).toMatchObject([{ command: 'stage stop', arguments: { part } }]);
    expect(stage.done).toEqual(['stage stop']);
  });

  test('RUN-13 asks first, and changes nothing without a confirmation', async () => {
    expect((await run('stage stop v1')).noted).toContain(
      'This stops v1-transaction; their callers get 5xx. There is no terminal to confirm this',
    );
    expect([reserved.size, stage.records]).toEqual([0, []]);
  });
});

test('RUN-13 stage start gives each function the concurrency of the deployment, or none', async () => {
  const status = async () => (await run('stage status')).printed;
  const before = await status();
  const stopped = await run('stage stop all --yes');
  const { printed } = await run('stage start writes');

  expect([before, await status()]).toEqual(['No function is stopped.\n', 'Stopped: v2-read.\n']);
  expect(stopped.printed).toMatch(/^Stopped: .*, v2-read\. "stage start all" starts them\.\n$/);
  expect(printed).toMatch(/^Started: collect-dead-letters, .*, sweep-expired\.\n$/);
  const left = ['v1-transaction', 'v2-write', 'v2-read'].map((name) => reserved.get(name));
  expect(left).toEqual([200, undefined, 0]);
  expect(stage.records).toMatchObject([
    { command: 'stage stop' },
    { command: 'stage start', arguments: { part: 'writes' } },
  ]);
});

test('RUN-13 a local stage has no functions to stop', async () => {
  begin();

  expect(await json('stage stop v1 --yes')).toEqual({
    error: 'A local stage has no functions to stop: stop it with Ctrl-C.',
  });
});
