import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createLedgerStore } from '../shared/store/debounce/ledger.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment(['DEBOUNCE_TABLE']);

export const handler = createHandler({
  ledger: createLedgerStore({
    documents: createDocumentClient(),
    debounceTable: environment.DEBOUNCE_TABLE,
    clock,
  }),
  clock,
  log: createLog('collect-dead-letters', allLines),
  report: createReport('collect-dead-letters'),
});
