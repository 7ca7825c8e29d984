import { randomBytes, randomUUID } from 'node:crypto';
import { createAccessTokenVerifier } from '../shared/auth/access-token.ts';
import { createPepperReader } from '../shared/auth/peppers.ts';
import { createSigningKeys } from '../shared/auth/signing-keys.ts';
import { createKeySet } from '../shared/auth/verification-key.ts';
import { createRateLimiter } from '../shared/middleware/rate-limiter.ts';
import { respond } from '../shared/middleware/respond.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createCauseReport } from '../shared/runtime/metrics.ts';
import { tokenLines } from '../shared/runtime/token-lines.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import {
  createPresentRingReader,
  createRingReader,
  type ReadRing,
} from '../shared/store/keys/ring-reader.ts';
import { createAuditStore } from '../shared/store/partners/audit-log.ts';
import { createCredentialsReader } from '../shared/store/partners/credentials.ts';
import { createPartnerNotes } from '../shared/store/partners/notes.ts';
import { createOwnChanges } from '../shared/store/partners/own-changes.ts';
import { createDenylistReader, createDenylistWriter } from '../shared/store/requests/denylist.ts';
import { createRequestCounts } from '../shared/store/requests/request-counts.ts';
import { besideOf, createRequestStore } from '../shared/store/requests/requests.ts';
import { createWrongSecretStore } from '../shared/store/requests/wrong-secrets.ts';
import { createSecretsClient } from '../shared/store/secrets/client.ts';
import { createSecretReader, createSecretStore } from '../shared/store/secrets/secrets.ts';
import { createGuessLimiter } from './guess-limiter.ts';
import { createHandler } from './handler.ts';
import { writeOAuthProblem } from './oauth-response.ts';

const environment = readEnvironment([
  'AUTH_URL',
  'API_AUDIENCE',
  'PARTNERS_TABLE',
  'REQUESTS_TABLE',
  'AUDIT_TABLE',
  'ACCESS_KEYS_SECRET',
  'PEPPER_SECRET',
]);
const secrets = createSecretStore(createSecretsClient());
const documents = createDocumentClient();
const partnersAccess = { documents, partnersTable: environment.PARTNERS_TABLE };
const requestsAccess = { documents, requestsTable: environment.REQUESTS_TABLE, random: randomBytes };
const ownChanges = createOwnChanges(partnersAccess);
const log = createLog('issue-token', tokenLines);
const names = { issuer: environment.AUTH_URL, audience: environment.API_AUDIENCE };
const readRing = createRingReader({ ...partnersAccess, clock }, 'access');
const verifyBy = (ring: ReadRing) =>
  createAccessTokenVerifier({ ...names, findKey: createKeySet({ readRing: ring, clock }), clock });

export const handler = respond(
  { log, clock, writeProblem: writeOAuthProblem },
  createHandler({
    partners: { ...createCredentialsReader(partnersAccess), ...createPartnerNotes(partnersAccess) },
    limiter: createGuessLimiter(createWrongSecretStore(requestsAccess)),
    log,
    reportRefusal: createCauseReport('issue-token', 'refusedClients'),
    denylist: { ...createDenylistReader(requestsAccess), ...createDenylistWriter(requestsAccess) },
    verify: verifyBy(readRing),
    verifyNow: verifyBy(createPresentRingReader(partnersAccess, 'access')),
    readPeppers: createPepperReader({
      readRing: createRingReader({ ...partnersAccess, clock }, 'pepper'),
      readSecret: createSecretReader(secrets, environment.PEPPER_SECRET, clock),
      clock,
    }),
    signingKeys: createSigningKeys({
      readRing,
      readSecret: createSecretReader(secrets, environment.ACCESS_KEYS_SECRET, clock),
      clock,
      onFault: (fault) => log('signingFailed', {}, fault),
    }),
    readRing,
    requests: createRequestStore(requestsAccess),
    rates: createRateLimiter({ counts: createRequestCounts(requestsAccess), log }),
    replaceSecrets: (clientId, change, record) =>
      ownChanges.replaceSecrets(clientId, change, besideOf(environment.REQUESTS_TABLE, record)),
    audit: createAuditStore({ ...partnersAccess, auditTable: environment.AUDIT_TABLE }),
    random: randomBytes,
    makeUuid: randomUUID,
    ...names,
    clock,
  }),
);
