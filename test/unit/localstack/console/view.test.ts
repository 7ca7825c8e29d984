import { describe, expect, test } from '@jest/globals';
import { createViewReader, type ViewDeps } from '../../../../localstack/console/view.ts';
import type { DemoPartner } from '../../../../localstack/stack-file.ts';
import { aDelivery, anEvent, claimedAtMs } from '../../../support/builders/events.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';

const aDemoPartner = (name: string): DemoPartner => ({
  ...{ name, clientId: name, clientSecret: '', webhookSignature: '', grants: [] },
});

/** Deliveries of a partner, the newest first: one every other second. */
async function* deliveriesOf(clientId: string, newestMs: number, most = 50) {
  for (let count = 0; count < most; count += 1)
    yield aDelivery({ clientId, eventId: `${clientId} ${count}`, claimedAtMs: newestMs - 2_000 * count });
}

const readerOf = (deliveryLog: ViewDeps['deliveryLog']) =>
  createViewReader({
    now: () => new Date(claimedAtMs),
    aheadMs: () => 0,
    dormancyMs: 120_000,
    partners: ['one', 'two'].map(aDemoPartner),
    conditionOf: () => 'healthy',
    shown: () => [uuidOf(1)],
    transactions: async () => new Map([[uuidOf(1), stored]]),
    debounceRows: { getMany: async () => new Map() },
    deliveryLog,
  });

const stored = {
  ...aNewTransaction({ uuid: uuidOf(1), payments: [{ id: 7, token: 'a-secret-of-a-card' }] }),
  sequenceNumber: 1,
};

const event = async (eventId: string) => ({
  event: anEvent({ eventId }),
  bodies: { plain: `the message of ${eventId}`, tokens: 'with tokens' },
  deliveries: [],
});

describe('RUN-10 the console shows', () => {
  test('RUN-12 deliveries that it showed, with their messages, when the log has forgotten them', async () => {
    const log = { isEmpty: false };
    const read = readerOf({
      event: async (eventId) => (log.isEmpty ? undefined : event(eventId)),
      deliveriesOfPartner: (clientId) => deliveriesOf(clientId, claimedAtMs, log.isEmpty ? 0 : 3),
    });
    const { deliveries } = await read();
    log.isEmpty = true;

    expect((await read()).deliveries).toEqual(deliveries);
    expect(deliveries).toHaveLength(6);
  });

  test('SHOW-1 a transaction whole, without the tokens of its payments', async () => {
    const read = readerOf({
      event,
      deliveriesOfPartner: (clientId) => deliveriesOf(clientId, claimedAtMs, 0),
    });

    const [row] = (await read()).transactions;

    expect(row?.transaction).toMatchObject({ uuid: uuidOf(1), payments: [{ id: 7, token: null }] });
    expect(row?.transaction).toHaveProperty('financeProposal', null);
  });
});
