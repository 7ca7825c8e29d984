import { type Outcome, refuse, succeed } from '../shared/domain/outcome.ts';
import { type Form, type FormFault, readForm } from '../shared/http/form.ts';
import { formRefusals, type OAuthError, oauthError } from '../shared/http/oauth-error.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import type { HttpResponse } from '../shared/http/response.ts';

/**
 * The tokens of a sign-in: the user's ID token, and optionally the token of the anonymous session that it continues.
 */
export type TokenExchange = { idToken: string; actorToken?: string };

const largestBody = 16_384;

/** The parameters of RFC 8693 section 2.1. */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const idTokenType = 'urn:ietf:params:oauth:token-type:id_token';
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** Why a sign-in is refused. All faults of a token get the same refusal. */
const refusals = {
  'too-large': [413, 'invalid_request', `The body is larger than ${largestBody} bytes.`],
  ...formRefusals,
  'unsupported-grant-type': [
    400,
    'unsupported_grant_type',
    `The only grant type of this address is ${tokenExchangeGrant}.`,
  ],
  'no-subject-token': [
    400,
    'invalid_request',
    `Send an ID token as subject_token, with subject_token_type ${idTokenType}.`,
  ],
  'wrong-actor-token': [
    400,
    'invalid_request',
    `Send actor_token and actor_token_type together; the type is ${accessTokenType}.`,
  ],
  'wrong-requested-type': [
    400,
    'invalid_request',
    `The only requested_token_type of this address is ${accessTokenType}.`,
  ],
  'no-identity-provider': [
    400,
    'unauthorized_client',
    'No identity provider is registered for a storefront of this origin.',
  ],
  'invalid-grant': [
    400,
    'invalid_grant',
    'A token is invalid, expired, older than 10 minutes, or not of this storefront. Sign in again, without actor_token if it was sent.',
  ],
} as const satisfies Record<string, OAuthError>;
export type ExchangeRefusal = keyof typeof refusals;

export const exchangeRefusal = (reason: ExchangeRefusal): HttpResponse => oauthError(refusals[reason]);

/** The request of a sign-in (RFC 8693 section 2.1). Unknown parameters are ignored (RFC 6749 section 3.2). */
export const readTokenExchange = (
  event: HttpEvent,
): Outcome<TokenExchange, FormFault | Exclude<ExchangeRefusal, 'invalid-grant' | 'no-identity-provider'>> => {
  const form = readForm(event, largestBody);
  if (!form.ok) return form;
  const grantType = form.value.get('grant_type');
  if (grantType === undefined) return refuse('no-grant-type');
  if (grantType !== tokenExchangeGrant) return refuse('unsupported-grant-type');
  return readTokens(form.value);
};

const readTokens = (
  form: Form,
): Outcome<TokenExchange, ExchangeRefusal & (`no-subject-token` | `wrong-${string}`)> => {
  const [idToken, actorToken] = [form.get('subject_token'), form.get('actor_token')];
  const actorType = actorToken === undefined ? undefined : accessTokenType;
  if (idToken === undefined || form.get('subject_token_type') !== idTokenType)
    return refuse('no-subject-token');
  if (form.get('actor_token_type') !== actorType) return refuse('wrong-actor-token');
  if ((form.get('requested_token_type') ?? accessTokenType) !== accessTokenType)
    return refuse('wrong-requested-type');
  return succeed({ idToken, ...(actorToken !== undefined && { actorToken }) });
};
