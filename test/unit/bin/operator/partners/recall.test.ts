import { rmSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aWorkspace, operate } from '../../../../support/operator/operator.ts';
import { aWebhookWorld, type WebhookWorld } from '../../../../support/operator/webhook-world.ts';

const { folder, stackFile } = aWorkspace();
afterAll(() => rmSync(folder, { recursive: true }));

let world: WebhookWorld;
beforeEach(async () => {
  world = await aWebhookWorld(stackFile);
});

const hasTarget = () => (world.bus.rules.get('transactions-local-P')?.targets.length ?? 0) > 0;
const revokeB = ['revoke-grant', 'acme', '--grant', 'group=group-b'];

describe('without --recall', () => {
  test.each([[['disable', 'acme']], [revokeB]])('%j says what may still arrive', async (args) => {
    const { printed } = await world.run(args);

    expect(printed).toContain(
      'Done.\nWhat the bus has accepted already may still arrive for up to 24 h. --recall takes it back.\n',
    );
  });

  test('a partner without a webhook gets no such note, and has nothing to recall', async () => {
    await world.run(['remove-webhook', 'acme']);

    expect((await world.run([...revokeB, '--recall'])).noted).toBe(
      'The partner "acme" has no webhook: there is nothing to recall.\n',
    );
    expect((await world.partner()).grants).toHaveLength(2);
    expect((await world.run(revokeB)).printed).not.toContain('24 h');
  });
});

describe('--recall', () => {
  /** What the bus and the collector do: once the target is gone, undelivered events come back. */
  const collecting = (...deliveries: { eventId: string; clientId: string }[]) =>
    world.whileWaiting.push(async () => {
      if (hasTarget()) return;
      for (const delivery of deliveries) await world.giveUp(delivery);
    });

  test('S-54 takes back undelivered events, and sends again what the partner may still see', async () => {
    collecting(await world.put(1, 'ACCEPTED'), await world.put(2, 'ACCEPTED'));
    await world.put(3, 'DELIVERED');

    const answer = await world.json([...revokeB, '--recall']);
    const sent = await world.ledgerWorld.flush();

    expect(answer).toMatchObject({
      grants: [{ group: 'group-a' }],
      recall: { recalled: 2, events: 2, uncertain: 0, isPaused: false },
    });
    expect(sent.map(({ message }) => JSON.parse(message).detail.uuid)).toEqual([
      world.stored[0]?.transaction.uuid,
    ]);
    expect(await world.states()).toEqual({ 1: 'ACCEPTED', 2: 'SUPPRESSED OUT_OF_SCOPE', 3: 'DELIVERED' });
    expect(await world.partner()).not.toHaveProperty('webhookPaused');
    expect(await world.differences()).toEqual([]);
    expect(world.records.at(-1)).toMatchObject({ arguments: { grant: 'group=group-b', recall: true } });
  });

  test('nothing is put on the bus while the rule has no target', async () => {
    collecting(await world.put(1, 'ACCEPTED'));
    const due = await world.put(3, 'SUPPRESSED');
    const sentWithoutTarget: unknown[] = [];
    let wasDetached = false;
    world.whileWaiting.push(async () => {
      if (hasTarget()) return;
      wasDetached = true;
      const atMs = world.ledgerWorld.deps.clock().getTime();
      const scheduled = { ...due, from: ['SUPPRESSED'], to: 'READY', atMs, dueAtMs: atMs } as const;
      await world.deps.ledger.move({ ...scheduled, entry: { atMs, step: 'armed' } });
      sentWithoutTarget.push(...(await world.ledgerWorld.flush()));
    });

    await world.json([...revokeB, '--recall']);
    const sent = await world.ledgerWorld.flush();

    expect(wasDetached).toBe(true);
    expect(sentWithoutTarget).toEqual([]);
    expect(sent).toHaveLength(2);
    expect(await world.states()).toEqual({ 1: 'ACCEPTED', 3: 'ACCEPTED' });
  });

  test('waits for senders before it removes the target, and then for all dead letters', async () => {
    const waits: [number, boolean][] = [];
    const accepted = await world.put(1, 'ACCEPTED');
    const { wait } = world.deps;
    world.deps.wait = async (ms) => {
      waits.push([ms / 1000, hasTarget()]);
      if (waits.length === 4) await world.giveUp(accepted);
      await wait(ms);
    };

    await world.json([...revokeB, '--recall']);

    expect(waits).toEqual([
      [20, true],
      [5, false],
      [5, false],
      [5, false],
      [20, true],
    ]);
  });

  test('sends nothing before the bus knows the target again', async () => {
    const accepted = await world.put(1, 'ACCEPTED');
    world.deps.endpointEffectMs = 60_000;
    const waits: [number, string | undefined][] = [];
    const { wait } = world.deps;
    world.deps.wait = async (ms) => {
      if (ms === 5_000) await world.giveUp(accepted);
      waits.push([ms / 1000, (await world.partner()).webhookPaused]);
      await wait(ms);
    };

    await world.json([...revokeB, '--recall']);

    expect(waits).toEqual([
      [20, 'operator'],
      [5, 'operator'],
      [60, 'operator'],
      [20, undefined],
    ]);
  });

  test('without reports of success, waits a minute and leaves what may be delivered', async () => {
    await world.put(1, 'ACCEPTED');
    const began = world.ledgerWorld.deps.clock().getTime();

    const answer = await world.json([...revokeB, '--recall']);

    expect(answer.recall).toEqual({ recalled: 0, events: 0, uncertain: 1, isPaused: false });
    expect(world.ledgerWorld.deps.clock().getTime() - began).toBe((20 + 60 + 20) * 1000);
    expect(await world.states()).toEqual({ 1: 'ACCEPTED' });
  });

  test('TH-22 says what may still arrive, because the bus may not have tried while the target was gone', async () => {
    await world.put(1, 'ACCEPTED');

    expect((await world.run([...revokeB, '--recall'])).printed).toContain(
      'Deliveries recalled: 0. 0 events are sent as far as it may still see them. 1 more may have arrived, or may still arrive for up to 24 h.\n',
    );

    world.ledgerWorld.pass({ seconds: 25 * 3600 });
    expect((await world.json([...revokeB, '--recall'])).recall).toMatchObject({ uncertain: 0 });
  });

  describe('of a disabled partner', () => {
    const twoDays = 48 * 3600;
    /** Everything that leaves in the two days after the partner is enabled again, in which the dead are tried again. */
    const sentOnceEnabled = async () => {
      await world.run(['enable', 'acme']);
      const sent: unknown[] = [];
      for (let passedS = 0; passedS < twoDays; passedS += 900) {
        world.ledgerWorld.pass({ seconds: 900 });
        sent.push(...(await world.ledgerWorld.flush()));
      }
      return sent;
    };

    test('EV-13 nothing is sent again, neither at once nor after it was enabled', async () => {
      collecting(await world.put(1, 'ACCEPTED'));

      const answer = await world.json(['disable', 'acme', '--recall']);

      expect(answer.recall).toEqual({ recalled: 1, events: 0, uncertain: 0, isPaused: false });
      expect(await world.states()).toEqual({ 1: 'SUPPRESSED RECALLED' });
      expect(await world.partner()).toMatchObject({ enabled: false });
      expect(await sentOnceEnabled()).toEqual([]);
    });

    test('EV-13 a dead letter that comes hours after the recall is taken back, too', async () => {
      const late = await world.put(1, 'ACCEPTED');

      const answer = await world.json(['disable', 'acme', '--recall']);
      world.ledgerWorld.pass({ seconds: 5 * 3600 });
      await world.giveUp(late);

      expect(answer.recall).toMatchObject({ recalled: 0, uncertain: 1 });
      expect(await world.states()).toEqual({ 1: 'SUPPRESSED RECALLED' });
      expect(await sentOnceEnabled()).toEqual([]);
    });

    test('EV-13 what was dead before the recall and would be tried again is taken back, too', async () => {
      const gone = await world.put(1, 'ACCEPTED');
      await world.giveUp(gone, {
        code: 'SDK_CLIENT_ERROR',
        message: 'failed because status 410 was returned',
      });

      const answer = await world.json(['disable', 'acme', '--recall']);

      expect(answer.recall).toMatchObject({ recalled: 1 });
      expect(await sentOnceEnabled()).toEqual([]);
    });

    test('EV-13 what waits for a person stays for that person', async () => {
      const refused = await world.put(1, 'ACCEPTED');
      await world.giveUp(refused, { code: 'SDK_CLIENT_ERROR', message: 'status 422 was returned' });

      await world.run(['disable', 'acme', '--recall']);

      expect(await world.states()).toEqual({ 1: 'DEAD HTTP_422' });
    });

    test('EV-13 a person sends it again, and then it is tried again like anything else', async () => {
      const recalled = await world.put(1, 'ACCEPTED');
      collecting(recalled);
      await world.run(['disable', 'acme', '--recall']);
      world.whileWaiting.length = 0;
      await world.run(['enable', 'acme']);

      await operate(world.deps, stackFile, ['events', 'replay', recalled.eventId, '--partner', 'acme']);
      const sent = await world.ledgerWorld.flush();
      await world.giveUp(recalled, { code: 'SDK_CLIENT_ERROR', message: 'status 404 was returned' });

      expect(sent.map(({ eventId }) => eventId)).toEqual([recalled.eventId]);
      expect(await world.states()).toEqual({ 1: 'DEAD HTTP_404' });
      expect(await world.deps.ledger.delivery(recalled)).toHaveProperty('dueAtMs');
    });

    test('EV-13 explain says one thing: taken back, and how a person sends it', async () => {
      const recalled = await world.put(1, 'ACCEPTED');
      collecting(recalled);
      await world.run(['disable', 'acme', '--recall']);

      const { printed } = await operate(world.deps, stackFile, [
        ...['explain', 'acme', world.stored[0]?.transaction.uuid ?? ''],
      ]);

      expect(printed).toContain('"acme" is disabled: nothing is sent to it until "partner enable acme".\n');
      expect(printed).toContain(
        `TransactionUpdated of versions 1 to 2 was taken back at 14:00:25 UTC before the endpoint had it: "events replay ${recalled.eventId}" sends it.\n`,
      );
      expect(printed).not.toContain('again at');
    });

    test('EV-13 explain says of what a recall came too late for that it may have arrived', async () => {
      await world.put(1, 'ACCEPTED');
      await world.run(['disable', 'acme', '--recall']);

      const { printed } = await operate(world.deps, stackFile, [
        ...['explain', 'acme', world.stored[0]?.transaction.uuid ?? ''],
      ]);

      expect(printed).toContain(
        'no failure was reported so far, and at 14:00:20 UTC it was recalled: it arrived before, or never will.\n',
      );
    });

    test('S-54 the target stays removed, so that retries of the bus hours later go nowhere', async () => {
      await world.put(1, 'ACCEPTED');

      const { printed } = await world.run(['disable', 'acme', '--recall']);

      expect(hasTarget()).toBe(false);
      expect(await world.differences()).toEqual([]);
      expect(printed).toContain(
        'Deliveries recalled: 0. It is disabled: what the bus still tries to deliver is given up, too. Enabling it sends none of it; "events replay" does.\n',
      );
    });

    test('enabling it puts nothing on the bus before the bus knows the target again', async () => {
      await world.run(['disable', 'acme', '--recall']);
      world.deps.endpointEffectMs = 60_000;
      const waits: [number, boolean, boolean][] = [];
      world.deps.wait = async (ms) => {
        waits.push([ms / 1000, hasTarget(), (await world.partner()).enabled]);
      };

      await world.run(['enable', 'acme']);
      await world.run(['enable', 'acme']);

      expect(waits).toEqual([[60, true, false]]);
      expect(await world.partner()).toMatchObject({ enabled: true });
      expect(await world.differences()).toEqual([]);
    });

    test('a new address meanwhile creates no target', async () => {
      await world.run(['disable', 'acme', '--recall']);

      await world.run(['set-webhook', 'acme', '--url', 'https://acme.example/other']);

      expect(hasTarget()).toBe(false);
      expect(await world.differences()).toEqual([]);
    });
  });

  test('EV-13 a removed webhook drops its events for good: a later one is not sent them', async () => {
    const late = await world.put(1, 'ACCEPTED');
    const gone = await world.put(2, 'ACCEPTED');
    await world.giveUp(gone, { code: 'SDK_CLIENT_ERROR', message: 'status 410 was returned' });

    await world.run(['remove-webhook', 'acme']);
    await world.giveUp(late);
    await world.run(['set-webhook', 'acme', '--url', 'https://acme.example/other']);
    world.ledgerWorld.pass({ seconds: 48 * 3600 });

    expect(await world.ledgerWorld.flush()).toEqual([]);
    expect(await world.states()).toEqual({ 1: 'SUPPRESSED RECALLED', 2: 'SUPPRESSED RECALLED' });
  });

  test.each([
    ['more than a hundred', 130, 0, 130],
    ['six days old, as replays may be', 1, 6 * 24, 1],
    ['more than a week old, which nothing is on its way of', 1, 8 * 24, 0],
  ])('EV-13 S-54 takes back what is %s', async (_, count, hoursOld, recalled) => {
    const deliveries = await world.putMany(count, 'ACCEPTED');
    world.ledgerWorld.pass({ seconds: hoursOld * 3600 });
    for (const delivery of deliveries) {
      await operate(world.deps, stackFile, ['events', 'replay', delivery.eventId]);
    }
    await world.ledgerWorld.flush();
    collecting(...deliveries);

    expect((await world.json([...revokeB, '--recall'])).recall).toMatchObject({ recalled });
    world.whileWaiting.length = 0;
  });

  test('a partner that was paused stays paused, and gets everything when it is resumed', async () => {
    collecting(await world.put(1, 'ACCEPTED'));
    await world.put(3, 'HELD');
    await world.run(['pause', 'acme']);

    const { printed } = await world.run([...revokeB, '--recall']);
    const sentBefore = await world.ledgerWorld.flush();
    await world.run(['resume', 'acme']);

    expect(printed).toContain(
      'Deliveries recalled: 1. It is paused: "partner resume" sends what it may still see.\n',
    );
    expect(sentBefore).toEqual([]);
    expect(await world.ledgerWorld.flush()).toHaveLength(2);
  });

  test('a grant that was revoked before can be recalled later', async () => {
    collecting(await world.put(2, 'ACCEPTED'));
    await world.run(revokeB);

    const answer = await world.json([...revokeB, '--recall']);
    await world.ledgerWorld.flush();

    expect(answer.recall).toMatchObject({ recalled: 1 });
    expect(await world.states()).toEqual({ 2: 'SUPPRESSED OUT_OF_SCOPE' });
  });
});
