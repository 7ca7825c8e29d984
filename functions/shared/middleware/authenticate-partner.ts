import type { MiddlewareObj } from '@middy/core';
import {
  type IdentifiedPartner,
  type IdentifyDeps,
  type IdentityRefusal,
  identifyPartner,
} from '../auth/identify-partner.ts';
import type { OAuthScope } from '../domain/partner.ts';
import {
  type HandlerResult,
  insufficientScope,
  invalidCredentials,
  type Problem,
  twoTokens,
} from '../http/problem.ts';
import type { HttpEvent } from '../http/request.ts';

/** A request whose caller is known. */
export type PartnerEvent = HttpEvent & IdentifiedPartner;

/** `resourceMetadata` is the address that every challenge names (M-11). */
export type AuthenticateDeps = IdentifyDeps & { resourceMetadata: string };

/** Adds `event.partner` and `event.accessToken`; a call without a valid token of an enabled partner ends here (ERR-2). */
export const authenticatePartner = (deps: AuthenticateDeps): MiddlewareObj<HttpEvent, HandlerResult> => ({
  before: async ({ event }): Promise<HandlerResult | undefined> => {
    const identified = await identifyPartner(event, deps);
    if (!identified.ok) return refusalProblem(identified.reason, deps);
    Object.assign(event, identified.value);
    return undefined;
  },
});

/** RFC 6750 section 3.1: no error without a token, 400 for two, one text for all that is wrong with a token. */
const refusalProblem = (reason: IdentityRefusal, { resourceMetadata }: AuthenticateDeps): Problem =>
  reason === 'two-tokens'
    ? twoTokens('token')
    : invalidCredentials({ tokenPresented: !isWithoutToken(reason), resourceMetadata });

const isWithoutToken = (reason: IdentityRefusal) => reason === 'no-token' || reason === 'other-scheme';

/** The token must have this OAuth scope, and so must the partner still: a token outlives a change (S-08). */
export const requireOAuthScope = <Event extends PartnerEvent>(
  scopeOf: (event: Event) => OAuthScope,
): MiddlewareObj<Event, HandlerResult> => ({
  before: ({ event }): HandlerResult | undefined => {
    const scope = scopeOf(event);
    return mayUse(scope, event) ? undefined : insufficientScope(scope);
  },
});

/** Whether the token has an OAuth scope, and its partner still. */
export const mayUse = (
  scope: OAuthScope,
  { accessToken, partner }: Pick<PartnerEvent, 'accessToken' | 'partner'>,
) => accessToken.scopes.includes(scope) && partner.oauthScopes.includes(scope);
