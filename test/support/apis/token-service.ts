import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { JWK } from 'jose';
import type { PartnerCredentials } from '../../../bin/operator/store/partners/partner-store.ts';
import { createGuessLimiter } from '../../../functions/issue-token/guess-limiter.ts';
import { createHandler, type TokenServiceDeps } from '../../../functions/issue-token/handler.ts';
import { writeOAuthProblem } from '../../../functions/issue-token/oauth-response.ts';
import { generateKey } from '../../../functions/rotate-keys/key-material.ts';
import { createAccessTokenVerifier } from '../../../functions/shared/auth/access-token.ts';
import { toStoredSecret } from '../../../functions/shared/auth/client-secret.ts';
import { createKeySet } from '../../../functions/shared/auth/verification-key.ts';
import type { Partner, StoredSecret } from '../../../functions/shared/domain/partner.ts';
import { respond } from '../../../functions/shared/middleware/respond.ts';
import type { TokenLog } from '../../../functions/shared/runtime/logger.ts';
import { httpEvent } from '../builders/http-event.ts';
import { aRing, heldKeys, onePepper } from '../builders/key-rings.ts';
import { createMemoryDenylist } from '../memory/denylist.ts';
import { createMemoryPartners } from '../memory/partners.ts';
import { withoutPartnerRate } from '../memory/request-counts.ts';
import { createMemoryRequests } from '../memory/requests.ts';
import { createMemoryWrongSecrets } from '../memory/wrong-secrets.ts';
import { createMemoryAudit, createMemoryOwnChanges } from './own-changes.ts';

export const authUrl = 'https://auth.example';
export const audience = 'https://api.example/api/v2';
export const now = new Date('2026-11-21T12:00:00Z');
export const pepper = 'p'.repeat(64);
export const secret = 'Secret0123456789'.repeat(4);

export const aPartner = (change: Partial<Partner> = {}): Partner => ({
  clientId: 'PartnerWithBothScopes00001',
  name: 'Northgate',
  enabled: true,
  oauthScopes: ['nop2/read', 'nop2/write'],
  grants: [{ group: 'g1' }],
  showsPaymentTokens: false,
  createdAtMs: 0,
  ...change,
});

export const aStoredSecret = (change: Partial<StoredSecret> = {}): StoredSecret => ({
  ...toStoredSecret(secret, { id: 's1', madeBy: 'tester', peppers: onePepper(pepper), nowMs: 0 }),
  ...change,
});

const withSecret = (partner: Partner): PartnerCredentials => ({ partner, secrets: [aStoredSecret()] });

export const partner = aPartner();
export const reader = aPartner({ clientId: 'ReaderR', name: 'Reader', oauthScopes: ['nop2/read'] });
export const disabled = aPartner({ clientId: 'DisabledX', name: 'Disabled', enabled: false });
export const withoutScopes = aPartner({ clientId: 'NoScopes', name: 'No scopes', oauthScopes: [] });

/** Two private keys of access tokens, made once a test file. */
export const accessKeys: JWK[] = await Promise.all([generateKey('RS256'), generateKey('RS256')]);

export type AskedFor = {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  query?: Record<string, string>;
  body?: string | null;
  isBase64Encoded?: boolean;
  sourceIp?: string;
};

export const basic = (clientId: string, clientSecret: string) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;

export const grantBody = 'grant_type=client_credentials&scope=nop2%2Fread+nop2%2Fwrite';

/** TOK of oauth.md, by default. */
const defaults = {
  method: 'POST',
  path: '/oauth2/token',
  headers: {},
  query: {},
  body: grantBody,
  isBase64Encoded: false,
  sourceIp: '198.51.100.7',
};
export const formHeaders = {
  'content-type': 'application/x-www-form-urlencoded',
  authorization: basic(partner.clientId, secret),
};

export const toEvent = (asked: AskedFor) => {
  const { path, query, body, sourceIp, ...more } = { ...defaults, ...asked };
  const event = httpEvent(`${path}?${new URLSearchParams(query)}`, { ...more, body: body ?? '' });
  const requestContext = { ...event.requestContext, identity: { sourceIp } };
  return { ...event, resource: path, requestContext } as unknown as APIGatewayProxyEvent;
};

export type Answered = { status: number; headers: Record<string, string>; body: string; json: () => Json };
type Json = Record<string, unknown>;

export const toAnswered = ({ statusCode, headers, body }: APIGatewayProxyResult): Answered => ({
  status: statusCode,
  headers: Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  ),
  body,
  json: () => JSON.parse(body) as Json,
});

/** What the handler did beside answering. */
type Seen = { storeCalls: string[]; pepperReads: number; log: unknown[]; causes: string[] };

/** The token service's own handler and layers, over partners held in memory. */
export const createTokenService = (
  change: Partial<TokenServiceDeps> = {},
  more: readonly PartnerCredentials[] = [],
) => {
  const seen: Seen = { storeCalls: [], pepperReads: 0, log: [], causes: [] };
  const credentials = [partner, reader, disabled, withoutScopes].map(withSecret);
  const partners = createMemoryPartners([...credentials, ...more]);
  const log: TokenLog = (name, facts, fault) => seen.log.push({ name, facts, fault: String(fault) });
  const denylist = createMemoryDenylist();
  const wrongSecrets = createMemoryWrongSecrets();
  const readRing = async () => aRing(accessKeys);
  const clock = change.clock ?? (() => now);
  let tokensMade = 0;
  const verify = createAccessTokenVerifier({
    findKey: createKeySet({ readRing, clock }),
    issuer: authUrl,
    audience,
    clock,
    ...change,
  });
  const requests = createMemoryRequests();
  const audit = createMemoryAudit();
  const { replaceSecrets } = createMemoryOwnChanges(partners, requests);
  const deps: TokenServiceDeps = {
    ...{ requests, audit, replaceSecrets, random: randomBytes, rates: withoutPartnerRate().rates },
    partners: {
      noteRevocation: (...note) => partners.noteRevocation(...note),
      noteUse: (...note) => partners.noteUse(...note),
      rehash: (...note) => partners.rehash(...note),
      credentialsOf: async (clientId) => {
        seen.storeCalls.push(clientId);
        return partners.credentialsOf(clientId);
      },
    },
    denylist,
    limiter: createGuessLimiter(wrongSecrets),
    log,
    reportRefusal: (cause) => seen.causes.push(cause),
    verify,
    verifyNow: verify,
    readPeppers: async () => {
      seen.pepperReads += 1;
      return onePepper(pepper);
    },
    signingKeys: heldKeys(accessKeys),
    readRing,
    makeUuid: () => `token-${++tokensMade}`,
    issuer: authUrl,
    audience,
    clock,
    ...change,
  };
  const handler = respond({ log, clock: deps.clock, writeProblem: writeOAuthProblem }, createHandler(deps));
  const ask = async (asked: AskedFor = {}) =>
    toAnswered(await handler(toEvent({ headers: formHeaders, ...asked }), {} as Context));
  return { ask, seen, partners, denylist, wrongSecrets, audit, requests };
};

export const decoded = (token: unknown) => {
  const [header, claims] = String(token)
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  return { header: JSON.parse(header ?? '') as Json, claims: JSON.parse(claims ?? '') as Json };
};
