import { rmSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { directoryOver } from '../../../../support/memory/partners.ts';
import { aWorkspace, operate } from '../../../../support/operator/operator.ts';
import { aWebhookWorld, type WebhookWorld } from '../../../../support/operator/webhook-world.ts';

const { folder, stackFile } = aWorkspace();
afterAll(() => rmSync(folder, { recursive: true }));

let world: WebhookWorld;
beforeEach(async () => {
  world = await aWebhookWorld(stackFile);
});

const hasTarget = () => (world.bus.rules.get('transactions-local-P')?.targets.length ?? 0) > 0;
const uuidsOf = (sent: { message: string }[]) => sent.map(({ message }) => JSON.parse(message).detail.uuid);

/** The bus gives up what it has accepted once the target is gone. */
const givingUp = (...deliveries: { eventId: string; clientId: string }[]) =>
  world.whileWaiting.push(async () => {
    if (hasTarget()) return;
    for (const delivery of deliveries.splice(0)) await world.giveUp(delivery);
  });

/** Makes a delivery due now. */
const due = async (number: number) => {
  const key = await world.put(number, 'SUPPRESSED');
  const atMs = world.ledgerWorld.deps.clock().getTime();
  const entry = { atMs, step: 'armed' } as const;
  await world.deps.ledger.move({ ...key, from: ['SUPPRESSED'], to: 'READY', atMs, entry, dueAtMs: atMs });
};

describe('S-77 webhooks stop', () => {
  test('from now on nothing leaves: events are kept', async () => {
    await due(1);

    await world.runAll(['stop']);

    expect(await world.ledgerWorld.flush()).toEqual([]);
    expect(await world.states()).toEqual({ 1: 'HELD' });
  });

  test('keeps events before it waits for what is being sent, and takes targets away after that', async () => {
    const seen: unknown[] = [];
    world.whileWaiting.push(async () => {
      await due(1);
      seen.push({ hasTarget: hasTarget(), sent: await world.ledgerWorld.flush() });
    });

    await world.runAll(['stop']);

    expect(seen).toEqual([{ hasTarget: true, sent: [] }]);
    expect(hasTarget()).toBe(false);
  });

  test('says for how many partners, and after how many seconds; twice is once', async () => {
    expect((await world.runAll(['stop'])).printed).toBe(
      'All webhooks are stopped: the endpoints of 1 partner are off after 20 s. Events are kept until "webhooks start".\n',
    );
    expect(JSON.parse((await world.runAll(['stop', '--json'])).printed)).toEqual({
      webhooks: 'stopped',
      partners: 1,
      seconds: 20,
    });
    expect(world.records.map(({ command }) => command).slice(-2)).toEqual(['webhooks stop', 'webhooks stop']);
  });

  test('is written to the audit record before it happens (S-28)', async () => {
    const audit = { append: async () => Promise.reject(new Error('no record')) };

    await operate({ ...world.deps, audit }, stackFile, ['webhooks', 'stop', '--yes']);

    expect(await world.deps.webhookSwitch.read()).toBeUndefined();
    expect(hasTarget()).toBe(true);
  });

  test('without --yes and a terminal changes nothing', async () => {
    const { noted } = await operate(world.deps, stackFile, ['webhooks', 'stop']);

    expect(noted).toContain('add --yes to do it');
    expect(await world.deps.webhookSwitch.read()).toBeUndefined();
  });
});

describe('DR-13 webhooks stop --restored', () => {
  /** From now on the stage works with a Partners table that was restored to before the stop, and the tool, too. */
  const deployRestored = () => {
    const webhookSwitch = world.deps.webhookSwitchOf('Partners-2');
    world.ledgerWorld.deps.partners = directoryOver(world.deps.partners, webhookSwitch);
    return { ...world.deps, webhookSwitch };
  };

  test('DR-13 between its deployment and its adoption every event is kept, and a start sends it', async () => {
    await world.runAll(['stop']);
    const { printed } = await world.runAll(['stop', '--restored', 'Partners-2']);
    const deps = deployRestored();
    await due(1);

    const sentBefore = await world.ledgerWorld.flush();
    const statesBefore = await world.states();
    await operate(deps, stackFile, ['restore', 'adopt', 'partners', '--yes']);
    await operate(deps, stackFile, ['webhooks', 'start', '--yes']);
    const sent = await world.ledgerWorld.flush();

    expect(printed).toBe('All webhooks are stopped in Partners-2, too: it may be deployed.\n');
    expect([sentBefore, statesBefore]).toEqual([[], { 1: 'HELD' }]);
    expect([hasTarget(), uuidsOf(sent)]).toEqual([true, [world.stored[0]?.transaction.uuid]]);
  });

  test('DR-13 it is stopped since the same time, and the audit record names the table', async () => {
    await world.runAll(['stop']);
    const stop = await world.deps.webhookSwitch.read();
    world.ledgerWorld.pass({ seconds: 3600 });

    await world.runAll(['stop', '--restored', 'Partners-2']);

    expect(await deployRestored().webhookSwitch.read()).toEqual(stop);
    expect(world.records.at(-1)).toMatchObject({
      command: 'webhooks stop',
      arguments: { table: 'Partners-2' },
    });
  });

  test('DR-13 is refused while webhooks are not stopped', async () => {
    const { exitCode, noted } = await world.runAll(['stop', '--restored', 'Partners-2']);

    expect([exitCode, noted]).toEqual([
      1,
      'Webhooks are not stopped, so there is no stop to copy: run "webhooks stop" first.\n',
    ]);
    expect(await deployRestored().webhookSwitch.read()).toBeUndefined();
  });
});

describe('S-77 webhooks start', () => {
  test('sends what was kept and what the bus gave up, each transaction once', async () => {
    givingUp(await world.put(1, 'ACCEPTED'));
    await world.runAll(['stop']);
    await due(3);
    await world.ledgerWorld.flush();
    world.ledgerWorld.pass({ seconds: 30 });
    await world.deps.wait(1_000);

    const { printed } = await world.runAll(['start']);
    const sent = await world.ledgerWorld.flush();

    expect(printed).toBe(
      'Webhooks are sent again, to 1 partner, after 20 s; events sent for what was kept: 2.\n',
    );
    expect(uuidsOf(sent).sort()).toEqual(
      [world.stored[0], world.stored[2]].map((one) => one?.transaction.uuid).sort(),
    );
    expect(await world.states()).toEqual({ 1: 'ACCEPTED', 3: 'ACCEPTED' });
    expect(await world.differences()).toEqual([]);
  });

  test('has every endpoint ready before anything leaves', async () => {
    await world.runAll(['stop']);
    await due(1);
    await world.ledgerWorld.flush();
    const seen: { hasTarget: boolean; stopped: boolean }[] = [];
    const { release, ...others } = world.deps.webhookSwitch;
    const webhookSwitch: typeof world.deps.webhookSwitch = {
      ...others,
      release: async (...asked) => {
        seen.push({ hasTarget: hasTarget(), stopped: (await others.read()) !== undefined });
        return release(...asked);
      },
    };

    await operate({ ...world.deps, webhookSwitch }, stackFile, ['webhooks', 'start', '--yes']);

    expect(seen).toEqual([{ hasTarget: true, stopped: true }]);
    expect(await world.ledgerWorld.flush()).toHaveLength(1);
  });

  test('a partner that is paused stays so, and one that is disabled gets no endpoint', async () => {
    await world.run(['pause', 'acme']);
    await world.runAll(['stop']);
    await due(1);
    await world.ledgerWorld.flush();

    expect((await world.runAll(['start'])).printed).toContain('to 0 partners');
    expect(await world.states()).toEqual({ 1: 'HELD' });
    expect(hasTarget()).toBe(true);

    await world.run(['disable', 'acme', '--recall']);
    await world.runAll(['stop']);
    await world.runAll(['start']);
    expect(hasTarget()).toBe(false);
  });

  test('after a start that died in between, another finishes it', async () => {
    await world.runAll(['stop']);
    await due(1);
    await world.ledgerWorld.flush();
    const { ledger } = world.deps;
    const dying = { ...ledger, move: async () => Promise.reject(new Error('killed')) };
    await operate({ ...world.deps, ledger: dying }, stackFile, ['webhooks', 'start', '--yes']);
    expect((await world.runAll(['status'])).printed).toContain('a start has not ended');

    await world.runAll(['start']);

    expect(await world.ledgerWorld.flush()).toHaveLength(1);
  });
});

describe('S-77 two who do the opposite at once', () => {
  test('a stop during a start wins: nothing leaves, and the start says so', async () => {
    await world.runAll(['stop']);
    const { release, ...others } = world.deps.webhookSwitch;
    const webhookSwitch: typeof world.deps.webhookSwitch = {
      ...others,
      release: async (...asked) => {
        await world.runAll(['stop']);
        return release(...asked);
      },
    };

    const { noted, exitCode } = await operate({ ...world.deps, webhookSwitch }, stackFile, [
      'webhooks',
      'start',
    ]);
    await due(1);

    expect(exitCode).toBe(1);
    expect(noted).toContain('Somebody stopped all webhooks once more meanwhile: they stay stopped.\n');
    expect(await world.ledgerWorld.flush()).toEqual([]);
  });

  test('a start while a stop waits keeps its targets, and the stop says so', async () => {
    let isStarted = false;
    world.whileWaiting.push(async () => {
      if (isStarted) return;
      isStarted = true;
      await world.runAll(['start']);
    });

    const { noted, exitCode } = await world.runAll(['stop']);

    expect(exitCode).toBe(1);
    expect(noted).toContain(
      'Somebody started all webhooks meanwhile: run "webhooks stop" again to stop them.\n',
    );
    expect(hasTarget()).toBe(true);
  });
});

describe('S-77 while all webhooks are stopped', () => {
  test.each([
    [['set-webhook', 'acme', '--url', 'https://acme.example/other']],
    [
      ['pause', 'acme'],
      ['resume', 'acme'],
    ],
    [
      ['disable', 'acme'],
      ['enable', 'acme'],
    ],
    [['rotate-signature', 'acme']],
  ])('%j gives no target back: the bus would deliver what it still tries', async (...commands) => {
    await world.runAll(['stop']);

    for (const command of commands) expect((await world.run(command)).exitCode).toBe(0);

    expect(hasTarget()).toBe(false);
    await world.runAll(['start']);
    expect(hasTarget()).toBe(true);
  });

  test('a partner that is resumed while the start waits is served, too', async () => {
    await world.run(['pause', 'acme']);
    await world.runAll(['stop']);
    await due(1);
    await world.ledgerWorld.flush();
    const { release, ...others } = world.deps.webhookSwitch;
    const webhookSwitch: typeof world.deps.webhookSwitch = {
      ...others,
      release: async (...asked) => {
        await world.run(['resume', 'acme']);
        await world.ledgerWorld.flush();
        return release(...asked);
      },
    };

    await operate({ ...world.deps, webhookSwitch }, stackFile, ['webhooks', 'start']);

    expect(await world.ledgerWorld.flush()).toHaveLength(1);
  });

  test('what is kept for a partner that was disabled meanwhile ends with the start', async () => {
    await world.runAll(['stop']);
    await due(1);
    await world.ledgerWorld.flush();
    await world.run(['disable', 'acme']);

    await world.runAll(['start']);

    expect(await world.ledgerWorld.flush()).toEqual([]);
    expect(await world.states()).toEqual({ 1: 'SUPPRESSED DISABLED' });
  });

  test('an endpoint that cannot be made keeps all stopped and is named; once its partner is paused the others start', async () => {
    await world.runAll(['stop']);
    const endpoints = { ...world.deps.endpoints, ensure: async () => Promise.reject(new Error('busy')) };
    const start = () => operate({ ...world.deps, endpoints }, stackFile, ['webhooks', 'start']);

    expect((await start()).noted).toContain(
      'The endpoints of acme cannot be made, so all webhooks stay stopped: "partner pause" them, and run "webhooks start" again.\n',
    );
    expect(await world.deps.webhookSwitch.read()).toBeDefined();
    await world.run(['pause', 'acme']);
    expect((await start()).exitCode).toBe(0);
    expect(await world.deps.webhookSwitch.read()).toBeUndefined();
  });

  test('an endpoint that stays on is named', async () => {
    const endpoints = { ...world.deps.endpoints, detach: async () => Promise.reject(new Error('busy')) };

    const { noted } = await operate({ ...world.deps, endpoints }, stackFile, ['webhooks', 'stop', '--yes']);

    expect(noted).toContain(
      'Events are kept, but the endpoints of acme are still on: run "webhooks stop" again.\n',
    );
  });
});

test('webhooks status says whether they are stopped, and since when', async () => {
  expect((await world.runAll(['status'])).printed).toBe(
    'Webhooks are sent; "webhooks stop" stops all of them.\n',
  );
  await world.runAll(['stop']);

  expect((await world.runAll(['status'])).printed).toMatch(
    /^All webhooks are stopped since \d\d:\d\d:\d\d UTC: events are kept until "webhooks start"\.\n$/,
  );
});
