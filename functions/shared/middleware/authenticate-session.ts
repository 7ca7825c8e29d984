import type { MiddlewareObj } from '@middy/core';
import { readBearerToken, type TokenAbsence } from '../auth/bearer-token.ts';
import type { SessionTokens } from '../auth/session-token.ts';
import { hasEnded, isToBeReissued, type Session, type SessionEnd } from '../domain/session.ts';
import { replayedHeader } from '../http/idempotency.ts';
import { type HandlerResult, invalidCredentials, twoTokens } from '../http/problem.ts';
import type { ResponseHeaders } from '../http/response.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PipelineEvent } from './respond.ts';

/** A session, and the token that proves it. */
type PresentedSession = Session & { token: string };

/** A request with its session, or without one if it has no token. */
export type SessionEvent = PipelineEvent & {
  session?: PresentedSession;
  /** The answer to a token that opens no session, given when this check is reached (ERR-3). */
  tokenRefusal?: HandlerResult;
};

export type SessionDeps = {
  tokens: SessionTokens;
  /** Whether the request belongs to its session. A sign-in names its sessions in the body. */
  isOfSession?: (event: SessionEvent) => boolean;
  /** The session's end, if it has ended (V1-9, V1-10). */
  endOf: (sessionId: string) => Promise<SessionEnd | undefined>;
  clock: Clock;
};

/**
 * Adds `event.session`, and adds its token to every answer from here on, including refusals and faults (V1-5): the same
 * token, or a renewed one in its last half. A replay has none (WR-1).
 */
export const identifySession = ({
  tokens,
  endOf,
  clock,
  isOfSession = () => true,
}: SessionDeps): MiddlewareObj<SessionEvent, HandlerResult> => ({
  before: async ({ event }): Promise<undefined> => {
    if (!isOfSession(event)) return;
    const session = await sessionOf(event, { tokens, endOf });
    if (!session.ok) return refuseLater(event, session.refusal);
    event.session = session.value;
    const { id, beganAt, token } = session.value;
    const current = isToBeReissued(session.value, clock()) ? await tokens.issue(id, beganAt) : token;
    event.responseHeaders = { ...event.responseHeaders, ...tokenHeaders(current) };
  },
  after: ({ event, response }) => {
    if (response && isReplay(response)) event.responseHeaders = withoutToken(event.responseHeaders);
  },
});

const refuseLater = (event: SessionEvent, refusal: HandlerResult | undefined): undefined => {
  if (refusal) event.tokenRefusal = refusal;
};

/** Refuses an invalid token with 401. */
export const refuseInvalidToken = (): MiddlewareObj<SessionEvent, HandlerResult> => ({
  before: ({ event }) => event.tokenRefusal,
});

type FoundSession = { ok: true; value: PresentedSession } | { ok: false; refusal: HandlerResult | undefined };

const sessionOf = async (
  event: SessionEvent,
  { tokens, endOf }: Pick<SessionDeps, 'tokens' | 'endOf'>,
): Promise<FoundSession> => {
  const token = readBearerToken(event);
  if (!token.ok) return { ok: false, refusal: refusalResult(token.reason) };
  const session = await tokens.verify(token.value);
  if (!session.ok || hasEnded(session.value, await endOf(session.value.id)))
    return { ok: false, refusal: invalidCredentials({ tokenPresented: true }) };
  return { ok: true, value: { ...session.value, token: token.value } };
};

/**
 * A call without credentials is anonymous, not refused (interface 4.1). Credentials other than a bearer token are
 * refused: otherwise a page that forgets the scheme would begin a session at each call (V1-5).
 */
const refusalResult = (reason: TokenAbsence): HandlerResult | undefined => {
  switch (reason) {
    case 'no-token':
      return undefined;
    case 'two-tokens':
      return twoTokens('session token');
    case 'other-scheme':
    case 'not-a-token':
      return invalidCredentials({ tokenPresented: reason === 'not-a-token' });
    default:
      return reason satisfies never;
  }
};

const isReplay = ({ headers }: HandlerResult) => headers[replayedHeader] !== undefined;

const withoutToken = (headers: ResponseHeaders = {}): ResponseHeaders => {
  const ofToken = Object.keys(tokenHeaders(''));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofToken.includes(name)));
};

/** Adds a session's token to a response. No cache may store it (S-25). */
export const tokenHeaders = (token: string): ResponseHeaders => ({
  'authentication-token': token,
  'Cache-Control': 'no-store',
});
