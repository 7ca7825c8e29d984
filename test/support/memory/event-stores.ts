import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DebounceRowStore } from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import { createDebounceRowStore } from '../../../functions/shared/store/debounce/debounce-rows.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import { createDeliveryLogPages } from '../../../functions/shared/store/debounce/delivery-log-page.ts';
import type {
  DeliveryLogPages,
  DeliveryLogStore,
} from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import { claimedAtMs } from '../builders/events.ts';
import type { TestEngine } from '../engine/engine.ts';
import type { ChooseFault } from '../engine/faults.ts';
import { newTables } from '../engine/new-tables.ts';
import { createMemoryDebounceRows } from './debounce-rows.ts';
import { createMemoryDeliveryLog } from './delivery-log.ts';

/** Debounce rows and delivery log with the transactions' versions that claims compare; the clock moves only when told. */
export type EventStores = {
  debounceRows: DebounceRowStore;
  deliveryLog: DeliveryLogStore & DeliveryLogPages;
  setVersion: (uuid: string, version: number) => Promise<void>;
  time: { nowMs: number };
};

export const memoryEventStores = async (): Promise<EventStores> => {
  const time = { nowMs: claimedAtMs };
  const clock = () => new Date(time.nowMs);
  const versions = new Map<string, number>();
  const deliveryLog = createMemoryDeliveryLog({ clock });
  const debounceRows = createMemoryDebounceRows({
    versionOf: (uuid) => versions.get(uuid),
    deliveryLog,
    clock,
  });
  return {
    debounceRows,
    deliveryLog,
    setVersion: async (uuid, version) => {
      versions.set(uuid, version);
    },
    time,
  };
};

/** The same over tables of their own; requests meet the faults that are chosen for them. */
export const engineEventStores = async (
  engine: TestEngine,
  choose?: ChooseFault,
): Promise<EventStores & { debounceTable: string }> => {
  const time = { nowMs: claimedAtMs };
  const tables = await newTables(engine, ['Transactions', 'Debounce'], choose);
  const place = { ...tables, clock: () => new Date(time.nowMs) };
  return {
    debounceRows: createDebounceRowStore(place),
    deliveryLog: { ...createDeliveryLogStore(place), ...createDeliveryLogPages(place) },
    setVersion: async (uuid, version) => {
      const Item = { uuid, version };
      await engine.documents.send(new PutCommand({ TableName: tables.transactionsTable, Item }));
    },
    time,
    debounceTable: tables.debounceTable,
  };
};

/** Both of them, for tests that run on each. */
export const bothEventStores = (engine: TestEngine) => [
  { name: 'stand-in in memory', newStores: memoryEventStores },
  { name: 'DynamoDB engine', newStores: (): Promise<EventStores> => engineEventStores(engine) },
];
