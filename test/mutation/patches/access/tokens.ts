import { namedPatch, type Patch } from '../../patch.ts';

const patch = namedPatch('token', ['test/unit/functions/v2-read/protected-api.test.ts']);
const standing = 'functions/shared/domain/token-standing.ts';
const issued = ['test/unit/functions/issue-token/token-endpoint.test.ts'];
const access = 'functions/shared/auth/access-token.ts';

const revoked = ['test/unit/functions/issue-token/revocation.test.ts'];
const introspection = 'functions/issue-token/introspection.ts';

const metadata = 'functions/issue-token/server-metadata.ts';
const described = ['test/unit/functions/issue-token/server-metadata.test.ts'];

const noteUse = 'functions/issue-token/note-use.ts';
const used = ['test/unit/functions/issue-token/note-use.test.ts'];

/** When a token counts no more, and what the use of a secret leaves. */
export const patches: readonly Patch[] = [
  patch(
    ['ends-with-secret', 'TOK-6 a token ends with its secret'],
    [standing, '!secret || !isActive(secret, nowMs)', '!secret'],
  ),
  patch(
    ['of-gone-secret', 'TOK-6 a token of a secret that is gone is refused'],
    [standing, '!secret || !isActive(secret, nowMs)', 'secret && !isActive(secret, nowMs)'],
  ),
  patch(
    ['of-before', 'TOK-6 a token from before all were ended is refused'],
    [standing, 'token.iat * 1000 < tokensFromMs', 'token.iat < 0'],
  ),
  patch(
    ['dated-late', 'TOK-6 a token that is got afterwards counts'],
    [access, 'Math.max(now.getTime(), tokensFromMs)', 'Math.max(now.getTime(), 0 * tokensFromMs)'],
    issued,
  ),
  patch(
    ['lives-as-secret', 'TOK-1 a token says no time that its secret does not have'],
    [access, 'Math.min(iat + accessTokenSeconds, end)', 'iat + Math.min(accessTokenSeconds, 0 * end + 3600)'],
    issued,
  ),
  patch(
    ['use-once-a-day', 'S-20 the day of a use costs one write a day'],
    [noteUse, 'secret.lastUsedOn !== day', 'day'],
    used,
  ),
  patch(
    ['hashed-anew', 'TOK-3 a use brings a secret under the newest pepper'],
    [noteUse, 'secret.pepperId !== peppers.newest', 'secret.pepperId === peppers.newest'],
    used,
  ),
  patch(
    ['use-refuses-nobody', 'S-20 what cannot be noted refuses nobody'],
    [
      noteUse,
      "log('useNotNoted', { clientId }, fault);",
      "log('useNotNoted', { clientId }, fault);\n    throw fault;",
    ],
    used,
  ),
  patch(
    ['subject-is-client', 'J-03 the subject is the client'],
    [access, '|| sub !== clientId ||', '|| typeof sub !== typeof clientId ||'],
    ['test/unit/functions/shared/auth/refusal-reasons.test.ts'],
  ),
  patch(
    ['denylist-asked', 'R-42 V2 asks whether a token was revoked'],
    [
      'functions/shared/auth/token-in-force.ts',
      '(await denylist.has(token.jti, now))',
      'denylist === undefined',
    ],
    revoked,
  ),
  patch(
    ['denylist-rarely', 'R-42 a token from after the last revocation costs no read'],
    [standing, '(iat - leewaySeconds) * 1000 <= revokedAtMs', 'iat > 0'],
    revoked,
  ),
  patch(
    ['denylist-leeway', 'R-42 clocks may differ by the leeway'],
    [standing, '(iat - leewaySeconds) * 1000 <= revokedAtMs', 'iat * 1000 < revokedAtMs'],
    revoked,
  ),
  patch(
    ['denylist-long', 'R-42 an entry outlives what any clock takes for the token'],
    ['functions/issue-token/revocation.ts', '(exp + 2 * leewaySeconds) * 1000', 'exp * 1000'],
    revoked,
  ),
  patch(
    ['of-another-revoked', 'V-04 a client revokes its own tokens alone'],
    [
      'functions/issue-token/revocation.ts',
      'verified.value.clientId !== profile.partner.clientId',
      "'a' === String(1)",
    ],
    revoked,
  ),
  patch(
    ['of-another-described', 'I-02 a client learns of its own tokens alone'],
    [introspection, 'clientId !== profile.partner.clientId || ', ''],
    revoked,
  ),
  patch(
    ['expired-described', 'I-02 an expired token is inactive, leeway or not'],
    [introspection, ' || exp * 1000 <= now.getTime()', ''],
    revoked,
  ),
  patch(
    ['scope-described', 'S-08 an OAuth scope that is lost is not told'],
    [
      introspection,
      '.filter((scope) => partner.oauthScopes.some((held) => held === scope))',
      '.filter(() => partner !== undefined)',
    ],
    revoked,
  ),
  patch(
    ['grant-without-scopes', 'O-30 a client without OAuth scopes may not use the grant'],
    [
      'functions/issue-token/token-request.ts',
      "  if (oauthScopes.length === 0) return refuse('unauthorized-client');\n",
      '',
    ],
    issued,
  ),
  patch(
    ['partner-without-scopes', 'O-30 a partner can have no OAuth scope'],
    ['bin/operator/commands/partner-lifecycle.ts', ".filter((name) => name !== '')", ''],
    ['test/unit/bin/operator/partners/partners.test.ts'],
  ),
  patch(
    ['resource-names-issuer', 'M-11 the API says who issues its tokens'],
    [metadata, 'authorization_servers: [issuer]', 'authorization_servers: [audience || issuer]'],
    described,
  ),
  patch(
    ['challenge-names-resource', 'M-11 every 401 says where the API describes itself'],
    [
      'functions/shared/http/problem.ts',
      "resourceMetadata === undefined ? ''",
      "resourceMetadata !== '' ? ''",
    ],
  ),
  patch(
    ['verdict-of-gateway', 'R-44 no gateway judges, and so none keeps a verdict'],
    [
      'lib/constructs/rest-api.ts',
      'resource.addMethod(method, integration)',
      "resource.addMethod(method, integration, { authorizationType: 'AWS_IAM' as never })",
    ],
    ['test/infrastructure/rest-apis.test.ts'],
  ),
  patch(
    ['writes-judged-as-reads', 'R-44 a write asks for another OAuth scope than a read'],
    ['functions/v2-write/pipeline.ts', "oauthScope: 'nop2/write'", "oauthScope: 'nop2/read'"],
    ['test/unit/functions/v2-write/update.test.ts'],
  ),
  patch(
    ['by-its-parts', 'S-31 a token whose spelling is not the only one is none, whatever else it has'],
    ['functions/shared/auth/compact-jws.ts', ' || !parts.every(isCanonical)', ''],
    ['test/unit/functions/shared/auth/fuzz.test.ts'],
  ),
  patch(
    ['request-by-its-parts', 'O-32 a repeated parameter is refused, whatever else is right'],
    ['functions/issue-token/token-request.ts', ' || form.has(name)', ''],
    ['test/unit/functions/issue-token/fuzz.test.ts'],
  ),
];
