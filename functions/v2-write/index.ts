import { randomBytes } from 'node:crypto';
import { createAccessTokenVerifier } from '../shared/auth/access-token.ts';
import { resourceMetadataOf } from '../shared/auth/bearer-token.ts';
import { createKeySet } from '../shared/auth/verification-key.ts';
import { partnerPolicy } from '../shared/domain/rate-limit.ts';
import { createRateLimiter } from '../shared/middleware/rate-limiter.ts';
import { createCompletionRequest, createQueueClient } from '../shared/outbound/flush-queues.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createRingReader } from '../shared/store/keys/ring-reader.ts';
import { createPartnerReader } from '../shared/store/partners/reader.ts';
import { createDenylistReader } from '../shared/store/requests/denylist.ts';
import { createRequestCounts } from '../shared/store/requests/request-counts.ts';
import { createRequestStore } from '../shared/store/requests/requests.ts';
import { createStorefrontReader } from '../shared/store/storefronts/reader.ts';
import { getTransaction } from '../shared/store/transactions/get.ts';
import { createNumericIds } from '../shared/store/transactions/numeric-ids.ts';
import { createTransactionWriter } from '../shared/store/transactions/writer.ts';
import { createPipeline } from './pipeline.ts';

const environment = readEnvironment([
  'BASE_URL',
  'AUTH_URL',
  'API_AUDIENCE',
  'TRANSACTIONS_TABLE',
  'LISTING_TABLE',
  'REQUESTS_TABLE',
  'PARTNERS_TABLE',
  'DEBOUNCE_TABLE',
  'PUBLISH_QUEUE',
  'PARTNER_REQUESTS_PER_MINUTE',
]);
const documents = createDocumentClient();
const partnersAccess = { documents, partnersTable: environment.PARTNERS_TABLE };
const readRing = createRingReader({ ...partnersAccess, clock }, 'access');
const log = createLog('v2-write', allLines);
const tables = {
  documents,
  transactionsTable: environment.TRANSACTIONS_TABLE,
  listingTable: environment.LISTING_TABLE,
  requestsTable: environment.REQUESTS_TABLE,
  debounceTable: environment.DEBOUNCE_TABLE,
};

export const handler = createPipeline({
  baseUrl: environment.BASE_URL,
  clock,
  random: randomBytes,
  log,
  partners: createPartnerReader(partnersAccess),
  denylist: createDenylistReader(tables),
  rates: createRateLimiter({ counts: createRequestCounts({ ...tables, random: randomBytes }), log }),
  partnerRate: partnerPolicy(Number(environment.PARTNER_REQUESTS_PER_MINUTE)),
  storefronts: createStorefrontReader(partnersAccess),
  transactions: {
    byUuid: (uuid) => getTransaction(tables, uuid),
    ...createTransactionWriter(tables),
  },
  requests: createRequestStore(tables),
  ids: createNumericIds(tables),
  askForCompletion: createCompletionRequest({
    client: createQueueClient(),
    queueUrl: environment.PUBLISH_QUEUE,
  }),
  resourceMetadata: resourceMetadataOf(environment.API_AUDIENCE),
  verify: createAccessTokenVerifier({
    findKey: createKeySet({ readRing, clock }),
    issuer: environment.AUTH_URL,
    audience: environment.API_AUDIENCE,
    clock,
  }),
});
