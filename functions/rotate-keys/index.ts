import { randomBytes } from 'node:crypto';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment, runtimeRegion } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createRingStore } from '../shared/store/keys/ring-store.ts';
import { createUserKey } from '../shared/store/keys/user-key.ts';
import { createSecretsClient } from '../shared/store/secrets/client.ts';
import { createSecretStore } from '../shared/store/secrets/secrets.ts';
import { createVersions } from '../shared/store/secrets/versions.ts';
import { ensureKeys } from './create-keys.ts';
import { putByFetch } from './custom-resource.ts';
import { createHandler } from './handler.ts';
import { generateKey, makePepper } from './key-material.ts';
import { isEmulated, isResponseAddress } from './response-address.ts';
import { createRotationStep } from './rotation-steps.ts';

const environment = readEnvironment([
  'PARTNERS_TABLE',
  'ACCESS_KEYS_SECRET',
  'SESSION_KEYS_SECRET',
  'PEPPER_SECRET',
]);

const place = { region: runtimeRegion(), isEmulated: isEmulated() };
const client = createSecretsClient();
const log = createLog('rotate-keys', allLines);
const partnersAccess = {
  documents: createDocumentClient(),
  partnersTable: environment.PARTNERS_TABLE,
};
const deps = {
  secrets: { ...createSecretStore(client), ...createVersions(client) },
  rings: createRingStore(partnersAccess),
  createUserKey: () => createUserKey(partnersAccess, makePepper(randomBytes)),
  generateKey,
  random: randomBytes,
  clock,
  secretIds: {
    access: environment.ACCESS_KEYS_SECRET,
    session: environment.SESSION_KEYS_SECRET,
    pepper: environment.PEPPER_SECRET,
  },
};

export const handler = createHandler({
  create: () => ensureKeys(deps),
  step: createRotationStep({ ...deps, log }),
  putResponse: putByFetch,
  isResponseAddress: (url) => isResponseAddress(url, place),
  log,
});
