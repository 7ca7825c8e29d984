import { describe, expect, test } from '@jest/globals';
import { aV2Write } from '../../../support/apis/v2-write.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';

const uuid = uuidOf(1);
const partners = [aPartner({ webhookUrl: 'https://partner.example/' })];

const aWorld = async (more: Parameters<typeof aV2Write>[0] = {}) => {
  const world = await aV2Write({ transactions: [{ uuid }], partners, ...more });
  const pay = (status = 1, headers = {}) =>
    world.ask('/api/v2/payment', {
      method: 'POST',
      body: { transaction: uuid, type: 1, value: '199.00', status },
      headers,
    });
  return { ...world, pay };
};

describe('a completing payment', () => {
  test('EV-16 is announced to publish-dormant before the response', async () => {
    const world = await aWorld();

    const answer = await world.pay();

    expect([answer.status, world.asked]).toEqual([201, [uuid]]);
  });

  test('I8 is announced once, whatever payments or repeats follow', async () => {
    const { pay, asked } = await aWorld();

    await pay(1, { 'Idempotency-Key': 'k' });
    await pay(1, { 'Idempotency-Key': 'k' });
    await pay();

    expect(asked).toEqual([uuid]);
  });

  test('EV-16 is answered even if the announcement fails, which is logged; its marker is due', async () => {
    const logged: unknown[] = [];
    const { pay, debounceTable } = await aWorld({
      askForCompletion: () => Promise.reject(new Error('no queue')),
      log: (name, facts, fault) => logged.push([name, facts, (fault as Error | undefined)?.message]),
    });

    const { status } = await pay();

    expect(status).toBe(201);
    expect(logged).toContainEqual(['completionLeft', {}, 'no queue']);
    expect(debounceTable.rowsOf(uuid)).toMatchObject([
      { kind: 'COMPLETED', version: 2, dueAtMs: Date.parse('2026-03-01T12:00:00.500Z') },
    ]);
  });
});

test('I8 neither a payment that failed nor any other change publishes a completion', async () => {
  const { pay, ask, asked, debounceTable } = await aWorld();

  await pay(0);
  await ask(`/api/v2/transaction/${uuid}`, { body: { guestEmail: 'a@b.example' } });

  expect(asked).toEqual([]);
  expect(debounceTable.rowsOf(uuid)).toEqual([]);
});
