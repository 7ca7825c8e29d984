import { expect, test } from '@jest/globals';
import { aV2Write } from '../../../support/apis/v2-write.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';

const uuid = uuidOf(1);
const address = `/api/v2/transaction/${uuid}`;

/** A canary in every text of a caller, in accepted requests and in refused ones. */
const bodies = [
  { referrerUrl: 'https://shop.example/?token=canary', guestEmail: 'canary@example.com' },
  { customer: { name: 'canary' }, extras: { canary: 'canary' } },
  { vehicle: { identifiers: { ndstockid: 'canary' } } },
  { canary: 'canary' },
  { guestEmail: ['canary'] },
  'canary{',
];
const texts = { token: 'canary', reference: 'canary', message: 'canary' };
const payment = { transaction: uuid, type: 1, value: '1.00', status: 0, ...texts };

test('TH-16 no log line has values from callers, whether accepted, refused or failed', async () => {
  const logged: string[] = [];
  const { ask } = await aV2Write({
    transactions: [{ uuid }],
    log: (name, facts, fault) => logged.push(JSON.stringify({ name, facts, hasFault: fault !== undefined })),
  });

  for (const body of bodies) {
    await ask(`${address}?canary=canary`, { body, headers: { 'Idempotency-Key': 'canary' } });
  }
  const paid = await ask('/api/v2/payment', { method: 'POST', body: payment });

  expect(paid.status).toBe(201);
  expect(logged).toHaveLength(7);
  expect(logged.join('\n')).not.toContain('canary');
});
