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

const endpoint = 'transactions-local-P';
const targetOf = () => world.bus.rules.get(endpoint)?.targets[0];

/** As after a service stack that was made anew: the bus is empty, and targets hold a role that is gone. */
const loseRule = () => world.bus.rules.delete(endpoint);
const changeRole = () => {
  const target = targetOf();
  if (target) target.RoleArn = 'arn:aws:iam::000000000000:role/gone';
};

describe('D-09 partner repair --all', () => {
  test('makes a rule that is gone again, with its target', async () => {
    loseRule();

    const { exitCode, printed } = await world.run(['repair', '--all']);

    expect([exitCode, printed]).toEqual([
      0,
      'Made again: acme (RULE_MISSING)\nPartners with a webhook: 1; as they should be: 0.\n',
    ]);
    expect(await world.differences()).toEqual([]);
    expect(targetOf()).toBeDefined();
  });

  test('gives targets the role and the dead-letter queue of the stack', async () => {
    changeRole();

    const { json } = { json: await world.json(['repair', '--all']) };

    expect(json).toEqual({
      partners: 1,
      differing: [{ name: 'acme', differences: ['TARGET_DIFFERS'] }],
      failed: [],
      dryRun: false,
    });
    expect(targetOf()?.RoleArn).toBe('arn:aws:iam::000000000000:role/delivery');
  });

  test('makes connection and destination again, and sends the signature that the store has', async () => {
    world.bus.connections.delete(endpoint);
    world.bus.destinations.delete(endpoint);

    await world.run(['repair', '--all']);

    expect(await world.differences()).toEqual([]);
    expect(await world.signatures()).toMatchObject({ isSame: true });
  });

  test('changes nothing where all is well, and says so', async () => {
    const { printed } = await world.run(['repair', '--all']);

    expect(printed).toBe('Partners with a webhook: 1; as they should be: 1.\n');
  });

  test('with --dry-run says what differs, with exit code 1, and changes and records nothing', async () => {
    loseRule();
    const before = world.records.length;

    const { exitCode, printed } = await world.run(['repair', '--all', '--dry-run']);

    expect([exitCode, printed]).toEqual([
      1,
      'Differs: acme (RULE_MISSING)\nPartners with a webhook: 1; as they should be: 0.\n',
    ]);
    expect(await world.differences()).toEqual(['RULE_MISSING']);
    expect(world.records).toHaveLength(before);
  });

  test('names whom it failed at, with exit code 1, and goes on', async () => {
    const endpoints = {
      ...world.deps.endpoints,
      inspect: async () => Promise.reject(new Error('throttled')),
    };

    const { exitCode, printed } = await world.run(['repair', '--all'], { ...world.deps, endpoints });

    expect([exitCode, printed]).toEqual([
      1,
      'Failed: acme; run the command again, or see "partner show acme".\nPartners with a webhook: 1; as they should be: 0.\n',
    ]);
  });

  test('S-77 gives nobody a target back while all webhooks are stopped', async () => {
    await world.runAll(['stop']);
    loseRule();

    await world.run(['repair', '--all']);

    expect(world.bus.rules.get(endpoint)?.targets).toEqual([]);
  });

  test('S-28 is written to the audit record before it happens', async () => {
    loseRule();
    const audit = { append: async () => Promise.reject(new Error('no record')) };

    await world.run(['repair', '--all'], { ...world.deps, audit });

    expect(await world.differences()).toEqual(['RULE_MISSING']);
  });
});

test('D-09 one partner can be repaired by its name; without a name and without --all nothing is', async () => {
  loseRule();

  expect((await operate(world.deps, stackFile, ['partner', 'repair'])).noted).toBe(
    'Name one partner, or say --all.\n',
  );
  expect((await world.run(['repair', 'acme'])).exitCode).toBe(0);
  expect(await world.differences()).toEqual([]);
});
