import { describe, expect, test } from '@jest/globals';
import { json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

const stop = ['webhooks', 'stop', '--yes'];
const start = ['webhooks', 'start'];

describe('S-77 webhooks stop and start', () => {
  test('a stop sets the switch, and says what the bus still tries', async () => {
    expect(await run(stop)).toMatchObject({
      exitCode: 0,
      printed:
        'All webhooks are stopped: nothing new is sent until "webhooks start". EventBridge goes on trying what it has for up to 24 h.\n',
    });
    expect(await stage.deps.webhookSwitch.read()).toEqual({
      stoppedAtMs: Date.parse('2026-11-21T12:00:00Z'),
    });
  });

  test('a start clears it; both can be repeated, and a stop keeps its time', async () => {
    const stopped = { webhooks: 'stopped', stoppedAt: '2026-11-21T12:00:00.000Z' };
    expect(await json(stop)).toEqual(stopped);
    stage.deps.now = () => new Date('2026-11-21T13:00:00Z');
    expect(await json(stop)).toEqual(stopped);

    expect(await json(start)).toEqual({ webhooks: 'started' });

    expect(await stage.deps.webhookSwitch.read()).toBeUndefined();
    expect(await json(start)).toEqual({ webhooks: 'started' });
  });
});

describe('DR-13 webhooks stop --restored', () => {
  test('DR-13 after a confirmation stops the restored table since the same time, and the audit record names it', async () => {
    expect(await json([...stop, '--restored', 'Partners-2'])).toEqual({
      error: 'Webhooks are not stopped, so there is no stop to copy: run "webhooks stop" first.',
    });
    await json(stop);
    stage.deps.now = () => new Date('2026-11-21T13:00:00Z');
    expect(await json('webhooks stop --restored Partners-2')).toEqual({
      error:
        'This stops all webhooks in the table Partners-2, too. There is no terminal to confirm this: add --yes to do it.',
    });
    expect(await stage.deps.webhookSwitchOf('Partners-2').read()).toBeUndefined();

    const { printed } = await run([...stop, '--restored', 'Partners-2']);

    expect(printed).toBe('All webhooks are stopped in Partners-2, too: you can deploy it.\n');
    expect(await stage.deps.webhookSwitchOf('Partners-2').read()).toEqual(
      await stage.deps.webhookSwitch.read(),
    );
    expect(stage.records.at(-1)).toMatchObject({
      command: 'webhooks stop',
      arguments: { table: 'Partners-2' },
    });
  });
});

test('webhooks status says whether they are stopped, and since when', async () => {
  expect((await run('webhooks status')).printed).toBe(
    'Webhooks are sent; "webhooks stop" stops all of them.\n',
  );
  await json(stop);

  expect((await run('webhooks status')).printed).toBe(
    'All webhooks are stopped since 12:00:00 UTC: events wait for "webhooks start".\n',
  );
});
