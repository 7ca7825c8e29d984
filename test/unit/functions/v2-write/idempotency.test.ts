import { expect, test } from '@jest/globals';
import type { Grant } from '../../../../functions/shared/domain/ownership/grant.ts';
import { aV2Write } from '../../../support/apis/v2-write.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';
import { createMemoryRequests } from '../../../support/memory/requests.ts';

const uuid = uuidOf(1);
const address = `/api/v2/transaction/${uuid}`;
const payment = '/api/v2/payment';
const paid = { transaction: uuid, type: 1, value: '199.00', status: 1, token: 'tok_1' };
const headers = { 'Idempotency-Key': 'k' };
const pay = { method: 'POST', headers, body: paid };
const payOther = { ...pay, body: { ...paid, value: '1.00' } };
const change = { headers, body: { guestEmail: 'a@b.example' } };

/** The V2 writes over one transaction. */
const aWorld = async (more: Parameters<typeof aV2Write>[0] = {}) => {
  const world = await aV2Write({ transactions: [{ uuid }], ...more });
  const stored = async () => {
    const { version, transaction } = (await world.store.byUuid(uuid)) ?? {};
    return { version, payments: transaction?.payments?.length ?? 0, guestEmail: transaction?.guestEmail };
  };
  const grant = async (grants: readonly Grant[]) => {
    const before = await world.partners.byClientId(aPartner().clientId);
    if (before) await world.partners.update({ before, after: { ...before, grants: [...grants] } });
  };
  return { ...world, stored, grant };
};
const replayedOf = (answer: { headers: Record<string, unknown> }) => answer.headers['Idempotency-Replayed'];

test('WR-1 the same payment again gets the first response and pays once', async () => {
  const { ask, stored } = await aWorld();

  const first = await ask(payment, pay);
  const again = await ask('/v2/payment/', pay);

  expect(again).toEqual({ ...first, headers: { ...first.headers, 'Idempotency-Replayed': 'true' } });
  expect([first.status, (await stored()).payments]).toEqual([201, 1]);
});

test('WR-1 SHOW-1 a replay never holds a token, although the first response showed it', async () => {
  const { ask } = await aWorld({ partners: [aPartner({ showsPaymentTokens: true })] });

  const first = await ask(payment, pay);
  const again = await ask(payment, pay);

  expect([first.body.token, again.body.token, again.body.id]).toEqual(['tok_1', null, first.body.id]);
});

test('WR-1 another body under the key is 422, and nothing is written', async () => {
  const { ask, stored } = await aWorld();
  await ask(payment, pay);

  const { status, body } = await ask(payment, payOther);

  const message = 'The key was used with another body.';
  expect([status, body.errors]).toEqual([422, [{ field: 'Idempotency-Key', message }]]);
  expect((await stored()).payments).toBe(1);
});

test('WR-1 S-11 a token without nop2/read reads nothing by the replay of what a fuller token was answered', async () => {
  const { ask } = await aWorld();
  const first = await ask(address, change);

  const again = await ask(address, { ...change, partner: `write.${aPartner().clientId}` });

  expect(first.body.guestEmail).toBe('a@b.example');
  expect([again.status, again.body, replayedOf(again)]).toEqual([200, { uuid }, 'true']);
});

test.each([
  ['an update', { guestEmail: 'a@b.example' }],
  ['WR-3 a write that changed nothing', {}],
])('WR-1 %s is replayed although the transaction has moved on, and If-Match is stale', async (_, body) => {
  const { ask, stored } = await aWorld();
  const asked = { headers: { ...headers, 'If-Match': '"1.x"' }, body };
  const first = await ask(address, asked);
  await ask(address, { body: { guestEmail: 'c@d.example' } });

  const again = await ask(address, asked);

  expect([again.status, again.text, replayedOf(again)]).toEqual([200, first.text, 'true']);
  expect((await stored()).guestEmail).toBe('c@d.example');
});

test.each([
  ['a payment', payment, pay, { value: '1.00' }, 'transaction-not-found'],
  ['a change', address, change, { incentive: true }, 'not-found'],
  ['a PUT', address, { ...change, method: 'PUT' }, { incentive: true }, 'not-found'],
  ['a save without a change', address, { headers, body: {} }, { incentive: true }, 'not-found'],
])(
  'WR-1 DEL-1 GRANT-2 the replay of %s is judged like a read: 404 where that is 404, whatever the body',
  async (...row) => {
    const [, path, asked, otherwise, type] = row;
    const { ask, stored, grant } = await aWorld();
    const first = await ask(path, asked);
    const before = await stored();

    await grant([]);
    const revoked = await ask(path, asked);
    await grant([{ group: 'elsewhere' }]);
    const elsewhere = await ask(path, asked);
    const otherBody = await ask(path, { ...asked, body: { ...asked.body, ...otherwise } });
    await grant(aPartner().grants);
    const granted = await ask(path, asked);
    const unchanged = await stored();
    await ask(address, { body: { isDeleted: 1 } });
    const deleted = await ask(path, asked);

    for (const answer of [revoked, elsewhere, otherBody, deleted]) {
      expect([answer.status, replayedOf(answer)]).toEqual([404, undefined]);
      expect(answer.body.type).toBe(`https://api.example/docs/problems#${type}`);
    }
    expect([granted.text, replayedOf(granted)]).toEqual([first.text, 'true']);
    expect(unchanged).toEqual(before);
  },
);

const patch = { headers, body: { incentive: true } };
test.each([
  ['another caller', payment, pay, payment, { ...pay, partner: 'OTHER' }],
  ['another caller of a change', address, patch, address, { ...patch, partner: 'OTHER' }],
  ['another key', payment, pay, payment, { ...pay, headers: { 'Idempotency-Key': 'k2' } }],
  ['another method', address, patch, address, { ...patch, method: 'PUT' }],
  ['another transaction', address, patch, `/api/v2/transaction/${uuidOf(2)}`, patch],
])('WR-1 %s is another command', async (_name, path, asked, otherPath, other) => {
  const { ask } = await aWorld({
    transactions: [{ uuid }, { uuid: uuidOf(2) }],
    partners: [aPartner(), aPartner({ clientId: 'OTHER', name: 'Other' })],
  });
  const first = await ask(path, asked);

  const second = await ask(otherPath, other);

  expect([second.status, replayedOf(second)]).toEqual([first.status, undefined]);
});

const dayMs = 24 * 60 * 60 * 1000;
test.each([
  [dayMs - 1, 'true'],
  [dayMs, undefined],
])('WR-1 after %d ms the answer is replayed: %s', async (ms, replayed) => {
  const { ask, time } = await aWorld();
  await ask(address, change);
  time.now = new Date(time.now.getTime() + ms);

  expect(replayedOf(await ask(address, change))).toBe(replayed);
});

test('WR-1 a refusal is not kept: the same key is decided anew', async () => {
  const { ask } = await aWorld();

  expect((await ask(address, { headers: { ...headers, 'If-Match': '"9.x"' }, body: {} })).status).toBe(412);
  expect((await ask(address, { headers, body: { nope: 1 } })).status).toBe(422);
  expect((await ask(address, { headers, body: {} })).status).toBe(200);
});

test('WR-1 TH-20 ten at once under one key: one payment, and ten equal answers', async () => {
  const { ask, stored } = await aWorld();

  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(payment, pay)));

  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter((answer) => replayedOf(answer) === 'true')).toHaveLength(9);
  expect((await stored()).payments).toBe(1);
});

test('WR-1 WR-2 a repetition that comes while the first one is being written gets its response, not 412', async () => {
  const { ask, store } = await aWorld();
  const conditional = { ...change, headers: { ...headers, 'If-Match': '"1.x"' } };
  const { byUuid } = store;
  let first: Awaited<ReturnType<typeof ask>> | undefined;
  store.byUuid = async (asked) => {
    store.byUuid = byUuid;
    first = await ask(address, conditional);
    return byUuid(asked);
  };

  const again = await ask(address, conditional);

  expect([first?.status, again.status, again.text]).toEqual([200, 200, first?.text]);
  expect(replayedOf(again)).toBe('true');
});

test('WR-1 two bodies at once under one key: one is done, the other refused', async () => {
  const { ask, stored } = await aWorld();

  const answers = await Promise.all([ask(payment, pay), ask(payment, payOther)]);

  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  expect((await stored()).payments).toBe(1);
});

test.each([
  ['', 400],
  ['a b', 400],
  ['ü', 400],
  ['x'.repeat(256), 400],
  [['a', 'b'], 400],
  ['x'.repeat(255), 200],
  ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', 200],
])('WR-1 the key %j is %i', async (key, expected) => {
  const { ask, stored } = await aWorld();

  const { status } = await ask(address, { ...change, headers: { 'Idempotency-Key': key } });

  expect([status, (await stored()).version]).toEqual([expected, expected === 200 ? 2 : 1]);
});

test('S-57 WR-1 no key and no body is in a record', async () => {
  const kept: string[] = [];
  const requests = createMemoryRequests();
  const remember: typeof requests.remember = async (record, now) => {
    kept.push(JSON.stringify(record));
    return requests.remember(record, now);
  };
  const { ask } = await aWorld({ requests: { ...requests, remember } });

  await ask(address, { headers: { 'Idempotency-Key': 'canary-key' }, body: { customer: null } });

  expect(kept).toHaveLength(1);
  expect(kept[0]).not.toContain('canary');
  expect(kept[0]).not.toContain('customer');
});
