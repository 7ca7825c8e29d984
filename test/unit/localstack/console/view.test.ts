import { expect, test } from '@jest/globals';
import { createViewReader } from '../../../../localstack/console/view.ts';
import type { DemoPartner } from '../../../../localstack/stack-file.ts';
import { aDelivery, claimedAtMs } from '../../../support/builders/events.ts';

const aDemoPartner = (name: string): DemoPartner => ({
  ...{ name, clientId: name, clientSecret: '', webhookSignature: '', grants: [] },
});

/** Deliveries of a partner, the newest first: one every other second. */
async function* deliveriesOf(clientId: string, newestMs: number) {
  for (let count = 0; count < 50; count += 1)
    yield aDelivery({ clientId, eventId: `${clientId} ${count}`, claimedAtMs: newestMs - 2_000 * count });
}

test('RUN-10 the console shows the newest twenty deliveries of all partners, the newest first', async () => {
  const read = createViewReader({
    now: () => new Date(claimedAtMs),
    aheadMs: () => 0,
    dormancyMs: 120_000,
    partners: ['one', 'two'].map(aDemoPartner),
    conditionOf: () => 'well',
    shown: () => [],
    transactions: async () => new Map(),
    debounceRows: { getMany: async () => new Map() },
    deliveryLog: {
      deliveriesOfPartner: (clientId) =>
        deliveriesOf(clientId, clientId === 'one' ? claimedAtMs - 1_000 : claimedAtMs),
    },
  });

  const { deliveries } = await read();

  expect(deliveries).toHaveLength(20);
  expect(deliveries.slice(0, 4).map(({ partner, eventId }) => `${partner}: ${eventId}`)).toEqual([
    'two: two 0',
    'one: one 0',
    'two: two 1',
    'one: one 1',
  ]);
});
