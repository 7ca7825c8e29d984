import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { dyingAfter } from '../../../../support/operator/deaths.ts';
import { aWorkspace } from '../../../../support/operator/operator.ts';
import { aWebhookWorld, type WebhookWorld } from '../../../../support/operator/webhook-world.ts';

const { folder, stackFile } = aWorkspace();
afterAll(() => rmSync(folder, { recursive: true }));

type Arrange = (world: WebhookWorld) => Promise<unknown>;

const announced: Arrange = (world) => world.run(['rotate-signature', 'acme']);
const held: Arrange = async (world) => {
  await world.run(['pause', 'acme']);
  await world.put(1, 'HELD');
  await world.put(2, 'HELD');
};
const onTheBus: Arrange = async (world) => {
  const deliveries = [await world.put(1, 'ACCEPTED'), await world.put(2, 'ACCEPTED')];
  world.whileWaiting.push(async () => {
    if ((world.bus.rules.get('transactions-local-P')?.targets.length ?? 0) > 0) return;
    for (const delivery of deliveries) await world.giveUp(delivery);
  });
};

const commands: [string[], Arrange][] = [
  [['set-webhook', 'acme', '--url', 'https://acme.example/2'], async () => {}],
  [
    ['set-webhook', 'acme', '--url', 'https://acme.example/2'],
    (world) => world.run(['remove-webhook', 'acme']),
  ],
  [['remove-webhook', 'acme'], held],
  [['pause', 'acme'], async () => {}],
  [['resume', 'acme'], held],
  [['rotate-signature', 'acme'], async () => {}],
  [['rotate-signature', 'acme', '--finish'], announced],
  [['rotate-signature', 'acme', '--cancel'], announced],
  [['revoke-grant', 'acme', '--grant', 'group=group-b', '--recall'], onTheBus],
  [['disable', 'acme', '--recall'], onTheBus],
  [['delete', 'acme'], held],
];

/** Everything that a command leaves, when the flush has sent what it scheduled. */
const leftBy = async (world: WebhookWorld) => {
  await world.ledgerWorld.flush();
  const { createdAtMs: _, ...partner } = await world.partner();
  const { connections, destinations, rules } = world.bus;
  return {
    partner: { ...partner, signatureMadeAtMs: undefined, nextSignatureMadeAtMs: undefined },
    differences: await world.differences(),
    signatures: await world.signatures(),
    parts: [connections.size, destinations.size, rules.size],
    states: await world.states(),
  };
};

const arranged = async (arrange: Arrange) => {
  const world = await aWebhookWorld(stackFile);
  await arrange(world);
  return world;
};

/** More changes than any command makes. */
const mostChanges = 30;

describe('S-28 a command that died can be run again', () => {
  test.each(commands)('%j, wherever it dies', async (args, arrange) => {
    const undisturbed = await arranged(arrange);
    expect((await undisturbed.run(args)).exitCode).toBe(0);
    const wanted = await leftBy(undisturbed);

    let deaths = 0;
    for (; deaths <= mostChanges; deaths += 1) {
      const world = await arranged(arrange);
      const died = await world.run(args, dyingAfter(deaths, world));
      if (died.exitCode === 0) break;
      expect(died.noted).toContain('It died here');
      world.ledgerWorld.pass({ seconds: 1 });
      expect((await world.run(args)).exitCode).toBe(0);
      // A recall that died leaves the partner paused, and says so.
      if ((await world.partner()).webhookPaused && args[0] !== 'pause') await world.run(['resume', 'acme']);
      expect(await leftBy(world)).toEqual(wanted);
    }
    expect(deaths).toBeGreaterThan(0);
    expect(deaths).toBeLessThan(mostChanges);
  });

  test.each(commands)(
    '%j loses no event on a rule without a target, wherever it dies',
    async (args, arrange) => {
      for (let deaths = 0; deaths <= mostChanges; deaths += 1) {
        const world = await arranged(arrange);
        const died = await world.run(args, dyingAfter(deaths, world));
        const partner = await world.partner();
        const isSent = partner.enabled && partner.webhookUrl !== undefined && !partner.webhookPaused;
        const isDropped = (await world.differences()).some((code) =>
          /^(RULE|TARGET)_(MISSING|DISABLED)/.test(code),
        );
        expect(isSent && partner.name === 'acme' && isDropped).toBe(false);
        if (died.exitCode === 0) return;
      }
    },
  );
});
