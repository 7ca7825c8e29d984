import type { MiddlewareObj } from '@middy/core';
import type { IdentifiedPartner, IdentifyDeps, IdentityRefusal } from '../auth/identify-partner.ts';
import { identifyPartner } from '../auth/identify-partner.ts';
import type { OAuthScope } from '../domain/partner.ts';
import type { HandlerResult } from '../http/problem.ts';
import { insufficientScope, invalidCredentials, type Problem, problem } from '../http/problem.ts';
import type { HttpEvent } from '../http/request.ts';

/** A request whose caller is known. */
export type PartnerEvent = HttpEvent & IdentifiedPartner;

/** Adds `event.partner` and `event.accessToken`; a call without a valid token of an enabled partner ends here (ERR-2). */
export const authenticatePartner = (deps: IdentifyDeps): MiddlewareObj<HttpEvent, HandlerResult> => ({
  before: async ({ event }): Promise<HandlerResult | undefined> => {
    const identified = await identifyPartner(event, deps);
    if (!identified.ok) return refusalProblem(identified.reason);
    Object.assign(event, identified.value);
    return undefined;
  },
});

/** The token must have this OAuth scope, and the partner must still have it: a token outlives a change (S-08). */
export const requireOAuthScope = (scope: OAuthScope): MiddlewareObj<PartnerEvent, HandlerResult> => ({
  before: ({ event: { accessToken, partner } }): HandlerResult | undefined =>
    accessToken.scopes.includes(scope) && partner.oauthScopes.includes(scope)
      ? undefined
      : insufficientScope(scope),
});

/** RFC 6750 section 3.1 (ERR-2): no error without a token, 400 for two, one text for all that is wrong with a token. */
export const refusalProblem = (reason: IdentityRefusal): Problem => {
  if (reason === 'no-token') return invalidCredentials({ tokenPresented: false });
  if (reason !== 'two-tokens') return invalidCredentials({ tokenPresented: true });
  return problem('bad-request', {
    detail: 'Send one token, in the Authorization header only.',
    headers: { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_request"' },
  });
};
