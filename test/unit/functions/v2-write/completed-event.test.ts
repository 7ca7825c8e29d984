import { describe, expect, test } from '@jest/globals';
import { aV2Write } from '../../../support/apis/v2-write.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const uuid = uuidOf(1);
const address = '/api/v2/payment';
const paid = { transaction: uuid, type: 1, value: '199.00', status: 1, token: 'tok_1' };
const marker = { uuid, kind: 'COMPLETED' } as const;

const payer = aPartner({ clientId: 'PAYER', webhookUrl: 'https://payer.example/' });
const others = [
  aPartner({ clientId: 'TOKENS', webhookUrl: 'https://t.example/', showsPaymentTokens: true }),
  aPartner({ clientId: 'ELSEWHERE', webhookUrl: 'https://e.example/', grants: [{ group: 'group-b' }] }),
  aPartner({ clientId: 'NO-ENDPOINT' }),
  aPartner({ clientId: 'DISABLED', webhookUrl: 'https://d.example/', enabled: false }),
  aPartner({ clientId: 'PAUSED', webhookUrl: 'https://p.example/', webhookPaused: 'operator' }),
];

const aWorld = () => aV2Write({ transactions: [{ uuid }], partners: [payer, ...others] });
const pay = (world: Awaited<ReturnType<typeof aWorld>>, body: object = paid, headers = {}) =>
  world.ask(address, { method: 'POST', partner: 'PAYER', body, headers });

describe('a completing payment', () => {
  test('EV-16 is announced to publish-dormant before the response', async () => {
    const world = await aWorld();

    const answer = await pay(world);

    expect([world.asked, world.bus.taken]).toEqual([[uuid], []]);
    await world.publishAsked();

    expect(answer.status).toBe(201);
    const [entry] = world.bus.taken;
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
    expect(entry).toMatchObject({ type: 'TransactionCompleted', from: 1, to: 2, omitted: [] });
  });

  test('I9 is sent to enabled partners with an endpoint and a covering grant, and kept for a paused one', async () => {
    const world = await aWorld();

    await pay(world);
    await world.publishAsked();

    const [{ eventId } = { eventId: '' }] = world.bus.taken;
    expect(world.bus.taken.map(({ clientId }) => clientId).sort()).toEqual(['PAYER', 'TOKENS']);
    expect(await world.deliveryLog.delivery({ eventId, clientId: 'PAUSED' })).toMatchObject({
      state: 'HELD',
    });
    expect(await world.deliveryLog.delivery({ eventId, clientId: 'ELSEWHERE' })).toBeUndefined();
  });

  test('SHOW-1 shows the payment token only to partners that may see it', async () => {
    const world = await aWorld();

    await pay(world);
    await world.publishAsked();

    const messages = new Map(world.bus.taken.map(({ clientId, message }) => [clientId, message]));
    expect(messages.get('PAYER')).not.toContain('tok_1');
    expect(messages.get('TOKENS')).toContain('tok_1');
  });

  test('I8 is published once, whatever payments or repeats follow', async () => {
    const world = await aWorld();
    const keyed = { 'Idempotency-Key': 'k' };

    await pay(world, paid, keyed);
    await pay(world, paid, keyed);
    await pay(world);
    await world.publishAsked();

    expect(world.asked).toEqual([uuid]);
    expect(world.bus.taken.map(({ clientId }) => clientId).sort()).toEqual(['PAYER', 'TOKENS']);
  });

  test('I8 is published once for ten parallel payments', async () => {
    const world = await aWorld();

    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(world)));
    await world.publishAsked();

    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(new Set(world.bus.taken.map(({ eventId }) => eventId)).size).toBe(1);
    expect(world.bus.taken).toHaveLength(2);
  });

  test('EV-16 is answered even if the announcement fails, which is logged; its marker is due', async () => {
    const logged: unknown[] = [];
    const world = await aV2Write({
      ...{ transactions: [{ uuid }], partners: [payer] },
      askForCompletion: () => Promise.reject(new Error('no queue')),
      log: (name, facts, fault) => logged.push([name, facts, (fault as Error | undefined)?.message]),
    });

    const answer = await pay(world);

    expect(answer.status).toBe(201);
    expect(logged).toContainEqual(['completionLeft', {}, 'no queue']);
    expect(await world.debounceRows.get(marker)).toMatchObject({
      version: 2,
      dueAtMs: Date.parse('2026-03-01T12:00:00.500Z'),
    });
  });
});

describe('writes that complete nothing', () => {
  test('I8 a failed payment publishes no completion', async () => {
    const world = await aWorld();

    await pay(world, { ...paid, status: 0 });

    expect(world.asked).toEqual([]);
    expect(await world.debounceRows.get(marker)).toBeUndefined();
  });

  test('I8 other changes publish no completion', async () => {
    const world = await aWorld();

    await world.ask(`/api/v2/transaction/${uuid}`, { partner: 'PAYER', body: { guestEmail: 'a@b.example' } });

    expect(world.asked).toEqual([]);
    expect(await world.debounceRows.get(marker)).toBeUndefined();
  });
});
