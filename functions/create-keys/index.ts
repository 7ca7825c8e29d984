import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createKeyStore } from '../shared/store/partners/published-keys.ts';
import { createSecretsClient } from '../shared/store/secrets/client.ts';
import { createSecretStore } from '../shared/store/secrets/secrets.ts';
import { asCustomResource, putByFetch } from './custom-resource.ts';
import { ensureKeys, generateKey } from './handler.ts';

const environment = readEnvironment(['PARTNERS_TABLE', 'ACCESS_KEYS_SECRET', 'SESSION_KEYS_SECRET']);

const deps = {
  secrets: createSecretStore(createSecretsClient()),
  keyStore: createKeyStore({ documents: createDocumentClient(), partnersTable: environment.PARTNERS_TABLE }),
  generateKey,
  accessKeysSecret: environment.ACCESS_KEYS_SECRET,
  sessionKeysSecret: environment.SESSION_KEYS_SECRET,
};

const log = createLog('create-keys', allLines);

export const handler = asCustomResource({
  work: () => ensureKeys(deps),
  putResponse: putByFetch,
  reportFault: (fault) => log('keysFailed', {}, fault),
});
