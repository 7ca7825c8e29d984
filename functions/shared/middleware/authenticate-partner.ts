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

/** An authenticated request. */
export type PartnerEvent = HttpEvent & IdentifiedPartner;

/** `resourceMetadata` is the address in every challenge (M-11). */
export type AuthenticateDeps = IdentifyDeps & { resourceMetadata: string };

/** Adds `event.partner` and `event.accessToken`. Refuses a call without a valid token of an enabled partner (ERR-2). */
export const authenticatePartner = (deps: AuthenticateDeps): MiddlewareObj<HttpEvent, HandlerResult> => ({
  before: async ({ event }): Promise<HandlerResult | undefined> => {
    const identified = await identifyPartner(event, deps);
    if (!identified.ok) return refusalProblem(identified.reason, deps);
    Object.assign(event, identified.value);
    return undefined;
  },
});

/** RFC 6750 section 3.1: no error code without a token, 400 for two tokens, and one text for every fault of a token. */
const refusalProblem = (reason: IdentityRefusal, { resourceMetadata }: AuthenticateDeps): Problem =>
  reason === 'two-tokens'
    ? twoTokens('token')
    : invalidCredentials({ tokenPresented: !isWithoutToken(reason), resourceMetadata });

const isWithoutToken = (reason: IdentityRefusal) => reason === 'no-token' || reason === 'other-scheme';

/** Requires this OAuth scope of the token, and still of the partner: a token outlives a change (S-08). */
export const requireOAuthScope = <Event extends PartnerEvent>(
  scopeOf: (event: Event) => OAuthScope,
): MiddlewareObj<Event, HandlerResult> => ({
  before: ({ event }): HandlerResult | undefined => {
    const scope = scopeOf(event);
    return mayUse(scope, event) ? undefined : insufficientScope(scope);
  },
});

/** Whether the token has an OAuth scope, and its partner still has it. */
export const mayUse = (
  scope: OAuthScope,
  { accessToken, partner }: Pick<PartnerEvent, 'accessToken' | 'partner'>,
) => accessToken.scopes.includes(scope) && partner.oauthScopes.includes(scope);
