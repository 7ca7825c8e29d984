import { randomBytes } from 'node:crypto';
import { createDebounceTable } from '../shared/events/table.ts';
import { createEndpointRequests } from '../shared/outbound/endpoint-requests.ts';
import { createQueueClient } from '../shared/outbound/flush-queues.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment(['DEBOUNCE_TABLE', 'ENDPOINT_QUEUE']);

export const handler = createHandler({
  table: createDebounceTable({
    documents: createDocumentClient(),
    debounceTable: environment.DEBOUNCE_TABLE,
  }),
  endpointRequests: createEndpointRequests({
    client: createQueueClient(),
    queueUrl: environment.ENDPOINT_QUEUE,
  }),
  newId: () => randomBytes(6).toString('hex'),
  clock,
  log: createLog('collect-dead-letters', allLines),
  report: createReport('collect-dead-letters'),
});
