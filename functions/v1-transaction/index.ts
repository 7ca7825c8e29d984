import { randomBytes } from 'node:crypto';
import { createSessionTokens } from '../shared/auth/session-token.ts';
import { createSigningKeys } from '../shared/auth/signing-keys.ts';
import { checkoutLines } from '../shared/runtime/checkout-lines.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createRingReader } from '../shared/store/keys/ring-reader.ts';
import { createUserKeyReader } from '../shared/store/keys/user-key.ts';
import { createCursorKeys } from '../shared/store/requests/cursor-keys.ts';
import { createRequestStore } from '../shared/store/requests/requests.ts';
import { createSecretsClient } from '../shared/store/secrets/client.ts';
import { createSecretReader, createSecretStore } from '../shared/store/secrets/secrets.ts';
import { createSessionEnds } from '../shared/store/sessions/session-record.ts';
import { createStorefrontReader } from '../shared/store/storefronts/reader.ts';
import { createTransactionReader } from '../shared/store/transactions/reader.ts';
import { createTransactionWriter } from '../shared/store/transactions/writer.ts';
import { createIdTokenVerifier } from './id-token.ts';
import { createKeySets } from './key-set.ts';
import { createPipeline } from './pipeline.ts';

const environment = readEnvironment([
  'BASE_URL',
  'TRANSACTIONS_TABLE',
  'LISTING_TABLE',
  'PARTNERS_TABLE',
  'REQUESTS_TABLE',
  'SESSION_KEYS_SECRET',
]);
const documents = createDocumentClient();
const partnersAccess = { documents, partnersTable: environment.PARTNERS_TABLE };
const readRing = createRingReader({ ...partnersAccess, clock }, 'session');
const storefronts = createStorefrontReader(partnersAccess);
const tables = {
  documents,
  transactionsTable: environment.TRANSACTIONS_TABLE,
  listingTable: environment.LISTING_TABLE,
  requestsTable: environment.REQUESTS_TABLE,
};
const secrets = createSecretStore(createSecretsClient());
const log = createLog('v1-transaction', checkoutLines);
const keys = createSigningKeys({
  readRing,
  readSecret: createSecretReader(secrets, environment.SESSION_KEYS_SECRET, clock),
  clock,
  onFault: (fault) => log('signingFailed', {}, fault),
});

export const handler = createPipeline({
  baseUrl: environment.BASE_URL,
  clock,
  random: randomBytes,
  log,
  storefronts,
  requests: createRequestStore(tables),
  cursorKeys: createCursorKeys({ ...tables, random: randomBytes }),
  transactions: {
    ...createTransactionReader({ ...tables, onDrift: () => log('listDrifts', {}) }),
    ...createTransactionWriter(tables),
  },
  sessions: createSessionEnds(tables),
  verifyIdToken: createIdTokenVerifier({ keySetOf: createKeySets(clock), clock }),
  readUserKey: createUserKeyReader(partnersAccess),
  tokens: createSessionTokens({ keys, baseUrl: environment.BASE_URL, clock }),
});
