import { randomUUID } from 'node:crypto';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import { generateKey } from '../../../functions/rotate-keys/key-material.ts';
import { lifetimeOf, signAccessToken } from '../../../functions/shared/auth/access-token.ts';
import type { SigningKey } from '../../../functions/shared/auth/signing-keys.ts';
import { tokenIdOf } from '../../../functions/shared/domain/token-standing.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import { aPartner, aSecret } from '../builders/a-partner.ts';
import { aRing, heldKeys } from '../builders/key-rings.ts';
import { startEngine } from './engine.ts';

const addresses = {
  BASE_URL: 'https://api.example',
  AUTH_URL: 'https://auth.example',
  API_AUDIENCE: 'https://resource.example/api/v2',
};

/** What another token has. */
export type TokenChanges = { jti?: string; issuer?: string; audience?: string; key?: SigningKey };

/** An engine with a partner and a public key, and tokens that it signed: enough for the functions of V2 to answer. */
export const startPlace = async () => {
  const engine = await startEngine();
  const partner = aPartner();
  await createPartnerStore({ documents: engine.documents, partnersTable: 'Partners' }).create(
    { partner, secrets: [aSecret()] },
    'signature',
  );

  const key = await generateKey('RS256');
  const rings = createRingStore({ documents: engine.documents, partnersTable: 'Partners' });
  await rings.replace('access', aRing([key]));
  const { active } = heldKeys([key]);
  const signToken = async ({ jti = tokenIdOf('s1', randomUUID()), ...changes }: TokenChanges = {}) =>
    signAccessToken(
      {
        clientId: partner.clientId,
        scopes: ['nop2/read', 'nop2/write', 'nop2/webhook'],
        jti,
        lifetime: lifetimeOf({}, {}, new Date()),
      },
      { key: await active(), issuer: addresses.AUTH_URL, audience: addresses.API_AUDIENCE, ...changes },
    );
  return {
    ...{ engine, clientId: partner.clientId, key, signToken },
    environment: { ...environmentOf(engine.endpoint), ...addresses },
    stop: engine.stop,
  };
};

let started = 0;

/** The handler of a function as Lambda starts it: its `index.ts` runs again, with the present `process.env`. */
export const startFunction = async (name: string) => {
  started += 1;
  const { handler } = await import(`../../../functions/${name}/index.ts?start=${started}`);
  return handler;
};

const environmentOf = (endpoint: string): Record<string, string> => ({
  TRANSACTIONS_TABLE: 'Transactions',
  LISTING_TABLE: 'Listing',
  PARTNERS_TABLE: 'Partners',
  REQUESTS_TABLE: 'Requests',
  DEBOUNCE_TABLE: 'Debounce',
  AUDIT_TABLE: 'Audit',
  EVENT_SOURCE: 'svc.local.online-payments',
  PUBLISH_QUEUE: 'http://127.0.0.1:8787/queue',
  ENDPOINT_QUEUE: 'http://127.0.0.1:8787/queue',
  LOOPBACK_ENDPOINTS: 'refused',
  STAGE: 'local',
  PARTNER_REQUESTS_PER_MINUTE: '300',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  AWS_REGION: 'eu-west-2',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  POWERTOOLS_LOG_LEVEL: 'SILENT',
});
