import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { flushDue, type Workload } from '../../../functions/shared/publish/flush.ts';
import type { PublishDeps } from '../../../functions/shared/publish/publish-deps.ts';
import { aPartner } from '../builders/a-partner.ts';
import { aDelivery, anEvent } from '../builders/events.ts';
import { aClock } from '../builders/manual-clock.ts';
import { aNewTransaction, uuidOf } from '../builders/transactions.ts';
import { aBus, aPublishing, directoryOf, memoryStores } from './publishing.ts';

/** Changed transactions that became dormant at the same moment, and partners that see all of them. */
export const aCrowdedStage = async ({
  transactions,
  partners,
}: {
  transactions: number;
  partners: number;
}) => {
  const clock = aClock();
  const stores = memoryStores(clock.now);
  const all: Partner[] = Array.from({ length: partners }, (_, index) => {
    const number = String(index).padStart(4, '0');
    return aPartner({ clientId: `P${number}`, name: `p${number}`, webhookUrl: 'https://p.example/' });
  });
  const changedAtMs = clock.now().getTime();
  const uuids = Array.from({ length: transactions }, (_, index) => uuidOf(index + 1));
  for (const [index, uuid] of uuids.entries()) {
    await stores.transactions.create(aNewTransaction({ uuid }, { updatedAtMs: changedAtMs }));
    const dueAtMs = changedAtMs + 120_000 + index;
    await stores.debounceRows.recordChange({ uuid, changed: [], dueAtMs });
  }
  clock.pass({ seconds: 121 });
  const bus = aBus();
  const faults: unknown[] = [];
  const deps = aPublishing({
    ...stores,
    bus,
    clock: clock.now,
    log: (_name, facts, fault) => {
      if (fault) faults.push(facts);
    },
    partners: directoryOf(all),
  });
  return {
    ...{ clock, uuids, partners: all, deps, bus, faults, ...stores },
    flush: (parts: Partial<PublishDeps> = {}, beginWithinMs = 6_000, atMost?: Workload) =>
      flushDue(
        { ...deps, ...parts },
        { beginUntilMs: clock.now().getTime() + beginWithinMs, ...(atMost && { atMost }) },
      ),
    /** Has the first partner sent these tests again, due now. */
    sendTestsAgain: async (eventIds: readonly string[], plain = '{}') => {
      for (const eventId of eventIds) {
        const claimedAtMs = clock.now().getTime();
        const facts = { eventId, type: 'WebhookTest', uuid: '', claimedAtMs } as const;
        await stores.deliveryLog.addMissing({
          event: anEvent({ ...facts, recipients: ['P0000'] }),
          bodies: { plain },
          deliveries: [aDelivery({ ...facts, clientId: 'P0000', dueAtMs: claimedAtMs })],
        });
      }
    },
    /** Those that are notified and done with. */
    completed: async () => {
      const debounceRows = await stores.debounceRows.getMany(uuids);
      return uuids.filter((uuid) => debounceRows.get(uuid)?.notifiedVersion === 1);
    },
    inFlight: async () => {
      const debounceRows = await stores.debounceRows.getMany(uuids);
      return uuids.filter((uuid) => debounceRows.get(uuid)?.inflight !== undefined);
    },
  };
};

/** Lets something happen after each call of a method, before its caller hears the answer. */
export const afterCalls = <Of, Name extends keyof Of>(of: Of, name: Name, happens: () => void): void => {
  const call = of[name] as (...args: unknown[]) => Promise<unknown>;
  const followed = async (...args: unknown[]) => {
    const answer = await call(...args);
    happens();
    return answer;
  };
  of[name] = followed as Of[Name];
};

/** Counts how many calls are under way at once; each takes a turn of the event loop. */
export const counted = () => {
  let now = 0;
  const seen = { most: 0, calls: 0 };
  const through =
    <Args extends unknown[], Answer>(
      call: (...args: Args) => Promise<Answer>,
      weigh: (...args: Args) => number = () => 1,
    ) =>
    async (...args: Args): Promise<Answer> => {
      const weight = weigh(...args);
      now += weight;
      seen.most = Math.max(seen.most, now);
      seen.calls += 1;
      await new Promise(setImmediate);
      try {
        return await call(...args);
      } finally {
        now -= weight;
      }
    };
  return { seen, through };
};
