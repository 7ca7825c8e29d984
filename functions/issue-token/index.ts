import { randomUUID } from 'node:crypto';
import { createAccessTokenVerifier } from '../shared/auth/access-token.ts';
import { createPepperReader } from '../shared/auth/peppers.ts';
import { createSigningKeys } from '../shared/auth/signing-keys.ts';
import { createKeySet } from '../shared/auth/verification-key.ts';
import { respond } from '../shared/middleware/respond.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { requestLines } from '../shared/runtime/request-lines.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createRingReader } from '../shared/store/keys/ring-reader.ts';
import { createCredentialsReader } from '../shared/store/partners/credentials.ts';
import { createPartnerNotes } from '../shared/store/partners/notes.ts';
import { createDenylistReader, createDenylistWriter } from '../shared/store/requests/denylist.ts';
import { createSecretsClient } from '../shared/store/secrets/client.ts';
import { createSecretReader, createSecretStore } from '../shared/store/secrets/secrets.ts';
import { createHandler } from './handler.ts';
import { writeOAuthProblem } from './oauth-response.ts';

const environment = readEnvironment([
  'AUTH_URL',
  'API_AUDIENCE',
  'PARTNERS_TABLE',
  'REQUESTS_TABLE',
  'ACCESS_KEYS_SECRET',
  'PEPPER_SECRET',
]);
const secrets = createSecretStore(createSecretsClient());
const documents = createDocumentClient();
const partnersAccess = { documents, partnersTable: environment.PARTNERS_TABLE };
const requestsAccess = { documents, requestsTable: environment.REQUESTS_TABLE };
const names = { issuer: environment.AUTH_URL, audience: environment.API_AUDIENCE };
const readRing = createRingReader({ ...partnersAccess, clock }, 'access');

export const handler = respond(
  { log: createLog('issue-token', requestLines), clock, writeProblem: writeOAuthProblem },
  createHandler({
    partners: { ...createCredentialsReader(partnersAccess), ...createPartnerNotes(partnersAccess) },
    denylist: { ...createDenylistReader(requestsAccess), ...createDenylistWriter(requestsAccess) },
    verify: createAccessTokenVerifier({ ...names, findKey: createKeySet({ readRing, clock }), clock }),
    readPeppers: createPepperReader({
      readRing: createRingReader({ ...partnersAccess, clock }, 'pepper'),
      readSecret: createSecretReader(secrets, environment.PEPPER_SECRET, clock),
      clock,
    }),
    signingKeys: createSigningKeys({
      readRing,
      readSecret: createSecretReader(secrets, environment.ACCESS_KEYS_SECRET, clock),
      clock,
    }),
    readRing,
    makeUuid: randomUUID,
    ...names,
    clock,
  }),
);
