import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createEndpointRequests } from '../shared/outbound/endpoint-requests.ts';
import { createEventBridgeClient } from '../shared/outbound/event-bus-client.ts';
import { createQueueClient } from '../shared/outbound/flush-queues.ts';
import { sendKeptAgain } from '../shared/replay/partner-walk.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment, runtimeRegion } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createDeliveryLogStore } from '../shared/store/debounce/delivery-log.ts';
import { createDeliveryLogPages } from '../shared/store/debounce/delivery-log-page.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createEndpointStore } from '../shared/store/partners/endpoints.ts';
import { createInspectionStore } from '../shared/store/partners/inspection.ts';
import { getTransaction } from '../shared/store/transactions/get.ts';
import { createEndKept } from './end-kept.ts';
import { createHandler } from './handler.ts';
import { createProbe, createProbeClient } from './invoke-probe.ts';
import { createPollLater } from './poll-later.ts';

const environment = readEnvironment([
  'TRANSACTIONS_TABLE',
  'PARTNERS_TABLE',
  'DEBOUNCE_TABLE',
  'EVENT_BUS',
  'EVENT_SOURCE',
  'STAGE',
  'DELIVERY_ROLE',
  'DEAD_LETTER_QUEUE',
  'CONNECTION_KEY',
  'ENDPOINT_QUEUE',
  'ENDPOINT_DELAYS',
  'ENDPOINT_EFFECT_SECONDS',
  'LOOPBACK_ENDPOINTS',
  'PROBE_FUNCTION',
]);
const isEmulated = environment.LOOPBACK_ENDPOINTS === 'allowed';
const documents = createDocumentClient();
const partnersAccess = { documents, partnersTable: environment.PARTNERS_TABLE };
const transactionsAccess = { documents, transactionsTable: environment.TRANSACTIONS_TABLE };
const queues = createQueueClient();
const debounceAccess = { documents, debounceTable: environment.DEBOUNCE_TABLE, clock };
const deliveryLog = { ...createDeliveryLogStore(debounceAccess), ...createDeliveryLogPages(debounceAccess) };
const sendingAgain = {
  transactions: { byUuid: (uuid: string) => getTransaction(transactionsAccess, uuid) },
  deliveryLog,
  clock,
};

export const handler = createHandler({
  endpoints: createEndpointStore(partnersAccess),
  inspections: createInspectionStore(partnersAccess),
  requests: createEndpointRequests({ client: queues, queueUrl: environment.ENDPOINT_QUEUE }),
  pollLater: createPollLater({ client: queues, queueUrl: environment.ENDPOINT_DELAYS }),
  sendKept: (clientId, pass) => sendKeptAgain(clientId, sendingAgain, pass),
  endKept: createEndKept({ deliveryLog, clock }),
  bus: {
    // No caller waits, and polls of many partners may be throttled, so requests are tried more often than usual.
    client: createEventBridgeClient({ maxAttempts: 6 }),
    settings: {
      stage: environment.STAGE,
      busName: environment.EVENT_BUS,
      deliveryRoleArn: environment.DELIVERY_ROLE,
      deadLetterQueueArn: environment.DEAD_LETTER_QUEUE,
      connectionKeyArn: environment.CONNECTION_KEY,
      hidesDescriptions: isEmulated,
    },
  },
  probe: createProbe({
    client: createProbeClient(),
    functionName: environment.PROBE_FUNCTION,
  }),
  origin: { source: environment.EVENT_SOURCE, region: runtimeRegion() },
  rules: { allowsLoopback: isEmulated },
  effectMs: Number(environment.ENDPOINT_EFFECT_SECONDS) * 1000,
  random: randomBytes,
  wait,
  clock,
  log: createLog('keep-endpoints', allLines),
  report: createReport('keep-endpoints'),
});
