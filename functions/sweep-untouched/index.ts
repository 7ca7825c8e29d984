import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { sweepUntouched } from '../shared/store/transactions/sweep.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment(['TRANSACTIONS_TABLE', 'LISTING_TABLE']);
const tables = {
  documents: createDocumentClient(),
  transactionsTable: environment.TRANSACTIONS_TABLE,
  listingTable: environment.LISTING_TABLE,
};

export const handler = createHandler({
  sweep: (ask) => sweepUntouched(tables, ask),
  clock,
  log: createLog('sweep-untouched', allLines),
});
