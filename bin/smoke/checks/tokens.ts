import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { at, type Expectation, hasHeader, hasStatus, isSame, isTrue, listAt } from '../answer.ts';
import { type Check, withoutPartner } from '../check.ts';
import { askForToken, lists, programOf } from '../clients.ts';
import type { Visit } from '../visit.ts';

const jwksOf = ({ send, authUrl }: Visit) => send(`${authUrl}/oauth2/jwks`);

/** Members of a JWK that only the token service may know (RFC 7518, 6.3.2 and 6.4.1). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** The token service: what it publishes, and what it issues. */
export const tokenChecks: readonly Check[] = [
  {
    title: 'M-01 M-02 the metadata names the issuer by the address of the stage',
    look: async ({ send, authUrl }) => {
      const answer = await send(`${authUrl}/.well-known/oauth-authorization-server`);
      return [
        hasStatus(answer, 200),
        isSame('issuer', authUrl, at(answer, 'issuer')),
        isSame('token_endpoint', `${authUrl}/oauth2/token`, at(answer, 'token_endpoint')),
        isSame('jwks_uri', `${authUrl}/oauth2/jwks`, at(answer, 'jwks_uri')),
      ];
    },
    mend: 'the addresses of the functions come from ownDomain of lib/config.ts, or from the API: deploy the service stack again',
  },
  {
    title: 'M-11 the metadata of the resource names the token service',
    look: async ({ send, baseUrl, authUrl }) => {
      const answer = await send(`${baseUrl}/.well-known/oauth-protected-resource/api/v2`);
      return [
        hasStatus(answer, 200),
        isSame('resource', `${baseUrl}/api/v2`, at(answer, 'resource')),
        isSame('authorization_servers', [authUrl], at(answer, 'authorization_servers')),
      ];
    },
    mend: 'the addresses of the functions come from ownDomain of lib/config.ts, or from the API: deploy the service stack again',
  },
  {
    title: 'M-05 M-06 M-07 two public keys are published, for a while, and nothing private',
    look: async (visit) => {
      const answer = await jwksOf(visit);
      const keys = listAt(answer, 'keys').map(Object);
      const tag = answer.headers.get('ETag') ?? '';
      const again = await visit.send(`${visit.authUrl}/oauth2/jwks`, { headers: { 'If-None-Match': tag } });
      return [
        hasStatus(answer, 200),
        isTrue('two keys or more', keys.length >= 2, `${keys.length}`),
        isTrue(
          'no private member',
          !keys.some((key) => privateMembers.some((name) => name in key)),
          'there is one: rotate it at once',
        ),
        hasHeader(answer, 'Cache-Control', /public.*max-age=\d+/),
        hasStatus(again, 304),
      ];
    },
    mend: '`operator keys list` shows the rings; rotate-keys makes them when the data stack is deployed (its log)',
  },
  {
    title: 'O-01 O-03 a partner is granted a token, which no cache keeps',
    unless: withoutPartner,
    look: async (visit) => {
      const answer = await askAs(visit, 'nop2/read');
      return [
        hasStatus(answer, 200),
        isSame('token_type', 'Bearer', at(answer, 'token_type')),
        isSame('expires_in', 3600, at(answer, 'expires_in')),
        hasHeader(answer, 'Content-Type', /^application\/json/),
        hasHeader(answer, 'Cache-Control', /^no-store$/),
      ];
    },
    mend: '`operator partner show` says whether the partner is there and has a secret; the log of issue-token tells the rest',
  },
  {
    title: 'J-01 J-04 J-08 the token is signed by a published key, for this stage alone',
    unless: withoutPartner,
    look: async (visit) => [...(await tokenFacts(visit, (await programOf(visit)).token))],
    mend: '`operator keys list` shows which key signs; a key set that a cache kept changes within its max-age',
  },
  {
    title: 'O-15 a wrong secret is refused in the words of RFC 6749',
    unless: withoutPartner,
    look: async (visit) => {
      const clientId = visit.partner?.clientId ?? '';
      const answer = await askForToken(visit, { clientId, clientSecret: 'x'.repeat(64) }, 'nop2/read');
      return [
        hasStatus(answer, 401),
        isSame('error', 'invalid_client', at(answer, 'error')),
        hasHeader(answer, 'Cache-Control', /^no-store$/),
      ];
    },
    mend: 'see the log of issue-token for the id of the request',
  },
  {
    title: 'R-42 V-01 a token that is revoked is refused at once',
    unless: withoutPartner,
    look: async (visit) => {
      const { ask, token } = await programOf(visit);
      const before = await ask(lists);
      const { clientId = '', clientSecret = '' } = visit.partner ?? {};
      const revoked = await visit.send(`${visit.authUrl}/oauth2/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret }),
      });
      return [hasStatus(before, 200), hasStatus(revoked, 200), hasStatus(await ask(lists), 401)];
    },
    mend: 'rights of issue-token and v2-read on REVOKED#* of the Requests table: AccessDenied in their logs (docs/rules.md, S-66)',
  },
];

const askAs = (visit: Visit, scope: string) =>
  askForToken(visit, visit.partner ?? { clientId: '', clientSecret: '' }, scope);

const tokenFacts = async (visit: Visit, token: string): Promise<Expectation[]> => {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const { kid } = partOf(header);
  const { iss, aud } = partOf(claims);
  const keys = listAt(await jwksOf(visit), 'keys') as (JsonWebKey & { kid?: string })[];
  const key = keys.find((one) => one.kid === kid);
  return [
    isTrue(`a key ${kid} in the key set`, key !== undefined, keys.map((one) => one.kid).join(', ')),
    isTrue('a signature of that key', key !== undefined && isSigned(`${header}.${claims}`, signature, key)),
    isSame('iss', visit.authUrl, iss),
    isSame('aud', `${visit.baseUrl}/api/v2`, aud),
  ];
};

const partOf = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString());

const isSigned = (text: string, signature: string, key: JsonWebKey): boolean =>
  verify(
    'RSA-SHA256',
    Buffer.from(text),
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  );
