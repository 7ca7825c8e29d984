import { rmSync } from 'node:fs';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { dyingAfter } from '../../../../support/operator/deaths.ts';
import { aWorkspace } from '../../../../support/operator/operator.ts';
import { aWebhookWorld, type WebhookWorld } from '../../../../support/operator/webhook-world.ts';

const { folder, stackFile } = aWorkspace();
afterAll(() => rmSync(folder, { recursive: true }));

let world: WebhookWorld;
beforeEach(async () => {
  world = await aWebhookWorld(stackFile);
});

test('resume sends one event per transaction for what was kept, and says how many', async () => {
  await world.run(['pause', 'acme']);
  await world.put(1, 'HELD');
  await world.put(2, 'HELD');

  const { printed } = await world.run(['resume', 'acme']);

  expect(printed).toBe('Events for "acme" are sent again; 2 for what was kept.\n');
  expect(await world.ledgerWorld.flush()).toHaveLength(2);
  expect(await world.states()).toEqual({ 1: 'ACCEPTED', 2: 'ACCEPTED' });
});

test('TH-23 resume sends more than a hundred kept events of a transaction as one, and leaves none', async () => {
  await world.run(['pause', 'acme']);
  await world.putMany(130, 'HELD');

  await world.run(['resume', 'acme']);
  const sent = await world.ledgerWorld.flush();

  expect(sent.map(({ from, to }) => ({ from, to }))).toEqual([{ from: 0, to: 130 }]);
  expect(await world.count('HELD')).toBe(0);
});

test('the second look finds an event that was kept right after the record changed', async () => {
  await world.run(['pause', 'acme']);
  await world.put(1, 'HELD');
  world.whileWaiting.push(async () => void (await world.put(2, 'HELD')));

  expect(await world.json(['resume', 'acme'])).toMatchObject({ events: 2 });
  expect(await world.ledgerWorld.flush()).toHaveLength(2);
});

test.each([
  ['remove-webhook', 'SUPPRESSED NO_ENDPOINT'],
  ['delete', 'SUPPRESSED DISABLED'],
])('I16 kept events are ended when the webhook goes: %s', async (command, end) => {
  await world.run(['pause', 'acme']);
  await world.put(1, 'HELD');

  await world.run([command, 'acme']);

  expect(await world.ledgerWorld.flush()).toEqual([]);
  expect(await world.states()).toEqual({ 1: end });
});

test('resuming sends everything after a recall that died while the rule had no target', async () => {
  const accepted = await world.put(1, 'ACCEPTED');
  // The grant is revoked, the partner paused, the target removed; the run dies before it creates the target again.
  const dying = dyingAfter(3, world);
  const died = await world.run(['revoke-grant', 'acme', '--grant', 'group=group-b', '--recall'], dying);
  const afterDeath = [await world.differences(), (await world.partner()).webhookPaused];
  await world.put(3, 'HELD');

  await world.run(['resume', 'acme']);
  const sent = await world.ledgerWorld.flush();

  expect(died.noted).toContain('It died here');
  expect(afterDeath).toEqual([['TARGET_MISSING'], 'operator']);
  expect(await world.differences()).toEqual([]);
  expect(sent).toHaveLength(1);
  expect(await world.deps.ledger.delivery(accepted)).toMatchObject({ state: 'ACCEPTED' });
});
