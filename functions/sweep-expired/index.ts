import { readIncompleteDays } from '../shared/domain/transaction/retention.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createChangeIndex } from '../shared/store/transactions/changed-index.ts';
import { getTransactions } from '../shared/store/transactions/get.ts';
import { raiseMark, readMark } from '../shared/store/transactions/marks.ts';
import { oldestCreationMs, sweepUntouched } from '../shared/store/transactions/sweep.ts';
import { createTransactionWriter } from '../shared/store/transactions/writer.ts';
import { createHandler } from './handler.ts';
import { createRetention } from './retention.ts';

const environment = readEnvironment([
  'TRANSACTIONS_TABLE',
  'LISTING_TABLE',
  'DEBOUNCE_TABLE',
  'INCOMPLETE_DAYS',
]);
const tables = {
  documents: createDocumentClient(),
  transactionsTable: environment.TRANSACTIONS_TABLE,
  listingTable: environment.LISTING_TABLE,
  debounceTable: environment.DEBOUNCE_TABLE,
};

export const handler = createHandler({
  sweep: (ask) => sweepUntouched(tables, ask),
  retention: createRetention({
    changes: createChangeIndex(tables),
    transactions: {
      byUuids: (uuids) => getTransactions(tables, uuids),
      replace: createTransactionWriter(tables).replace,
    },
    readMark: (name) => readMark(tables, name),
    raiseMark: (name, mark) => raiseMark(tables, name, mark),
    oldestCreationMs: () => oldestCreationMs(tables),
    clock,
    incompleteDays: readIncompleteDays(environment.INCOMPLETE_DAYS),
  }),
  clock,
  log: createLog('sweep-expired', allLines),
});
