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
  test.each([
    ['v1', ['v1-transaction']],
    [
      'writes',
      [
        ...['collect-dead-letters', 'v1-transaction', 'v2-write', 'v2-partner', 'publish-dormant'],
        ...['capture-change', 'reconcile', 'sweep-expired'],
      ],
    ],
    [
      'all',
      [
        ...['collect-dead-letters', 'v1-transaction', 'v2-write', 'v2-partner', 'publish-dormant'],
        ...['capture-change', 'reconcile', 'sweep-expired', 'v2-read'],
      ],
    ],
  ])('RUN-13 %s reserves no concurrency for its functions, in this order', async (part, names) => {
    expect(await json(['stage', 'stop', part, '--yes'])).toEqual({ stopped: names });
    expect([...reserved]).toEqual(names.map((name) => [name, 0]));
    expect(stage.records).toMatchObject([{ command: 'stage stop', arguments: { part } }]);
    expect(stage.done).toEqual(['stage stop']);
  });

  test('RUN-13 asks first, and changes nothing without a yes', async () => {
    const { exitCode, noted } = await run(['stage', 'stop', 'v1']);

    expect([exitCode, noted]).toEqual([
      1,
      'This stops v1-transaction; their callers get 5xx. There is no terminal to confirm this at: add --yes to do it.\n',
    ]);
    expect([reserved.size, stage.records]).toEqual([0, []]);
  });

  test('RUN-13 says what starts them', async () => {
    expect((await run(['stage', 'stop', 'v1', '--yes'])).printed).toBe(
      'Stopped: v1-transaction. "stage start v1" starts them.\n',
    );
  });
});

test('RUN-13 stage start gives each function the concurrency of the deployment, or none', async () => {
  await run(['stage', 'stop', 'all', '--yes']);

  const { printed } = await run(['stage', 'start', 'writes']);

  expect(printed).toBe(
    'Started: collect-dead-letters, v1-transaction, v2-write, v2-partner, publish-dormant, capture-change, reconcile, sweep-expired.\n',
  );
  expect([reserved.get('v1-transaction'), reserved.get('v2-write'), reserved.get('v2-read')]).toEqual([
    200,
    undefined,
    0,
  ]);
  expect(stage.records.at(-1)).toMatchObject({ command: 'stage start', arguments: { part: 'writes' } });
  expect((await run(['stage', 'status'])).printed).toBe('Stopped: v2-read.\n');
});

test('RUN-13 stage status says when no function is stopped', async () => {
  expect(await run(['stage', 'status'])).toMatchObject({ exitCode: 0, printed: 'No function is stopped.\n' });
  expect(stage.records).toEqual([]);
});

test('RUN-13 a local stage has no functions to stop', async () => {
  begin();

  expect(await json(['stage', 'stop', 'v1', '--yes'])).toEqual({
    error: 'A local stage has no functions to stop: stop it with Ctrl-C.',
  });
});
