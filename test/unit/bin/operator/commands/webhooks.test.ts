import { beforeEach, describe, expect, test } from '@jest/globals';
import { createPartner, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

const url = 'https://acme.example/hook';
const stop = ['webhooks', 'stop', '--yes'];
const start = ['webhooks', 'start'];
const states = () => [...stage.keeper.statuses.values()].map(({ state }) => state);
const all = { partners: 2, seconds: 0, failing: [], waiting: [] };

beforeEach(async () => {
  for (const name of ['acme', 'other']) await createPartner(name, '--webhook-url', url);
  await createPartner('plain');
});

describe('S-77 webhooks stop and start', () => {
  test('a stop sets the switch, and waits until every target is removed', async () => {
    expect(await run(stop)).toMatchObject({
      exitCode: 0,
      printed:
        'All webhooks are stopped, and events are kept until "webhooks start". Endpoints that are off after 0 s: 2 of 2.\n',
      noted: 'Waiting until EventBridge is set up for 2 partners …\n',
    });
    expect(await stage.deps.webhookSwitch.read()).toEqual({
      stoppedAtMs: Date.parse('2026-11-21T12:00:00Z'),
    });
    expect(states()).toEqual(['paused', 'paused']);
  });

  test('a start clears it, and waits until all endpoints match their records', async () => {
    await json('partner pause other');
    await json(stop);

    const started = await json(start);

    expect(started).toEqual({ webhooks: 'started', ...all });
    expect(await stage.deps.webhookSwitch.read()).toBeUndefined();
    expect(states()).toEqual(['on', 'paused']);
    expect(await json(start)).toEqual({ webhooks: 'started', ...all });
  });

  test('both can be repeated; a stop keeps its time', async () => {
    expect(await json(stop)).toEqual({ webhooks: 'stopped', ...all });
    const first = await stage.deps.webhookSwitch.read();
    stage.deps.now = () => new Date('2026-11-21T13:00:00Z');

    expect(await json(stop)).toMatchObject({ webhooks: 'stopped', partners: 2 });
    expect(await stage.deps.webhookSwitch.read()).toEqual(first);
  });

  test('wakes a partner whose webhook is set right before the switch changes', async () => {
    const { webhookSwitch } = stage.deps;
    stage.deps.webhookSwitch = {
      ...webhookSwitch,
      stop: async (atMs) => {
        await createPartner('late', '--webhook-url', url);
        return webhookSwitch.stop(atMs);
      },
    };

    expect(await json(stop)).toMatchObject({ partners: 3 });
    expect(states()).toEqual(['paused', 'paused', 'paused']);
  });

  test('names the remaining partners after two minutes without progress, with exit code 1', async () => {
    stage.keeper.isDown = true;
    let waitedMs = 0;
    stage.deps.wait = async (ms) => {
      waitedMs += ms;
    };

    const stopped = await run(stop);

    expect([waitedMs, stopped.exitCode]).toEqual([120_000, 1]);
    expect(stopped.printed).toContain(
      'after 0 s: 0 of 2.\nNot off: acme, other. The service continues, and "partner show" shows the state of each.\n',
    );
    expect(stopped.noted).toContain('0 of 2 partners are set up\n');
  });

  test('a failing endpoint does not stop the others from starting, and is named', async () => {
    await json(stop);
    const { work, statuses } = stage.keeper;
    const other = (await stage.deps.partners.byName('other'))?.clientId ?? '';
    stage.deps.wait = async () => {
      await work();
      const status = statuses.get(other);
      if (status) statuses.set(other, { ...status, state: 'failing', reason: 'rules-quota' });
    };

    const { exitCode, printed } = await run([...start, '--json']);

    const failing = [{ name: 'other', reason: 'rules-quota' }];
    expect([exitCode, JSON.parse(printed)]).toEqual([1, { webhooks: 'started', ...all, failing }]);
  });

  test.each([
    [stop, 'start', 'Somebody started all webhooks meanwhile: run "webhooks stop" again to stop them.'],
    [start, 'stop', 'Somebody stopped all webhooks again meanwhile: they stay stopped.'],
  ] as const)('%j reports it if somebody does the opposite meanwhile', async (command, opposite, error) => {
    if (opposite === 'stop') await json(stop);
    const { webhookSwitch, wait } = stage.deps;
    stage.deps.wait = async (ms) => {
      await webhookSwitch[opposite](1);
      await wait(ms);
    };

    expect(await json([...command])).toEqual({ error });
  });

  test('a stage without webhooks is stopped at once', async () => {
    for (const name of ['acme', 'other']) await json(`partner remove-webhook ${name} --yes`);

    expect(await run(stop)).toMatchObject({ exitCode: 0, noted: '' });
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
    'All webhooks are stopped since 12:00:00 UTC: events are kept until "webhooks start".\n',
  );
});
