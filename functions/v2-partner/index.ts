import { randomBytes } from 'node:crypto';
import { createAccessTokenVerifier } from '../shared/auth/access-token.ts';
import { resourceMetadataOf } from '../shared/auth/bearer-token.ts';
import { createKeySet } from '../shared/auth/verification-key.ts';
import { partnerPolicy } from '../shared/domain/rate-limit.ts';
import { createRateLimiter } from '../shared/middleware/rate-limiter.ts';
import { createEndpointRequests } from '../shared/outbound/endpoint-requests.ts';
import { createQueueClient } from '../shared/outbound/flush-queues.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment, runtimeRegion } from '../shared/runtime/environment.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { selfServiceLines } from '../shared/runtime/self-service-lines.ts';
import { createDeliveryLogStore } from '../shared/store/debounce/delivery-log.ts';
import { createDeliveryLogPages } from '../shared/store/debounce/delivery-log-page.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createRingReader } from '../shared/store/keys/ring-reader.ts';
import { createAuditStore } from '../shared/store/partners/audit-log.ts';
import { createPartnerLookup } from '../shared/store/partners/directory.ts';
import { createOwnChanges } from '../shared/store/partners/own-changes.ts';
import { createPartnerReader } from '../shared/store/partners/reader.ts';
import { createCursorKeys } from '../shared/store/requests/cursor-keys.ts';
import { createDenylistReader } from '../shared/store/requests/denylist.ts';
import { createRequestCounts } from '../shared/store/requests/request-counts.ts';
import { besideOf, createRequestStore } from '../shared/store/requests/requests.ts';
import { createStorefrontReader } from '../shared/store/storefronts/reader.ts';
import { getTransactions } from '../shared/store/transactions/get.ts';
import { createPipeline } from './pipeline.ts';

const environment = readEnvironment([
  'BASE_URL',
  'AUTH_URL',
  'API_AUDIENCE',
  'TRANSACTIONS_TABLE',
  'PARTNERS_TABLE',
  'DEBOUNCE_TABLE',
  'REQUESTS_TABLE',
  'AUDIT_TABLE',
  'ENDPOINT_QUEUE',
  'LOOPBACK_ENDPOINTS',
  'EVENT_SOURCE',
  'PARTNER_REQUESTS_PER_MINUTE',
]);
const documents = createDocumentClient();
const partnersAccess = { documents, partnersTable: environment.PARTNERS_TABLE };
const readRing = createRingReader({ ...partnersAccess, clock }, 'access');
const debounceAccess = { documents, debounceTable: environment.DEBOUNCE_TABLE, clock };
const ownChanges = createOwnChanges(partnersAccess);
const transactionsAccess = { documents, transactionsTable: environment.TRANSACTIONS_TABLE };

const requestsAccess = { documents, requestsTable: environment.REQUESTS_TABLE, random: randomBytes };
const log = createLog('v2-partner', selfServiceLines);
const deliveryLog = { ...createDeliveryLogStore(debounceAccess), ...createDeliveryLogPages(debounceAccess) };

export const handler = createPipeline({
  baseUrl: environment.BASE_URL,
  clock,
  log,
  partners: createPartnerReader(partnersAccess),
  denylist: createDenylistReader(requestsAccess),
  deliveryLog,
  requests: createRequestStore(requestsAccess),
  rates: createRateLimiter({ counts: createRequestCounts(requestsAccess), log }),
  partnerRate: partnerPolicy(Number(environment.PARTNER_REQUESTS_PER_MINUTE)),
  cursorKeys: createCursorKeys(requestsAccess),
  directory: createPartnerLookup(partnersAccess),
  replaceWebhook: (change, { signature, record }) =>
    ownChanges.replaceWebhook(change, {
      ...(signature && { signature }),
      ...besideOf(environment.REQUESTS_TABLE, record),
    }),
  audit: createAuditStore({ ...partnersAccess, auditTable: environment.AUDIT_TABLE }),
  endpointRequests: createEndpointRequests({
    client: createQueueClient(),
    queueUrl: environment.ENDPOINT_QUEUE,
  }),
  endpointRules: { allowsLoopback: environment.LOOPBACK_ENDPOINTS === 'allowed' },
  random: randomBytes,
  storefronts: createStorefrontReader(partnersAccess),
  origin: { source: environment.EVENT_SOURCE, region: runtimeRegion() },
  transactionsOf: (uuids) => getTransactions(transactionsAccess, uuids),
  resourceMetadata: resourceMetadataOf(environment.API_AUDIENCE),
  verify: createAccessTokenVerifier({
    findKey: createKeySet({ readRing, clock }),
    issuer: environment.AUTH_URL,
    audience: environment.API_AUDIENCE,
    clock,
  }),
});
