import { describe, expect, test } from '@jest/globals';
import { aV2Write } from '../../../support/apis/v2-write.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const uuid = uuidOf(1);
const marker = { uuid, kind: 'COMPLETED' } as const;
const partners = [
  aPartner({ clientId: 'PAYER', webhookUrl: 'https://payer.example/' }),
  aPartner({ clientId: 'TOKENS', webhookUrl: 'https://t.example/', showsPaymentTokens: true }),
  aPartner({ clientId: 'ELSEWHERE', webhookUrl: 'https://e.example/', grants: [{ group: 'group-b' }] }),
  aPartner({ clientId: 'NO-ENDPOINT' }),
  aPartner({ clientId: 'DISABLED', webhookUrl: 'https://d.example/', enabled: false }),
  aPartner({ clientId: 'PAUSED', webhookUrl: 'https://p.example/', webhookPaused: 'operator' }),
];

const aWorld = async (more: Parameters<typeof aV2Write>[0] = {}) => {
  const world = await aV2Write({ transactions: [{ uuid }], partners, ...more });
  const pay = (status = 1, headers = {}) =>
    world.ask('/api/v2/payment', {
      method: 'POST',
      body: { transaction: uuid, type: 1, value: '199.00', status, token: 'tok_1' },
      headers,
    });
  const { bus } = world;
  return { ...world, pay, recipients: () => bus.taken.map(({ clientId }) => clientId).sort() };
};

describe('a completing payment', () => {
  test('EV-16 is announced to publish-dormant before the response', async () => {
    const world = await aWorld();

    const answer = await world.pay();

    expect([answer.status, world.asked, world.bus.taken]).toEqual([201, [uuid], []]);
    await world.publishAsked();
    const [entry] = world.bus.taken;
    expect(entry).toMatchObject({ type: 'TransactionCompleted', from: 1, to: 2, omitted: [] });
    expect(JSON.parse(entry?.message ?? '')).toEqual({
      version: '0',
      id: entry?.eventId,
      'detail-type': 'TransactionCompleted',
      source: 'svc.local.online-payments',
      account: '000000000000',
      time: '2026-03-01T12:00:00Z',
      region: 'eu-west-2',
      resources: [],
      detail: { uuid, status: 1, ndMeta: anOwner(), payments: [answer.body] },
    });
  });

  test('I9 SHOW-1 reaches enabled partners whose grants cover it, a paused one later, the token those that may see it', async () => {
    const { pay, publishAsked, bus, recipients, deliveryLog } = await aWorld();

    await pay();
    await publishAsked();

    expect(recipients()).toEqual(['PAYER', 'TOKENS']);
    const showing = bus.taken.filter(({ message }) => message.includes('tok_1'));
    expect(showing.map(({ clientId }) => clientId)).toEqual(['TOKENS']);
    const { eventId = '' } = bus.taken[0] ?? {};
    expect(await deliveryLog.delivery({ eventId, clientId: 'PAUSED' })).toMatchObject({ state: 'HELD' });
    expect(await deliveryLog.delivery({ eventId, clientId: 'ELSEWHERE' })).toBeUndefined();
  });

  test('I8 is published once, whatever payments or repeats follow', async () => {
    const { pay, publishAsked, asked, recipients } = await aWorld();

    await pay(1, { 'Idempotency-Key': 'k' });
    await pay(1, { 'Idempotency-Key': 'k' });
    await pay();
    await publishAsked();

    expect([asked, recipients()]).toEqual([[uuid], ['PAYER', 'TOKENS']]);
  });

  test('EV-16 is answered even if the announcement fails, which is logged; its marker is due', async () => {
    const logged: unknown[] = [];
    const { pay, debounceRows } = await aWorld({
      askForCompletion: () => Promise.reject(new Error('no queue')),
      log: (name, facts, fault) => logged.push([name, facts, (fault as Error | undefined)?.message]),
    });

    const { status } = await pay();

    expect(status).toBe(201);
    expect(logged).toContainEqual(['completionLeft', {}, 'no queue']);
    expect(await debounceRows.get(marker)).toMatchObject({
      version: 2,
      dueAtMs: Date.parse('2026-03-01T12:00:00.500Z'),
    });
  });
});

test('I8 neither a payment that failed nor any other change publishes a completion', async () => {
  const { pay, ask, asked, debounceRows } = await aWorld();

  await pay(0);
  await ask(`/api/v2/transaction/${uuid}`, { body: { guestEmail: 'a@b.example' } });

  expect(asked).toEqual([]);
  expect(await debounceRows.get(marker)).toBeUndefined();
});
