import type { Patch } from '../../patch.ts';

const partner = 'functions/shared/middleware/authenticate-partner.ts';
const methods = 'functions/shared/middleware/allow-methods.ts';
const cors = 'functions/shared/middleware/cors.ts';
const lookUps = ['test/unit/functions/shared/middleware/cors.test.ts'];
const ofCors = ['test/unit/functions/v1-transaction/cors.test.ts'];
const answers = ['test/unit/functions/v2-read/answers.test.ts'];
const ofReads = ['test/unit/functions/v2-read/protected-api.test.ts', ...answers];

/** What stands between a request and its function. */
export const patches: readonly Patch[] = [
  {
    id: 'scope-of-token',
    rule: 'S-08 the token has the OAuth scope',
    file: partner,
    find: 'accessToken.scopes.includes(scope) && partner',
    put: 'partner',
    tests: ofReads,
  },
  {
    id: 'scope-of-partner',
    rule: 'S-08 the partner has the OAuth scope still',
    file: partner,
    find: ' && partner.oauthScopes.includes(scope)',
    put: '',
    tests: ofReads,
  },
  {
    id: 'challenge-without-token',
    rule: 'ERR-2 a challenge names an error only when a token was presented',
    file: partner,
    find: "tokenPresented: reason !== 'no-token'",
    put: "tokenPresented: reason.startsWith('')",
    tests: answers,
  },
  {
    id: 'methods-options-without-token',
    rule: 'VERB-1 OPTIONS is answered without a token',
    file: methods,
    find: "if (event.httpMethod === 'OPTIONS') return noContent(headers);",
    put: '',
    tests: answers,
  },
  {
    id: 'methods-allow',
    rule: 'VERB-1 405 names what is allowed',
    file: methods,
    find: "problem('method-not-allowed', { headers })",
    put: "problem('method-not-allowed')",
    tests: answers,
  },
  {
    id: 'cors-two-origins',
    rule: 'V1-7 two origins count as none',
    file: cors,
    find: 'others.length === 0 && origin',
    put: 'others.length >= 0 && origin',
    tests: lookUps,
  },
  {
    id: 'cors-longest-origin',
    rule: 'V1-7 an origin longer than any registered one is not looked up',
    file: cors,
    find: 'origin.length <= longestOrigin ?',
    put: 'origin.length <= longestOrigin + 1 ?',
    tests: lookUps,
  },
  {
    id: 'cors-vary',
    rule: 'V1-7 caches keep the answers to different origins apart',
    file: cors,
    find: "Vary: 'Authorization, Origin',",
    put: "Vary: 'Authorization',",
    tests: ofCors,
  },
  {
    id: 'cors-preflight-only',
    rule: 'V1-7 only OPTIONS carries what a preflight asks',
    file: cors,
    find: "isOpen && event.httpMethod === 'OPTIONS' && preflight",
    put: 'isOpen && preflight',
    tests: ofCors,
  },
  {
    id: 'cors-max-age',
    rule: 'V1-7 a preflight is good for ten minutes',
    file: cors,
    find: "'Access-Control-Max-Age': '600',",
    put: "'Access-Control-Max-Age': '86400',",
    tests: ofCors,
  },
];
