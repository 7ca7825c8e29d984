import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { createOwnChanges } from '../../../functions/shared/store/partners/own-changes.ts';
import type { IdempotencyRecord } from '../../../functions/shared/store/requests/request-store.ts';
import { besideOf, createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import { aPartner, aSecret } from '../../support/builders/a-partner.ts';
import { createSignedPartnerStore } from '../../support/engine/partner-store.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const now = new Date('2026-03-01T12:00:00Z');
const done = { ok: true, value: undefined };
let partners = 0;

/** A partner of its own, with its stores. */
const aWorld = async () => {
  partners += 1;
  const { documents } = engine;
  const access = { documents, partnersTable: 'Partners', requestsTable: 'Requests' };
  const store = createSignedPartnerStore(access);
  const before = aPartner({ clientId: `own-${partners}`, name: `Own ${partners}` });
  await store.create({ partner: before, secrets: [aSecret()] }, 'first');
  const record = (id = `key-${partners}`): IdempotencyRecord => ({
    ...{ id, bodyHash: 'hash', uuid: '', answer: { status: 200, headers: {}, body: '' } },
    expiresAtMs: now.getTime() + 24 * 60 * 60 * 1000,
  });
  const changed = (changes: Partial<Partner>) => ({ before, after: { ...before, ...changes } });
  const requests = createRequestStore(access);
  const isKept = async (id = `key-${partners}`) => (await requests.find(id, now)) !== undefined;
  const beside = (id?: string) => besideOf('Requests', record(id));
  return { ...createOwnChanges(access), store, before, changed, beside, isKept };
};

test('V2-13 S-27 record, signature and the record of the key are one step, and no value is read', async () => {
  const { replaceWebhook, store, before, changed, beside, isKept } = await aWorld();
  const announced = changed({ nextSignatureMadeAtMs: 5 });

  expect(await replaceWebhook(announced, { signature: { announce: 'second' }, ...beside() })).toEqual(done);
  expect(await store.signatureOf(before.clientId)).toEqual({ signature: 'first', next: 'second' });
  expect(await isKept()).toBe(true);
  const finished = { before: announced.after, after: { ...before, signatureMadeAtMs: 5 } };
  expect(await replaceWebhook(finished, { signature: 'finish' })).toEqual(done);
  expect(await store.signatureOf(before.clientId)).toEqual({ signature: 'second' });
  expect(await store.byClientId(before.clientId)).toEqual(finished.after);
});

test('V2-13 a signature that a third one replaces is removed', async () => {
  const { replaceWebhook, store, before, changed } = await aWorld();
  const announced = changed({ nextSignatureMadeAtMs: 5 });
  await replaceWebhook(announced, { signature: { announce: 'second' } });

  await replaceWebhook(
    { before: announced.after, after: { ...before, nextSignatureMadeAtMs: 6 } },
    { signature: { announce: 'third' } },
  );

  expect(await store.signatureOf(before.clientId)).toEqual({ signature: 'first', next: 'third' });
});

test('V2-13 a record that the operator changed meanwhile refuses the whole step', async () => {
  const { replaceWebhook, store, before, changed, beside, isKept } = await aWorld();
  const paused: Partner = { ...before, webhookPaused: 'operator' };
  await store.update({ before, after: paused });

  const change = changed({ nextSignatureMadeAtMs: 5 });
  const refused = await replaceWebhook(change, { signature: { announce: 'second' }, ...beside() });

  expect(refused).toEqual({ ok: false, reason: 'changed-meanwhile' });
  expect(await store.byClientId(before.clientId)).toEqual(paused);
  expect(await store.signatureOf(before.clientId)).toEqual({ signature: 'first' });
  expect(await isKept()).toBe(false);
});

test('V2-13 a switch to a missing value is refused, and the present one stays', async () => {
  const { replaceWebhook, store, before, changed } = await aWorld();

  const refused = await replaceWebhook(changed({ signatureMadeAtMs: 5 }), { signature: 'finish' });

  expect(refused).toEqual({ ok: false, reason: 'changed-meanwhile' });
  expect(await store.signatureOf(before.clientId)).toEqual({ signature: 'first' });
});

test('WR-1 V2-13 a used key refuses the whole step, by name', async () => {
  const { replaceWebhook, replaceSecrets, store, before, changed, beside } = await aWorld();
  const first = changed({ webhookUrl: 'https://one.example/' });
  await replaceWebhook(first, beside());

  const second = { before: first.after, after: { ...before, webhookUrl: 'https://two.example/' } };
  const change = { before: [aSecret()], after: [aSecret({ id: 's2', hash: 'two' })] };

  expect(await replaceWebhook(second, beside())).toEqual({ ok: false, reason: 'key-used' });
  expect(await replaceSecrets(before.clientId, change, beside())).toEqual({ ok: false, reason: 'key-used' });
  expect(await store.credentialsOf(before.clientId)).toMatchObject({
    partner: first.after,
    secrets: [aSecret()],
  });
});

test('V2-13 S-20 secrets are replaced on the condition that facts and hashes are as they were read', async () => {
  const { replaceSecrets, store, before, beside, isKept } = await aWorld();
  const { clientId } = before;
  const former = aSecret({ expiresAtMs: 9 });
  const fresh = aSecret({ id: 's2', hash: 'two', createdAtMs: 7 });
  const change = { before: [aSecret()], after: [fresh, former] };
  await store.rehash(clientId, aSecret(), { hash: 'anew', pepperId: '1' });

  expect(await replaceSecrets(clientId, change, beside())).toEqual({
    ok: false,
    reason: 'changed-meanwhile',
  });
  expect(await isKept()).toBe(false);
  const rehashed = [aSecret({ hash: 'anew', pepperId: '1' })];
  expect(await replaceSecrets(clientId, { before: rehashed, after: change.after }, beside())).toEqual(done);
  expect((await store.credentialsOf(clientId))?.secrets).toEqual([fresh, former]);
  expect(await isKept()).toBe(true);
});

test('V2-13 a partner that was removed meanwhile is not created again', async () => {
  const { replaceWebhook, store, before, changed } = await aWorld();
  await store.remove(before.clientId);

  const change = changed({ nextSignatureMadeAtMs: 5 });

  expect(await replaceWebhook(change, { signature: { announce: 'second' } })).toEqual({
    ...{ ok: false, reason: 'changed-meanwhile' },
  });
  const Key = { pk: `WEBHOOK#${before.clientId}`, sk: 'SIGNATURE' };
  const { Item } = await engine.documents.send(new GetCommand({ TableName: 'Partners', Key }));
  expect(Item).toBeUndefined();
});
