import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createScheduling } from '../shared/store/debounce/debounce-rows.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createChangeIndex } from '../shared/store/transactions/changed-index.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment(['TRANSACTIONS_TABLE', 'DEBOUNCE_TABLE', 'DORMANCY_SECONDS']);
const documents = createDocumentClient();

export const handler = createHandler({
  changes: createChangeIndex({ documents, transactionsTable: environment.TRANSACTIONS_TABLE }),
  debounceRows: createScheduling({ documents, debounceTable: environment.DEBOUNCE_TABLE }),
  clock,
  log: createLog('reconcile', allLines),
  report: createReport('reconcile'),
  dormancyMs: Number(environment.DORMANCY_SECONDS) * 1000,
});
