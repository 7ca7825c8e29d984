import { settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { BusAnswer, BusEntry, EventBus } from '../../../functions/shared/outbound/event-bus.ts';
import type { PublishDeps } from '../../../functions/shared/publish/publish-deps.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import { createMemoryDebounceRows } from './debounce-rows.ts';
import { createMemoryDeliveryLog } from './delivery-log.ts';
import { createMemoryRequests } from './requests.ts';
import { createMemoryTransactions } from './transactions.ts';

/** A bus that accepts everything, with a record of it, or one that answers as it is told. */
export const aBus = (answer?: (entry: BusEntry) => BusAnswer): EventBus & { taken: BusEntry[] } => {
  const taken: BusEntry[] = [];
  return {
    taken,
    put: async (entries) => {
      taken.push(...entries);
      return entries.map((entry, index) =>
        answer
          ? answer(entry)
          : { outcome: 'accepted', busEventId: `bus-${taken.length - entries.length + index}` },
      );
    },
  };
};

/** Transactions that are read one by one, also where many are asked for: what fails for one fails for all of them. */
export const oneByOne = (byUuid: PublishDeps['transactions']['byUuid']): PublishDeps['transactions'] => ({
  byUuid,
  byUuids: async (uuids) => {
    const found = await Promise.all(uuids.map(byUuid));
    return new Map(found.flatMap((stored) => (stored ? [[stored.transaction.uuid, stored]] : [])));
  },
});

/** These partners, as they are when they are asked for. Who is notified of what is decided for each. */
export const directoryOf = (partners: readonly Partner[]): PublishDeps['partners'] => ({
  ofOwners: async () => [...partners],
  byClientIds: async (ids) =>
    new Map(partners.filter(({ clientId }) => ids.includes(clientId)).map((one) => [one.clientId, one])),
});

/** Stores in memory that know of each other: a change, its idempotency record, its marker, and its event are one step each. */
export const memoryStores = (clock: Clock) => {
  const requests = createMemoryRequests();
  const deliveryLog = createMemoryDeliveryLog({ clock });
  const versionOf = (uuid: string) => transactions.versionOf(uuid);
  const debounceRows = createMemoryDebounceRows({ versionOf, deliveryLog, clock });
  const transactions = createMemoryTransactions(requests, debounceRows);
  return { requests, deliveryLog, debounceRows, transactions };
};

/** What publishing works with, as stage `local` has it; without partners, if none are named. */
export const aPublishing = (
  parts: Pick<PublishDeps, 'transactions' | 'debounceRows' | 'deliveryLog' | 'clock'> & Partial<PublishDeps>,
): PublishDeps => ({
  bus: aBus(),
  partners: directoryOf([]),
  log: () => {},
  settings: settingsOf(120_000),
  stage: 'local',
  origin: { source: 'svc.local.online-payments', region: 'eu-west-2' },
  ...parts,
});

/** What Lambda tells an invocation of publish-dormant: its id, and the time that it has left. */
export const invocationContext = (remainingMs = 15_000) => ({
  awsRequestId: 'invocation-1',
  getRemainingTimeInMillis: () => remainingMs,
});
