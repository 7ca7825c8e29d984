import type { MiddlewareObj } from '@middy/core';
import { readBearerToken } from '../auth/bearer-token.ts';
import type { SessionTokens } from '../auth/session-token.ts';
import { isInLastHalf, type Session } from '../domain/session.ts';
import { replayedHeader } from '../http/idempotency.ts';
import { type HandlerResult, invalidCredentials, twoTokens } from '../http/problem.ts';
import type { HttpEvent } from '../http/request.ts';
import type { ResponseHeaders } from '../http/response.ts';
import type { Clock } from '../runtime/clock.ts';

/** A session together with the token that proves it. */
type PresentedSession = Session & { token: string };

/** A request with its session, or without one where no token was presented. */
export type SessionEvent = HttpEvent & { session?: PresentedSession };

export type SessionDeps = { tokens: SessionTokens; clock: Clock };

/**
 * Adds `event.session`; a presented token that is not a valid one of ours ends here, with 401 (V1-5). Every other
 * response to a session carries its token: the same, or a fresh one in its last half. A replay carries none, because it
 * is what was kept and nothing else.
 */
export const authenticateSession = ({
  tokens,
  clock,
}: SessionDeps): MiddlewareObj<SessionEvent, HandlerResult> => ({
  before: async ({ event }): Promise<HandlerResult | undefined> => {
    const token = readBearerToken(event);
    if (!token.ok) return refusalResult(token.reason);
    const session = await tokens.verify(token.value);
    if (!session.ok) return invalidCredentials({ tokenPresented: true });
    event.session = { ...session.value, token: token.value };
    return undefined;
  },
  after: async (request) => {
    const { session } = request.event;
    if (!session || !request.response || isReplay(request.response)) return;
    const token = isInLastHalf(session, clock()) ? await tokens.issue(session.id) : session.token;
    const headers = { ...request.response.headers, ...tokenHeaders(token) };
    request.response = { ...request.response, headers };
  },
});

/** A call without a token is an anonymous one, not a refused one (interface 4.1). */
const refusalResult = (reason: 'no-token' | 'not-a-token' | 'two-tokens'): HandlerResult | undefined => {
  if (reason === 'no-token') return undefined;
  return reason === 'two-tokens' ? twoTokens('session token') : invalidCredentials({ tokenPresented: true });
};

const isReplay = ({ headers }: HandlerResult) => headers[replayedHeader] !== undefined;

/** How a response gives a session its token. No cache may keep what opens a session (S-25). */
export const tokenHeaders = (token: string): ResponseHeaders => ({
  'authentication-token': token,
  'Cache-Control': 'no-store',
});
