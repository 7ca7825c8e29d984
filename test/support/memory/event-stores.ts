import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { CursorStore } from '../../../functions/shared/store/debounce/cursor-store.ts';
import { createCursorStore } from '../../../functions/shared/store/debounce/cursors.ts';
import { createLedgerStore } from '../../../functions/shared/store/debounce/ledger.ts';
import { createLedgerPages } from '../../../functions/shared/store/debounce/ledger-page.ts';
import type { LedgerPages, LedgerStore } from '../../../functions/shared/store/debounce/ledger-store.ts';
import { claimedAtMs } from '../builders/events.ts';
import { addTables, clientOf, documentsOf, type TestEngine } from '../engine/engine.ts';
import { type ChooseFault, injectFaults } from '../engine/faults.ts';
import { createMemoryCursors } from './cursors.ts';
import { createMemoryLedger } from './ledger.ts';

/** Cursors and ledger with the transactions' versions that claims compare; the clock moves only when told. */
export type EventStores = {
  cursors: CursorStore;
  ledger: LedgerStore & LedgerPages;
  setVersion: (uuid: string, version: number) => Promise<void>;
  time: { nowMs: number };
};

export const memoryEventStores = async (): Promise<EventStores> => {
  const time = { nowMs: claimedAtMs };
  const clock = () => new Date(time.nowMs);
  const versions = new Map<string, number>();
  const ledger = createMemoryLedger({ clock });
  const cursors = createMemoryCursors({ versionOf: (uuid) => versions.get(uuid), ledger, clock });
  return {
    cursors,
    ledger,
    setVersion: async (uuid, version) => {
      versions.set(uuid, version);
    },
    time,
  };
};

let sets = 0;

/** The same over tables of their own; requests meet the faults that are chosen for them. */
export const engineEventStores = async (
  engine: TestEngine,
  choose: ChooseFault = () => undefined,
): Promise<EventStores & { debounceTable: string }> => {
  sets += 1;
  const suffix = `-events-${sets}`;
  await addTables(engine.client, suffix, ['Transactions', 'Debounce']);
  const time = { nowMs: claimedAtMs };
  const documents = documentsOf(clientOf(engine.endpoint));
  injectFaults(documents, choose);
  const place = {
    documents,
    transactionsTable: `Transactions${suffix}`,
    debounceTable: `Debounce${suffix}`,
    retryDelays: { random: () => 0, sleep: async () => {} },
    clock: () => new Date(time.nowMs),
  };
  return {
    cursors: createCursorStore(place),
    ledger: { ...createLedgerStore(place), ...createLedgerPages(place) },
    setVersion: async (uuid, version) => {
      await engine.documents.send(
        new PutCommand({ TableName: place.transactionsTable, Item: { uuid, version } }),
      );
    },
    time,
    debounceTable: place.debounceTable,
  };
};
