import { randomBytes } from 'node:crypto';
import { createDebounceTable, createReconciledPlace } from '../shared/events/table.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createPartnerDirectory, listClientIds } from '../shared/store/partners/directory.ts';
import { createWebhookSwitch } from '../shared/store/partners/webhook-switch.ts';
import { createChangeIndex } from '../shared/store/transactions/changed-index.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment([
  'TRANSACTIONS_TABLE',
  'PARTNERS_TABLE',
  'DEBOUNCE_TABLE',
  'DORMANCY_SECONDS',
]);
const documents = createDocumentClient();
const partnersAccess = { documents, partnersTable: environment.PARTNERS_TABLE };
const debounceAccess = { documents, debounceTable: environment.DEBOUNCE_TABLE };

export const handler = createHandler({
  changes: createChangeIndex({ documents, transactionsTable: environment.TRANSACTIONS_TABLE }),
  table: createDebounceTable(debounceAccess),
  place: createReconciledPlace(debounceAccess),
  clientIds: () => listClientIds(partnersAccess),
  partners: createPartnerDirectory({ ...partnersAccess, clock }),
  isStopped: async () => (await createWebhookSwitch(partnersAccess).read()) !== undefined,
  newId: () => randomBytes(6).toString('hex'),
  clock,
  log: createLog('reconcile', allLines),
  report: createReport('reconcile'),
  dormancyMs: Number(environment.DORMANCY_SECONDS) * 1000,
});
