import { setTimeout as wait } from 'node:timers/promises';
import { createEndpointInspector } from '../shared/outbound/endpoint/inspect.ts';
import { createEventBridgeClient } from '../shared/outbound/event-bus-client.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createCursorStore } from '../shared/store/debounce/cursors.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createPartnerDirectory } from '../shared/store/partners/directory.ts';
import { createInspectionStore } from '../shared/store/partners/inspection.ts';
import { createChangeIndex } from '../shared/store/transactions/changed-index.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment([
  'TRANSACTIONS_TABLE',
  'PARTNERS_TABLE',
  'DEBOUNCE_TABLE',
  'EVENT_BUS',
  'STAGE',
  'DORMANCY_SECONDS',
  'DELIVERY_ROLE',
  'DEAD_LETTER_QUEUE',
]);
const documents = createDocumentClient();
const transactionsTable = environment.TRANSACTIONS_TABLE;
const partnersTable = environment.PARTNERS_TABLE;
const debounceTable = environment.DEBOUNCE_TABLE;

export const handler = createHandler({
  changes: createChangeIndex({ documents, transactionsTable }),
  cursors: createCursorStore({ documents, debounceTable, transactionsTable, clock }),
  partners: createPartnerDirectory({ documents, partnersTable }),
  inspections: createInspectionStore({ documents, partnersTable }),
  wait,
  // No caller waits, and the questions of many partners come close upon each other.
  inspect: createEndpointInspector(createEventBridgeClient({ maxAttempts: 6 }), {
    stage: environment.STAGE,
    busName: environment.EVENT_BUS,
    deliveryRoleArn: environment.DELIVERY_ROLE,
    deadLetterQueueArn: environment.DEAD_LETTER_QUEUE,
  }),
  clock,
  log: createLog('reconcile', allLines),
  report: createReport('reconcile'),
  dormancyMs: Number(environment.DORMANCY_SECONDS) * 1000,
});
