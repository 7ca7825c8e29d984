import { randomBytes } from 'node:crypto';
import { createAccessTokenVerifier } from '../shared/auth/access-token.ts';
import { resourceMetadataOf } from '../shared/auth/bearer-token.ts';
import { createKeySet } from '../shared/auth/verification-key.ts';
import { partnerPolicy } from '../shared/domain/rate-limit.ts';
import { createDebounceTable, createSentLog, noWithhold, putPass } from '../shared/events/table.ts';
import { createRateLimiter } from '../shared/middleware/rate-limiter.ts';
import { createEndpointRequests } from '../shared/outbound/endpoint-requests.ts';
import { createQueueClient, createTestRequest } from '../shared/outbound/flush-queues.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { selfServiceLines } from '../shared/runtime/self-service-lines.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createRingReader } from '../shared/store/keys/ring-reader.ts';
import { createAuditStore } from '../shared/store/partners/audit-log.ts';
import { createPartnerLookup } from '../shared/store/partners/directory.ts';
import { createOwnChanges } from '../shared/store/partners/own-changes.ts';
import { createPartnerReader } from '../shared/store/partners/reader.ts';
import { createDenylistReader } from '../shared/store/requests/denylist.ts';
import { createRequestCounts } from '../shared/store/requests/request-counts.ts';
import { besideOf, createRequestStore } from '../shared/store/requests/requests.ts';
import { createStorefrontReader } from '../shared/store/storefronts/reader.ts';
import { getTransactions } from '../shared/store/transactions/get.ts';
import { createPipeline } from './pipeline.ts';
import { createPutPass } from './put-pass.ts';

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
  'PUBLISH_QUEUE',
  'LOOPBACK_ENDPOINTS',
  'STAGE',
  'PARTNER_REQUESTS_PER_MINUTE',
]);
const documents = createDocumentClient();
const partnersAccess = { documents, partnersTable: environment.PARTNERS_TABLE };
const readRing = createRingReader({ ...partnersAccess, clock }, 'access');
const debounceTable = environment.DEBOUNCE_TABLE;
const queues = createQueueClient();
const ownChanges = createOwnChanges(partnersAccess);
const transactionsAccess = { documents, transactionsTable: environment.TRANSACTIONS_TABLE };

const requestsAccess = { documents, requestsTable: environment.REQUESTS_TABLE, random: randomBytes };
const log = createLog('v2-partner', selfServiceLines);

export const handler = createPipeline({
  baseUrl: environment.BASE_URL,
  clock,
  log,
  partners: createPartnerReader(partnersAccess),
  denylist: createDenylistReader(requestsAccess),
  sentLog: createSentLog({ documents, debounceTable }),
  table: createDebounceTable({ documents, debounceTable }),
  putPass: createPutPass({ documents, debounceTable, requestsTable: environment.REQUESTS_TABLE }),
  stage: environment.STAGE,
  requests: createRequestStore(requestsAccess),
  rates: createRateLimiter({ counts: createRequestCounts(requestsAccess), log }),
  partnerRate: partnerPolicy(Number(environment.PARTNER_REQUESTS_PER_MINUTE)),
  directory: createPartnerLookup(partnersAccess),
  replaceWebhook: (change, { signature, record, pass, isSet }) =>
    ownChanges.replaceWebhook(change, {
      ...(signature && { signature }),
      ...besideOf(environment.REQUESTS_TABLE, record),
      statements: [
        ...(pass ? [{ Put: putPass(debounceTable, pass) }] : []),
        ...(isSet ? [{ ConditionCheck: noWithhold(debounceTable, change.after.clientId) }] : []),
      ],
    }),
  audit: createAuditStore({ ...partnersAccess, auditTable: environment.AUDIT_TABLE }),
  endpointRequests: createEndpointRequests({ client: queues, queueUrl: environment.ENDPOINT_QUEUE }),
  askForTest: createTestRequest({ client: queues, queueUrl: environment.PUBLISH_QUEUE }),
  endpointRules: { allowsLoopback: environment.LOOPBACK_ENDPOINTS === 'allowed' },
  random: randomBytes,
  storefronts: createStorefrontReader(partnersAccess),
  transactionsOf: (uuids) => getTransactions(transactionsAccess, uuids),
  resourceMetadata: resourceMetadataOf(environment.API_AUDIENCE),
  verify: createAccessTokenVerifier({
    findKey: createKeySet({ readRing, clock }),
    issuer: environment.AUTH_URL,
    audience: environment.API_AUDIENCE,
    clock,
  }),
});
