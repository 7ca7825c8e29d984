import { randomBytes } from 'node:crypto';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createRingStore } from '../shared/store/keys/ring-store.ts';
import { createSecretsClient } from '../shared/store/secrets/client.ts';
import { createSecretStore } from '../shared/store/secrets/secrets.ts';
import { asCustomResource, putByFetch } from './custom-resource.ts';
import { ensureKeys, generateKey } from './handler.ts';

const environment = readEnvironment([
  'PARTNERS_TABLE',
  'ACCESS_KEYS_SECRET',
  'SESSION_KEYS_SECRET',
  'PEPPER_SECRET',
]);

const deps = {
  secrets: createSecretStore(createSecretsClient()),
  rings: createRingStore({ documents: createDocumentClient(), partnersTable: environment.PARTNERS_TABLE }),
  generateKey,
  random: randomBytes,
  clock,
  secretIds: {
    access: environment.ACCESS_KEYS_SECRET,
    session: environment.SESSION_KEYS_SECRET,
    pepper: environment.PEPPER_SECRET,
  },
};

const log = createLog('create-keys', allLines);

export const handler = asCustomResource({
  work: () => ensureKeys(deps),
  putResponse: putByFetch,
  reportFault: (fault) => log('keysFailed', {}, fault),
});
