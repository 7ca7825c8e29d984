import type { SessionTokens } from '../shared/auth/session-token.ts';
import { openStorefronts } from '../shared/domain/ownership/ownership.ts';
import type { Storefront } from '../shared/domain/ownership/storefront.ts';
import { beginningAfter, sessionLifetimeSeconds, sessionOfUser } from '../shared/domain/session.ts';
import { notKept } from '../shared/http/oauth-error.ts';
import { type HandlerResult, unavailable } from '../shared/http/problem.ts';
import { json } from '../shared/http/response.ts';
import { tokenHeaders } from '../shared/middleware/authenticate-session.ts';
import type { CheckoutLog } from '../shared/runtime/logger.ts';
import type { ReadUserKey } from '../shared/store/keys/user-key.ts';
import { userFull } from './creation.ts';
import type { SignedInUser, VerifyIdToken } from './id-token.ts';
import { type MoveDeps, moveSession } from './move-session.ts';
import { type OwnerDeps, ownershipFacts } from './new-transaction.ts';
import type { CheckoutEvent } from './route.ts';
import { accessTokenType, exchangeRefusal, readTokenExchange } from './token-exchange.ts';

export type SignInDeps = OwnerDeps &
  MoveDeps & {
    tokens: Pick<SessionTokens, 'issue'>;
    verifyIdToken: VerifyIdToken;
    readUserKey: ReadUserKey;
    log: CheckoutLog;
  };

/** Exchanges a user's ID token for a token of the user's session (V1-10, RFC 8693). */
export const signIn = async (event: CheckoutEvent, deps: SignInDeps): Promise<HandlerResult> => {
  const request = readTokenExchange(event);
  if (!request.ok) return exchangeRefusal(request.reason);
  const { idToken, actorToken } = request.value;
  const storefronts = openStorefronts(await ownershipFacts(event, deps));
  const providers = storefronts.flatMap(({ identityProvider }) => identityProvider ?? []);
  if (providers.length === 0) return exchangeRefusal('no-identity-provider');
  const user = await deps.verifyIdToken(idToken, providers);
  if (!user.ok) return refusal(user.reason, deps);
  const { provider, subject } = user.value;
  const session = sessionOfUser({ issuer: provider.issuer, subject }, await deps.readUserKey());
  const move = { to: session, owners: ownersOf(user.value, storefronts) };
  const moved = actorToken === undefined ? undefined : await moveSession(actorToken, move, deps);
  if (moved?.ok === false) return refusal(moved.reason, deps);
  const beganAt = beginningAfter(await deps.sessions.endOf(session), deps.clock());
  return granted(await deps.tokens.issue(session, beganAt));
};

/** A key set that cannot be read says nothing about the token, so the page may retry. */
const refusal = (
  reason: 'invalid-token' | 'key-set-unavailable' | 'session-full' | 'contended',
  { log }: SignInDeps,
): HandlerResult => {
  if (reason === 'key-set-unavailable') log('keySetUnavailable', {});
  if (reason === 'session-full') return userFull();
  return reason === 'invalid-token' ? exchangeRefusal('invalid-grant') : unavailable();
};

/** The storefronts of this origin whose users this client of the provider signs in. */
const ownersOf = ({ provider }: SignedInUser, storefronts: readonly Storefront[]) =>
  storefronts
    .filter(({ identityProvider: of }) => of?.issuer === provider.issuer && of.audience === provider.audience)
    .map(({ owner }) => owner);

/** RFC 8693 section 2.2.1. The session's token is also in the header of every V1 answer (V1-5). */
const granted = (token: string): HandlerResult =>
  json(
    200,
    {
      access_token: token,
      issued_token_type: accessTokenType,
      token_type: 'Bearer',
      expires_in: sessionLifetimeSeconds,
    },
    { ...notKept, ...tokenHeaders(token) },
  );
