import { randomBytes } from 'node:crypto';
import { createAccessTokenVerifier } from '../shared/auth/access-token.ts';
import { resourceMetadataOf } from '../shared/auth/bearer-token.ts';
import { createKeySet } from '../shared/auth/verification-key.ts';
import { partnerPolicy } from '../shared/domain/rate-limit.ts';
import { createRateLimiter } from '../shared/middleware/rate-limiter.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { readLines } from '../shared/runtime/read-lines.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createRingReader } from '../shared/store/keys/ring-reader.ts';
import { createPartnerReader } from '../shared/store/partners/reader.ts';
import { createCursorKeys } from '../shared/store/requests/cursor-keys.ts';
import { createDenylistReader } from '../shared/store/requests/denylist.ts';
import { createRequestCounts } from '../shared/store/requests/request-counts.ts';
import { createStorefrontReader } from '../shared/store/storefronts/reader.ts';
import { createTransactionReader } from '../shared/store/transactions/reader.ts';
import { createPipeline } from './pipeline.ts';

const environment = readEnvironment([
  'BASE_URL',
  'AUTH_URL',
  'API_AUDIENCE',
  'TRANSACTIONS_TABLE',
  'LISTING_TABLE',
  'PARTNERS_TABLE',
  'REQUESTS_TABLE',
  'PARTNER_REQUESTS_PER_MINUTE',
]);
const documents = createDocumentClient();
const partnersAccess = { documents, partnersTable: environment.PARTNERS_TABLE };
const requestsAccess = { documents, requestsTable: environment.REQUESTS_TABLE, random: randomBytes };
const readRing = createRingReader({ ...partnersAccess, clock }, 'access');
const log = createLog('v2-read', readLines);
const storefronts = createStorefrontReader(partnersAccess);

export const handler = createPipeline({
  baseUrl: environment.BASE_URL,
  clock,
  log,
  partners: createPartnerReader(partnersAccess),
  denylist: createDenylistReader(requestsAccess),
  rates: createRateLimiter({ counts: createRequestCounts(requestsAccess), log }),
  partnerRate: partnerPolicy(Number(environment.PARTNER_REQUESTS_PER_MINUTE)),
  cursorKeys: createCursorKeys(requestsAccess),
  transactions: createTransactionReader({
    documents,
    transactionsTable: environment.TRANSACTIONS_TABLE,
    listingTable: environment.LISTING_TABLE,
    onDrift: () => log('listDrifts', {}),
    membersOf: async (group) => (await storefronts.ofGroup(group)).map(({ owner }) => owner),
  }),
  resourceMetadata: resourceMetadataOf(environment.API_AUDIENCE),
  verify: createAccessTokenVerifier({
    findKey: createKeySet({ readRing, clock }),
    issuer: environment.AUTH_URL,
    audience: environment.API_AUDIENCE,
    clock,
  }),
});
