import { createHandler } from '../../../functions/collect-dead-letters/handler.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { BusEntry } from '../../../functions/shared/outbound/event-bus.ts';
import { sendStandalone } from '../../../functions/shared/replay/standalone.ts';
import { aDeadLetter, busEventText } from '../builders/dead-letters.ts';
import { aNewTransaction, uuidOf } from '../builders/transactions.ts';
import type { EventStores } from '../memory/event-stores.ts';
import { aDeliveryLogWorld } from './delivery-log-world.ts';

type Change = { customer?: string; vehicle?: string; isDeleted?: 1 };

/** One transaction that changes and is sent to partner P by the real steps, and the collector of what its endpoint refused. */
export const aRedriveWorld = async (stores: EventStores) => {
  const uuid = uuidOf(1);
  const stored: StoredTransaction[] = [];
  const deliveryLogWorld = aDeliveryLogWorld(stores, { stored });
  const { deliveryLog, debounceRows, clock } = deliveryLogWorld.deps;
  const collect = createHandler({
    ...{ deliveryLog, clock, log: () => {}, report: () => {} },
    ...{ partners: deliveryLogWorld.deps.partners, endpointRequests: { send: async () => {} } },
  });
  const world = {
    ...deliveryLogWorld,
    uuid,
    /** One more version, in which these members change. */
    change: async ({ customer, vehicle, isDeleted }: Change) => {
      const before = stored[0] ?? {
        ...aNewTransaction({ uuid, customer: {}, vehicle: {} }),
        sequenceNumber: 1,
      };
      const version = before.version + 1;
      const atMs = clock().getTime();
      const names = { ...(customer && { customer }), ...(vehicle && { vehicle }) };
      const members = Object.entries(names).map(([name, text]) => [name, { name: text }]);
      stored[0] = {
        ...before,
        version,
        updatedAtMs: atMs,
        transaction: {
          ...before.transaction,
          ...Object.fromEntries(members),
          ...(isDeleted && { isDeleted }),
        },
        elementVersions: {
          ...before.elementVersions,
          ...Object.fromEntries(members.map(([name]) => [name, version])),
          ...(isDeleted && { own: version }),
        },
      };
      await stores.setVersion(uuid, version);
      const changed = members.map(([name]) => String(name));
      await debounceRows.recordChange({ uuid, changed, dueAtMs: atMs + 120_000 });
    },
    /** What leaves once the transaction has rested. */
    rest: async () => {
      deliveryLogWorld.pass({ seconds: 120 });
      return deliveryLogWorld.flush();
    },
    /** What leaves after so much time, in which a tick comes every ten seconds. */
    later: async ({ minutes }: { minutes: number }) => {
      const sent: BusEntry[] = [];
      for (let tick = 0; tick < minutes * 6; tick += 1) {
        deliveryLogWorld.pass({ seconds: 10 });
        sent.push(...(await deliveryLogWorld.flush()));
      }
      return sent;
    },
    /** The endpoint refuses an event with a status, and the bus gives it up. */
    refuse: async ({ eventId, clientId }: Pick<BusEntry, 'eventId' | 'clientId'>, status: number) => {
      const key = { eventId, clientId };
      const { busEventId } = (await deliveryLog.delivery(key)) ?? {};
      const body = busEventText({ ...key, ...(busEventId !== undefined && { busEventId }) });
      const message = `failed because status ${status} was returned`;
      await collect({ Records: [aDeadLetter({ code: 'SDK_CLIENT_ERROR', message, body })] });
    },
    /** A person has an event sent again as it was. */
    replay: async ({ eventId, clientId }: Pick<BusEntry, 'eventId' | 'clientId'>) => {
      const delivery = await deliveryLog.delivery({ eventId, clientId });
      if (delivery) await sendStandalone(delivery, deliveryLogWorld.deps);
    },
    /** Two changes apart, each sent: the first was refused, the second taken. */
    refusedAndOvertaken: async (status = 410) => {
      await world.change({ customer: 'old', vehicle: 'first' });
      const [refused] = await world.rest();
      if (!refused) throw new Error('Nothing was sent');
      await world.refuse(refused, status);
      await world.change({ customer: 'new' });
      await world.rest();
      return refused;
    },
  };
  return world;
};

/** The range of an entry and what it says of the elements. */
export const notifiedBy = ({ from, to, message }: BusEntry) => {
  const { ndMeta: _n, uuid: _u, status: _s, ...elements } = JSON.parse(message).detail;
  return { from, to, elements };
};
