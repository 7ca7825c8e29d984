import type { IdentityRefusal } from '../auth/identify-partner.ts';
import { invalidCredentials, type Problem, problem } from '../http/problem.ts';

/** RFC 6750 section 3.1 (ERR-2): no error without a token, 400 for two, one text for all that is wrong with a token. */
export const refusalProblem = (reason: IdentityRefusal): Problem => {
  if (reason === 'no-token') return invalidCredentials({ tokenPresented: false });
  if (reason !== 'two-tokens') return invalidCredentials({ tokenPresented: true });
  return problem('bad-request', {
    detail: 'Send one token, in the Authorization header only.',
    headers: { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_request"' },
  });
};
