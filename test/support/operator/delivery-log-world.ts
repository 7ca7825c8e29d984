import type { Delivery, DeliveryState } from '../../../functions/shared/domain/event/delivery.ts';
import { newDelivery } from '../../../functions/shared/domain/event/new-delivery.ts';
import { settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { BusEntry } from '../../../functions/shared/outbound/event-bus.ts';
import { flushDue } from '../../../functions/shared/publish/flush.ts';
import type { PublishDeps } from '../../../functions/shared/publish/publish-deps.ts';
import type {
  DeliveryLogPages,
  DeliveryLogStore,
} from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import { aPartner } from '../builders/a-partner.ts';
import { origin, type StoredEvent } from '../builders/sent-events.ts';
import type { EventStores } from '../memory/event-stores.ts';
import { directoryOf, oneByOne } from '../memory/publishing.ts';

/** A delivery log with events to send again, and a flush whose bus records what it gets. */
export const aDeliveryLogWorld = (
  {
    deliveryLog,
    debounceRows,
    time,
  }: Omit<EventStores, 'deliveryLog'> & { deliveryLog: DeliveryLogStore & DeliveryLogPages },
  {
    partners = [aPartner({ clientId: 'P', webhookUrl: 'https://partner.example/' })],
    stored = [],
  }: { partners?: Partner[]; stored?: StoredTransaction[] } = {},
) => {
  time.nowMs = Date.parse('2026-11-21T14:00:00Z');
  const clock = () => new Date(time.nowMs);
  const sent: BusEntry[] = [];
  const deps: PublishDeps & { deliveryLog: DeliveryLogStore & DeliveryLogPages } = {
    transactions: oneByOne(async (uuid) => stored.find(({ transaction }) => transaction.uuid === uuid)),
    partners: directoryOf(partners),
    deliveryLog,
    debounceRows,
    bus: {
      put: async (entries) => {
        sent.push(...entries);
        return entries.map(({ eventId }) => ({ outcome: 'accepted', busEventId: `bus-${eventId}` }));
      },
    },
    clock,
    log: () => {},
    settings: settingsOf(120_000),
    stage: 'local',
    origin,
  };
  const flush = async () => {
    sent.length = 0;
    const beginUntilMs = time.nowMs + 15_000;
    await flushDue(deps, { beginUntilMs });
    return [...sent];
  };
  return {
    deps,
    pass: ({ seconds }: { seconds: number }) => {
      time.nowMs += seconds * 1000;
    },
    /** The same stores, in which no delivery moves from the n-th on; 0 = all do. */
    dyingAt: (count: number) => {
      let moves = 0;
      const move: DeliveryLogStore['move'] = async (asked) => {
        moves += 1;
        if (count > 0 && moves >= count) throw new Error('killed');
        return deliveryLog.move(asked);
      };
      return { ...deps, deliveryLog: { ...deliveryLog, move } };
    },
    partners,
    flush,
    /** Stores an event with one delivery per partner, in the given state. */
    put: async ({ event, bodies }: StoredEvent, states: { [clientId: string]: DeliveryState }) => {
      const deliveries = Object.entries(states).map(([clientId, state]) => ({
        ...newDelivery(event, clientId),
        state,
      }));
      const notified = { ...event, recipients: Object.keys(states) };
      await deliveryLog.addMissing({ event: notified, ...(bodies && { bodies }), deliveries });
    },
    /** State and reason of each delivery to one partner, by version range. */
    states: async (clientId: string): Promise<{ [range: string]: string }> => {
      const found: [string, string][] = [];
      for await (const delivery of deliveryLog.deliveriesOfPartner(clientId, {}))
        found.push([rangeText(delivery), [delivery.state, delivery.reason].filter(Boolean).join(' ')]);
      return Object.fromEntries(found);
    },
  };
};

const rangeText = ({ type, from, to }: Pick<Delivery, 'type' | 'from' | 'to'>) =>
  `${type === 'TransactionUpdated' ? '' : 'completed '}${from}-${to}`;
