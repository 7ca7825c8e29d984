import type { StoredEvent } from '../../functions/shared/domain/event/coalesce.ts';
import type { Delivery, DeliveryState } from '../../functions/shared/domain/event/delivery.ts';
import { settingsOf } from '../../functions/shared/domain/event/settings.ts';
import type { Partner } from '../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../functions/shared/domain/transaction.ts';
import type { BusEntry } from '../../functions/shared/outbound/event-bus.ts';
import { newDelivery } from '../../functions/shared/publish/claim.ts';
import { flushDue } from '../../functions/shared/publish/flush.ts';
import type { PublishDeps } from '../../functions/shared/publish/publish-deps.ts';
import type { LedgerStore } from '../../functions/shared/store/ledger-store.ts';
import { createMemoryLedger } from '../../functions/shared/store/memory-ledger.ts';
import { createMemoryNotices } from '../../functions/shared/store/memory-notices.ts';
import type { NoticeStore } from '../../functions/shared/store/notice-store.ts';
import { aPartner } from './a-partner.ts';
import { aClock } from './manual-clock.ts';
import { origin } from './told-events.ts';

/** Where the rows are kept. */
export type LedgerPlace = { ledger: LedgerStore; notices: NoticeStore };

/** A ledger with events to be sent again, and the flush with a bus that notes what it is sent. */
export const aLedgerWorld = ({
  partners = [aPartner({ clientId: 'P', webhookUrl: 'https://partner.example/' })],
  stored = [],
  place,
}: {
  partners?: Partner[];
  stored?: StoredTransaction[];
  place?: (clock: () => Date) => LedgerPlace;
} = {}) => {
  const clock = aClock('2026-11-21T14:00:00Z');
  const { ledger, notices } = place?.(clock.now) ?? inMemory(clock.now);
  const sent: BusEntry[] = [];
  const deps: PublishDeps = {
    transactions: { byUuid: async (uuid) => stored.find(({ transaction }) => transaction.uuid === uuid) },
    partners: {
      all: async () => partners,
      byClientIds: async (ids) =>
        new Map(partners.filter(({ clientId }) => ids.includes(clientId)).map((one) => [one.clientId, one])),
    },
    ledger,
    notices,
    bus: {
      put: async (entries) => {
        sent.push(...entries);
        return entries.map(({ eventId }) => ({ outcome: 'accepted', busEventId: `bus-${eventId}` }));
      },
    },
    clock: clock.now,
    log: () => {},
    settings: settingsOf(120_000),
    stage: 'local',
    origin,
  };
  const flush = async () => {
    sent.length = 0;
    const beginUntilMs = clock.now().getTime() + 15_000;
    await flushDue(deps, { beginUntilMs });
    return [...sent];
  };
  return {
    deps,
    clock,
    partners,
    flush,
    /** Puts an event with a delivery in each state named. */
    put: async ({ event, bodies }: StoredEvent, states: { [clientId: string]: DeliveryState }) => {
      const deliveries = Object.entries(states).map(([clientId, state]) => ({
        ...newDelivery(event, clientId),
        state,
      }));
      await ledger.addMissing({ event, ...(bodies && { bodies }), deliveries });
    },
    /** State and reason of each delivery of one partner, by range. */
    states: async (clientId: string): Promise<{ [range: string]: string }> => {
      const found: [string, string][] = [];
      for await (const delivery of ledger.deliveriesOfPartner(clientId, {}))
        found.push([rangeText(delivery), [delivery.state, delivery.reason].filter(Boolean).join(' ')]);
      return Object.fromEntries(found);
    },
  };
};

export const rangeText = ({ type, from, to }: Pick<Delivery, 'type' | 'from' | 'to'>) =>
  `${type === 'TransactionUpdated' ? '' : 'completed '}${from}-${to}`;

const inMemory = (clock: () => Date): LedgerPlace => {
  const ledger = createMemoryLedger({ clock });
  return { ledger, notices: createMemoryNotices({ versionOf: () => undefined, ledger, clock }) };
};
