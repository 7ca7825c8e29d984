import { createEndpointRequests } from '../shared/outbound/endpoint-requests.ts';
import { createQueueClient } from '../shared/outbound/flush-queues.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createDeliveryLogStore } from '../shared/store/debounce/delivery-log.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createPartnerLookup } from '../shared/store/partners/directory.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment(['DEBOUNCE_TABLE', 'PARTNERS_TABLE', 'ENDPOINT_QUEUE']);
const documents = createDocumentClient();

export const handler = createHandler({
  deliveryLog: createDeliveryLogStore({ documents, debounceTable: environment.DEBOUNCE_TABLE, clock }),
  partners: createPartnerLookup({ documents, partnersTable: environment.PARTNERS_TABLE }),
  endpointRequests: createEndpointRequests({
    client: createQueueClient(),
    queueUrl: environment.ENDPOINT_QUEUE,
  }),
  clock,
  log: createLog('collect-dead-letters', allLines),
  report: createReport('collect-dead-letters'),
});
