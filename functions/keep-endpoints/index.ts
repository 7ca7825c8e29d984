import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { newPass } from '../shared/events/passes.ts';
import type { Pass } from '../shared/events/rows.ts';
import { createDebounceTable } from '../shared/events/table.ts';
import { createEndpointRequests, createLaterRequest } from '../shared/outbound/endpoint-requests.ts';
import { createEventBridgeClient } from '../shared/outbound/event-bus-client.ts';
import { createQueueClient } from '../shared/outbound/flush-queues.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment, runtimeRegion } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createReport } from '../shared/runtime/metrics.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createEndpointStore } from '../shared/store/partners/endpoints.ts';
import { createInspectionStore } from '../shared/store/partners/inspection.ts';
import { createHandler } from './handler.ts';
import { createProbe, createProbeClient } from './invoke-probe.ts';

const environment = readEnvironment([
  'PARTNERS_TABLE',
  'DEBOUNCE_TABLE',
  'EVENT_BUS',
  'EVENT_SOURCE',
  'STAGE',
  'DELIVERY_ROLE',
  'DEAD_LETTER_QUEUE',
  'CONNECTION_KEY',
  'ENDPOINT_QUEUE',
  'ENDPOINT_EFFECT_SECONDS',
  'LOOPBACK_ENDPOINTS',
  'PROBE_FUNCTION',
]);
const isEmulated = environment.LOOPBACK_ENDPOINTS === 'allowed';
const documents = createDocumentClient();
const partnersAccess = { documents, partnersTable: environment.PARTNERS_TABLE };
const ownQueue = { client: createQueueClient(), queueUrl: environment.ENDPOINT_QUEUE };
const debounceTable = createDebounceTable({ documents, debounceTable: environment.DEBOUNCE_TABLE });
/** A pass, which publish-dormant works off. One that is there already is left at work. */
const pass = (does: Pass['does']) => async (clientId: string) => {
  const newId = () => randomBytes(6).toString('hex');
  await debounceTable.save(newPass({ clientId, does }, clock().getTime(), { newId, leaseMs: 20_000 }));
  return {};
};

export const handler = createHandler({
  endpoints: createEndpointStore(partnersAccess),
  inspections: createInspectionStore(partnersAccess),
  requests: createEndpointRequests(ownQueue),
  pollLater: createLaterRequest(ownQueue),
  sendKept: pass('wake'),
  endKept: pass('withhold'),
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
