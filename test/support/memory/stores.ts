import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import { createMemoryDebounceTable } from './debounce-table.ts';
import { createMemoryRequests } from './requests.ts';
import { createMemoryTransactions } from './transactions.ts';

/** Stores in memory that know of each other: a change, its idempotency record and its completion marker are one step. */
export const memoryStores = (clock: Clock) => {
  const requests = createMemoryRequests();
  const debounceTable = createMemoryDebounceTable(clock);
  return { requests, debounceTable, transactions: createMemoryTransactions(requests, debounceTable) };
};
