import { describe, expect, test } from '@jest/globals';
import { eventIdOf } from '../../../functions/shared/domain/event/event.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { sendAgainSince, sendKeptAgain } from '../../../functions/shared/replay/partner-walk.ts';
import { sendStandalone } from '../../../functions/shared/replay/standalone.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { eventOf, messageIn } from '../../support/builders/sent-events.ts';
import { aNewTransaction, uuidOf } from '../../support/builders/transactions.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { type EventStores, engineEventStores, memoryEventStores } from '../../support/memory/event-stores.ts';
import { aDeliveryLogWorld } from '../../support/operator/delivery-log-world.ts';

const engine = useEngine();

const uuid = uuidOf(1);
const claimedAt = (version: number) => Date.parse('2026-11-21T12:00:00Z') + version * 180_000;

/** The transaction as of a version: each version sets the vehicle's make to its number, the fourth also the payments. */
const stateAt = (version: number, ofUuid = uuid): StoredTransaction => {
  const { elementVersions, ...rest } = aNewTransaction({
    uuid: ofUuid,
    vehicle: { make: `${version}` },
    payments: [{ id: 4, token: 'tok_1' }],
  });
  const versions = { ...elementVersions, vehicle: version, ...(version > 3 && { payments: 4 }) };
  return {
    ...rest,
    version,
    elementVersions: versions,
    updatedAtMs: claimedAt(version) - 120_000,
    sequenceNumber: 1,
  };
};
const updated = (from: number, to: number, ofUuid = uuid) =>
  eventOf(stateAt(to, ofUuid), from, { atMs: claimedAt(to) });
const completed = eventOf(stateAt(4), 3, { type: 'TransactionCompleted', atMs: claimedAt(4) });
const idOf = (from: number, to: number) => eventIdOf('local', 'TransactionUpdated', uuid, { from, to });

describe.each([
  { name: 'stand-in in memory', newStores: memoryEventStores },
  { name: 'DynamoDB engine', newStores: (): Promise<EventStores> => engineEventStores(engine) },
])('$name', ({ newStores }) => {
  const aWorld = async (changes: Parameters<typeof aDeliveryLogWorld>[1] = {}) =>
    aDeliveryLogWorld(await newStores(), { stored: [stateAt(9)], ...changes });

  test('EV-12 a resumed partner gets one event for each transaction, with the present values', async () => {
    const world = await aWorld({ stored: [stateAt(9), stateAt(3, uuidOf(2))] });
    for (const event of [updated(0, 1), updated(1, 2), completed, updated(2, 4)])
      await world.put(event, { P: 'HELD' });
    await world.put(updated(0, 3, uuidOf(2)), { P: 'HELD' });

    const counts = await sendKeptAgain('P', world.deps);
    const sent = await world.flush();

    expect(counts).toEqual({ transactions: 2, asStored: 1 });
    expect(sent.map(({ eventId }) => eventId).sort()).toEqual(
      [idOf(0, 9), completed.event.eventId, updated(0, 3, uuidOf(2)).event.eventId].sort(),
    );
    const { message } = sent.find(({ eventId }) => eventId === idOf(0, 9)) ?? { message: '' };
    expect(messageIn(message)).toMatchObject({
      time: '2026-11-21T14:00:00Z',
      detail: { vehicle: { make: '9' }, payments: [{ id: 4, token: null }] },
    });
    expect(await world.states('P')).toEqual({
      ...{ '0-1': 'SUPPRESSED COALESCED', '1-2': 'SUPPRESSED COALESCED', '2-4': 'SUPPRESSED COALESCED' },
      ...{ '0-9': 'ACCEPTED', '0-3': 'ACCEPTED', 'completed 3-4': 'ACCEPTED' },
    });
  });

  test('I9 a partner that has lost its grant gets nothing, by any way', async () => {
    const grantless = aPartner({ clientId: 'P', webhookUrl: 'https://p.example/', grants: [] });
    const world = await aWorld({ partners: [grantless] });
    const one = updated(0, 1);
    await world.put(one, { P: 'HELD' });
    await sendKeptAgain('P', world.deps);
    const kept = await world.flush();
    const delivery = await world.deps.deliveryLog.delivery({ eventId: one.event.eventId, clientId: 'P' });
    if (delivery) await sendStandalone(delivery, world.deps);

    expect([...kept, ...(await world.flush())]).toEqual([]);
    expect(await world.states('P')).toEqual({
      '0-1': 'SUPPRESSED OUT_OF_SCOPE',
      '0-9': 'SUPPRESSED OUT_OF_SCOPE',
    });
  });

  test('TH-23 EV-6 a replay since a time sends one event, the same when it is repeated, and the log keeps what it says of earlier ones', async () => {
    const world = await aWorld({ stored: [stateAt(3)] });
    await world.put(updated(0, 1), { P: 'DELIVERED' });
    await world.put(updated(1, 2), { P: 'ACCEPTED' });
    await world.put(updated(2, 3), { P: 'DEAD' });
    const replayed = async () => [
      await sendAgainSince('P', claimedAt(2), world.deps),
      await world.flush(),
      await world.states('P'),
    ];

    const first = await replayed();
    world.pass({ seconds: 3_600 });

    expect(first).toEqual([
      { transactions: 1, asStored: 0 },
      [expect.objectContaining({ eventId: idOf(1, 3) })],
      {
        '0-1': 'DELIVERED',
        '1-2': 'SUPPRESSED COALESCED',
        '2-3': 'SUPPRESSED COALESCED',
        '1-3': 'ACCEPTED',
      },
    ]);
    expect(await replayed()).toEqual(first);
  });
});
