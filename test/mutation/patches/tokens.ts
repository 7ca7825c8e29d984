import { namedPatch, type Patch } from '../patch.ts';

const patch = namedPatch('token', ['test/unit/functions/v2-read/protected-api.test.ts']);
const standing = 'functions/shared/domain/token-standing.ts';
const issued = ['test/unit/functions/issue-token/token-endpoint.test.ts'];
const access = 'functions/shared/auth/access-token.ts';

/** When a token counts no more. */
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
    ['subject-is-client', 'J-03 the subject is the client'],
    [access, '|| sub !== clientId ||', '|| typeof sub !== typeof clientId ||'],
    ['test/unit/functions/shared/auth/refusal-reasons.test.ts'],
  ),
];
