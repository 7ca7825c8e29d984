import type { Outcome } from '../shared/domain/outcome.ts';
import { refuse, succeed } from '../shared/domain/outcome.ts';
import type { OAuthScope, Partner } from '../shared/domain/partner.ts';
import { oauthScopeNames } from '../shared/domain/partner.ts';

/** The parameters of a token request that have a value. */
export type Form = ReadonlyMap<string, string>;

/**
 * RFC 6749 section 3.2: a parameter may stand once (O-32), one without a value counts as left out (O-27), and
 * unknown ones stay unread (O-33).
 */
export const parseForm = (body: string): Outcome<Form, 'malformed-form'> => {
  const form = new Map<string, string>();
  for (const part of body.split('&').filter((text) => text !== '')) {
    const [name, value] = splitOnce(part, '=').map(formDecoded);
    if (name === undefined || value === undefined || form.has(name)) return refuse('malformed-form');
    form.set(name, value);
  }
  return succeed(new Map([...form].filter(([, value]) => value !== '')));
};

export const splitOnce = (text: string, separator: string): [string, string] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
};

/** `application/x-www-form-urlencoded` as text, or undefined when an escape or its UTF-8 is broken. */
export const formDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/** What an authenticated client is granted (RFC 6749 sections 4.4.2 and 3.3), decided after who it is (O-31). */
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

/** All that the client may have when it asks for none (O-34). One space parts the scopes. */
const askedScopes = (form: Form, allowed: readonly OAuthScope[]): readonly string[] =>
  form.get('scope')?.split(' ') ?? allowed;

/** RFC 6749 section 5.1: the response names the scope where the client did not. */
export const scopeOfResponse = (form: Form, granted: readonly OAuthScope[]): { scope?: string } =>
  form.has('scope') ? {} : { scope: granted.join(' ') };
