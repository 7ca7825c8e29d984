import { describe, expect, test } from '@jest/globals';
import type { PartnerStore } from '../../../../bin/operator/store/partners/partner-store.ts';
import type { Grant } from '../../../../functions/shared/domain/ownership/grant.ts';
import { aV2Write } from '../../../support/apis/v2-write.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';
import { createMemoryRequests } from '../../../support/memory/requests.ts';

const uuid = uuidOf(1);
const one = { transactions: [{ uuid }] };
const paid = { transaction: uuid, type: 1, value: '199.00', status: 1, token: 'tok_1' };
const pay = { method: 'POST', headers: { 'Idempotency-Key': 'key-1' }, body: paid };
const address = `/api/v2/transaction/${uuid}`;
const day = 24 * 60 * 60 * 1000;

const grant = async (partners: PartnerStore, grants: Grant[]) => {
  const before = await partners.byClientId(aPartner().clientId);
  if (before) await partners.update({ before, after: { ...before, grants } });
};

describe('WR-1 Idempotency-Key', () => {
  test('a repeated payment gets the first response and pays once', async () => {
    const { ask, store } = await aV2Write(one);

    const first = await ask('/api/v2/payment', pay);
    const again = await ask('/v2/payment/', pay);

    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers).toEqual({ ...first.headers, 'Idempotency-Replayed': 'true' });
    expect((await store.byUuid(uuid))?.transaction.payments).toHaveLength(1);
  });

  test('a replay never has a payment token, even if the first response had it', async () => {
    const { ask } = await aV2Write({ ...one, partners: [aPartner({ showsPaymentTokens: true })] });

    const first = await ask('/api/v2/payment', pay);
    const again = await ask('/api/v2/payment', pay);

    expect([first.body.token, again.body.token, again.body.id]).toEqual(['tok_1', null, first.body.id]);
  });

  test('another body under the same key is 422, and nothing is written', async () => {
    const { ask, store } = await aV2Write(one);
    await ask('/api/v2/payment', pay);

    const { status, body } = await ask('/api/v2/payment', { ...pay, body: { ...paid, value: '1.00' } });

    expect([status, body.errors]).toEqual([
      422,
      [{ field: 'Idempotency-Key', message: 'The key was used with another body.' }],
    ]);
    expect((await store.byUuid(uuid))?.transaction.payments).toHaveLength(1);
  });

  test('S-11 a token without nop2/read reads nothing from the replay of a response to another token', async () => {
    const { ask } = await aV2Write(one);
    const asked = { headers: { 'Idempotency-Key': 'k' }, body: { guestEmail: 'a@b.example' } };
    const first = await ask(address, asked);

    const again = await ask(address, { ...asked, partner: `write.${aPartner().clientId}` });

    expect(first.body.guestEmail).toBe('a@b.example');
    expect([again.status, again.body]).toEqual([200, { uuid }]);
    expect(again.headers['Idempotency-Replayed']).toBe('true');
  });

  test('an update is replayed although the transaction has changed since and If-Match is stale', async () => {
    const { ask, store } = await aV2Write(one);
    const asked = {
      headers: { 'Idempotency-Key': 'k', 'If-Match': '"1.x"' },
      body: { guestEmail: 'a@b.example' },
    };
    const first = await ask(address, asked);
    await ask(address, { body: { guestEmail: 'c@d.example' } });

    const again = await ask(address, asked);

    expect([again.status, again.text, again.headers['Idempotency-Replayed']]).toEqual([
      200,
      first.text,
      'true',
    ]);
    expect((await store.byUuid(uuid))?.transaction.guestEmail).toBe('c@d.example');
  });

  test.each([
    ['a payment', '/api/v2/payment', pay],
    ['a change', address, { headers: { 'Idempotency-Key': 'k' }, body: { guestEmail: 'a@b.example' } }],
    ['a PUT', address, { method: 'PUT', headers: { 'Idempotency-Key': 'k' }, body: { extras: { mats: 1 } } }],
    ['a save without a change', address, { headers: { 'Idempotency-Key': 'k' }, body: {} }],
  ])(
    'DEL-1 GRANT-2 the replay of %s is checked like a read, and 404 where a read is',
    async (_, path, asked) => {
      const { ask, store, partners } = await aV2Write(one);
      const first = await ask(path, asked);

      await grant(partners, []);
      const revoked = await ask(path, asked);
      await grant(partners, [{ group: 'elsewhere' }]);
      const elsewhere = await ask(path, asked);
      await grant(partners, aPartner().grants);
      const granted = await ask(path, asked);
      await ask(address, { body: { isDeleted: 1 } });
      const deleted = await ask(path, asked);

      const refused = [revoked, elsewhere, deleted];
      expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(refused.map(({ headers }) => headers['Idempotency-Replayed'])).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(refused[0]?.body.type).toBe(
        `https://api.example/docs/problems#${asked === pay ? 'transaction-not-found' : 'not-found'}`,
      );
      expect([granted.text, granted.headers['Idempotency-Replayed']]).toEqual([first.text, 'true']);
      expect((await store.byUuid(uuid))?.transaction.payments ?? []).toHaveLength(asked === pay ? 1 : 0);
    },
  );

  test('DEL-1 a repeated deletion is 404, like a read', async () => {
    const { ask } = await aV2Write(one);
    const asked = { headers: { 'Idempotency-Key': 'k' }, body: { isDeleted: 1 } };

    expect((await ask(address, asked)).status).toBe(200);
    expect((await ask(address, asked)).status).toBe(404);
  });

  test('GRANT-2 WR-1 another body under the key of a hidden transaction is 404, not 422', async () => {
    const { ask, partners } = await aV2Write(one);
    await ask('/api/v2/payment', pay);
    await grant(partners, []);

    const { status } = await ask('/api/v2/payment', { ...pay, body: { ...paid, value: '1.00' } });

    expect(status).toBe(404);
  });

  test('WR-3 a write without effect is stored under its key', async () => {
    const { ask, store } = await aV2Write(one);
    const asked = { headers: { 'Idempotency-Key': 'k' }, body: { incentive: false } };
    await ask(address, asked);
    await ask(address, { body: { incentive: true } });

    const again = await ask(address, asked);

    expect([again.headers['Idempotency-Replayed'], again.body.incentive]).toEqual(['true', false]);
    expect((await store.byUuid(uuid))?.version).toBe(2);
  });

  test.each([
    ['another caller', { partner: 'OTHER' }, '/api/v2/payment'],
    ['another key', { headers: { 'Idempotency-Key': 'key-2' } }, '/api/v2/payment'],
  ])('%s is another request', async (_name, more, path) => {
    const { ask, store } = await aV2Write({
      ...one,
      partners: [aPartner(), aPartner({ clientId: 'OTHER', name: 'Other' })],
    });
    await ask('/api/v2/payment', pay);

    const { headers } = await ask(path, { ...pay, ...more });

    expect(headers['Idempotency-Replayed']).toBeUndefined();
    expect((await store.byUuid(uuid))?.transaction.payments).toHaveLength(2);
  });

  test('another method or transaction is another request', async () => {
    const { ask } = await aV2Write({ transactions: [{ uuid }, { uuid: uuidOf(2) }] });
    const asked = { headers: { 'Idempotency-Key': 'k' }, body: { incentive: true } };
    await ask(address, asked);

    const put = await ask(address, { ...asked, method: 'PUT' });
    const other = await ask(`/api/v2/transaction/${uuidOf(2)}`, asked);

    expect([put.headers['Idempotency-Replayed'], other.headers['Idempotency-Replayed']]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each([
    [day - 1, 'true'],
    [day, undefined],
  ])('after %d ms the response is %s', async (ms, replayed) => {
    const world = await aV2Write(one);
    const asked = { headers: { 'Idempotency-Key': 'k' }, body: { incentive: true } };
    await world.ask(address, asked);
    world.time.now = new Date(world.time.now.getTime() + ms);

    expect((await world.ask(address, asked)).headers['Idempotency-Replayed']).toBe(replayed);
  });

  test('a refusal is not stored: the same key is decided again', async () => {
    const { ask } = await aV2Write(one);
    const headers = { 'Idempotency-Key': 'k' };

    expect((await ask(address, { headers: { ...headers, 'If-Match': '"9.x"' }, body: {} })).status).toBe(412);
    expect((await ask(address, { headers, body: { nope: 1 } })).status).toBe(422);
    expect((await ask(address, { headers, body: {} })).status).toBe(200);
  });

  test('TH-20 ten parallel requests under one key are one payment with ten equal responses', async () => {
    const { ask, store } = await aV2Write(one);

    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('/api/v2/payment', pay)));

    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['Idempotency-Replayed'] === 'true')).toHaveLength(9);
    expect((await store.byUuid(uuid))?.transaction.payments).toHaveLength(1);
  });

  test('of two bodies in parallel under one key one is done and the other refused', async () => {
    const { ask, store } = await aV2Write(one);

    const answers = await Promise.all([
      ask('/api/v2/payment', pay),
      ask('/api/v2/payment', { ...pay, body: { ...paid, value: '1.00' } }),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect((await store.byUuid(uuid))?.transaction.payments).toHaveLength(1);
  });

  test.each(['', 'a b', 'ü', 'x'.repeat(256), ['a', 'b']])('the key %j is 400', async (key) => {
    const { ask, store } = await aV2Write(one);

    const { status } = await ask(address, { headers: { 'Idempotency-Key': key }, body: { incentive: true } });

    expect(status).toBe(400);
    expect((await store.byUuid(uuid))?.version).toBe(1);
  });

  test.each(['x'.repeat(255), '"8e03978e-40d5-43e8-bc93-6894a57f9324"'])(
    'the key %j is accepted',
    async (key) => {
      const { ask } = await aV2Write(one);

      expect((await ask(address, { headers: { 'Idempotency-Key': key }, body: {} })).status).toBe(200);
    },
  );

  test('S-57 records hold neither keys nor bodies', async () => {
    const kept: string[] = [];
    const requests = createMemoryRequests();
    const { ask } = await aV2Write({
      ...one,
      requests: {
        ...requests,
        remember: async (record, now) => {
          kept.push(JSON.stringify(record));
          return requests.remember(record, now);
        },
      },
    });

    await ask(address, { headers: { 'Idempotency-Key': 'canary-key' }, body: { customer: null } });

    expect(kept).toHaveLength(1);
    expect(kept[0]).not.toContain('canary');
    expect(kept[0]).not.toContain('customer');
  });
});
