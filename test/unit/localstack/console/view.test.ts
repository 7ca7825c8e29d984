import { expect, test } from '@jest/globals';
import { createViewReader } from '../../../../localstack/console/view.ts';
import type { DemoPartner } from '../../../../localstack/stack-file.ts';
import { aDelivery, anEvent, claimedAtMs } from '../../../support/builders/events.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';

const aDemoPartner = (name: string): DemoPartner => ({
  ...{ name, clientId: name, clientSecret: '', webhookSignature: '', grants: [] },
});
const stored = {
  ...aNewTransaction({ uuid: uuidOf(1), payments: [{ id: 7, token: 'a-secret-of-a-card' }] }),
  sequenceNumber: 1,
};

/** Of two partners, who were notified in turns, with what the delivery log has of each. */
const aReader = () => {
  const log = { has: 2 };
  const read = createViewReader({
    now: () => new Date(claimedAtMs),
    aheadMs: () => 0,
    dormancyMs: 120_000,
    partners: ['one', 'two'].map(aDemoPartner),
    conditionOf: () => 'healthy',
    shown: () => [uuidOf(1)],
    transactions: async () => new Map([[uuidOf(1), stored]]),
    debounceRows: { getMany: async () => new Map() },
    deliveryLog: {
      event: async (eventId) => {
        const bodies = { plain: `the message ${eventId}`, tokens: 'with tokens' };
        return log.has > 0 ? { event: anEvent({ eventId }), bodies, deliveries: [] } : undefined;
      },
      deliveriesOfPartner: async function* (clientId) {
        const newestMs = clientId === 'one' ? claimedAtMs - 1_000 : claimedAtMs;
        for (let n = 0; n < log.has; n += 1)
          yield aDelivery({ clientId, eventId: `${n}`, claimedAtMs: newestMs - 2_000 * n });
      },
    },
  });
  return { log, read };
};

test('RUN-10 RUN-12 the console shows deliveries of all partners, the newest first, also when the log has forgotten them', async () => {
  const { log, read } = aReader();
  const { deliveries } = await read();
  log.has = 0;

  expect((await read()).deliveries).toEqual(deliveries);
  expect(deliveries.map(({ partner, message }) => [partner, message])).toEqual([
    ['two', 'the message 0'],
    ['one', 'the message 0'],
    ['two', 'the message 1'],
    ['one', 'the message 1'],
  ]);
});

test('RUN-10 SHOW-1 the console shows a transaction whole, without the tokens of its payments', async () => {
  const [row] = (await aReader().read()).transactions;

  expect(row?.transaction).toMatchObject({ uuid: uuidOf(1), payments: [{ id: 7, token: null }] });
  expect(row?.transaction).toHaveProperty('financeProposal', null);
});
