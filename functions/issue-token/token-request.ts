import type { Outcome } from '../shared/domain/outcome.ts';
import { refuse, succeed } from '../shared/domain/outcome.ts';
import type { OAuthScope, Partner } from '../shared/domain/partner.ts';
import { oauthScopeNames } from '../shared/domain/partner.ts';
import type { Form } from '../shared/http/form.ts';

/** Decides the scopes of an authenticated client (RFC 6749 sections 4.4.2 and 3.3, O-31). */
export const decideGrant = (
  form: Form,
  { oauthScopes }: Partner,
): Outcome<
  readonly OAuthScope[],
  'no-grant-type' | 'unsupported-grant-type' | 'unauthorized-client' | 'invalid-scope'
> => {
  const grantType = form.get('grant_type');
  if (grantType === undefined) return refuse('no-grant-type');
  if (grantType !== 'client_credentials') return refuse('unsupported-grant-type');
  if (oauthScopes.length === 0) return refuse('unauthorized-client');
  const asked = askedScopes(form, oauthScopes);
  const isAllowed = asked.every((scope) => oauthScopes.some((allowed) => allowed === scope));
  return isAllowed
    ? succeed(oauthScopeNames.filter((name) => asked.includes(name)))
    : refuse('invalid-scope');
};

/** A client that asks for no scope gets all that it may have (O-34). A single space separates scopes. */
const askedScopes = (form: Form, allowed: readonly OAuthScope[]): readonly string[] =>
  form.get('scope')?.split(' ') ?? allowed;

/** RFC 6749 section 5.1: the response names the scope where the client did not. */
export const scopeOfResponse = (form: Form, granted: readonly OAuthScope[]): { scope?: string } =>
  form.has('scope') ? {} : { scope: granted.join(' ') };
