import type { TokenResponse } from '../types.ts';
import { TokenRefusedError, UnexpectedAnswerError } from './errors.ts';
import { exchange, objectIn, type Reply, untilAborted } from './exchange.ts';
import { withPatience } from './patience.ts';
import type { Redactor } from './redactor.ts';
import { retryAfterMs } from './retry.ts';
import type { Settings } from './settings.ts';

type Deps = Settings & { redactor: Redactor };
type Token = { text: string; renewAtMs: number; endsAtMs: number };

/** The access token of a client, requested at its first use and kept until shortly before its end. */
export type AccessTokens = {
  /** Concurrent callers share one request. A caller's signal ends only its own waiting. */
  get: (signal: AbortSignal | undefined) => Promise<string>;
  /** The token was refused, so the next call requests another one. */
  drop: (text: string) => void;
};

export const createAccessTokens = (deps: Deps): AccessTokens => {
  let token: Token | undefined;
  let asking: Promise<Token> | undefined;
  const ask = () => {
    asking ??= requestToken(deps)
      .then((fresh) => {
        token = fresh;
        return fresh;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  return {
    get: async (signal) => {
      if (token !== undefined && deps.clock() < token.renewAtMs) return token.text;
      const old = token;
      const { text } = await untilAborted(signal, ask()).catch((fault) => {
        // Renewed before its end, and still valid until then.
        if (old !== undefined && old === token && deps.clock() < old.endsAtMs) return old;
        throw fault;
      });
      return text;
    },
    drop: (text) => {
      if (token?.text === text) token = undefined;
    },
  };
};

const requestToken = (deps: Deps): Promise<Token> =>
  withPatience((failures) => tokenOnce(failures + 1, deps), { mayRepeat: true, signal: undefined }, deps);

/** Counted from the time of sending, so that the transfer only makes it shorter. */
const tokenOnce = async (attempt: number, deps: Deps): Promise<Token> => {
  const sentAtMs = deps.clock();
  const reply = await exchange({ ...tokenRequest(deps), attempt }, deps);
  if (reply.status !== 200) throw refusalOf(reply, deps);
  const { access_token: text, expires_in: seconds } = objectIn(reply) as Partial<TokenResponse>;
  if (typeof text !== 'string' || typeof seconds !== 'number')
    throw new UnexpectedAnswerError('The token service answered without a token.', { status: reply.status });
  deps.redactor.learn(text);
  const lifeMs = seconds * 1_000;
  return { text, renewAtMs: sentAtMs + lifeMs - marginMs(lifeMs), endsAtMs: sentAtMs + lifeMs };
};

/** A minute before the end, or a tenth of a short lifetime: longer than a request takes. */
const marginMs = (lifeMs: number) => Math.min(60_000, lifeMs / 10);

const tokenRequest = ({ authUrl, clientId, clientSecret, scope, userAgent }: Deps) => ({
  method: 'POST',
  url: `${authUrl}/oauth2/token`,
  headers: {
    Authorization: `Basic ${basicCredentials(clientId, clientSecret)}`,
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
    'User-Agent': userAgent,
  },
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
  }).toString(),
});

/** Both parts form-encoded (RFC 6749 section 2.3.1). */
export const basicCredentials = (clientId: string, clientSecret: string): string =>
  btoa([clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':'));

export const refusalOf = (reply: Reply, { redactor, clock }: Deps) => {
  const { error, error_description: description } = objectIn(reply);
  return new TokenRefusedError({
    status: reply.status,
    error: redactor.redact(String(error ?? 'unknown_error')),
    description: redactor.redact(String(description ?? 'no reason given')),
    requestId: reply.requestId,
    retryAfterMs: retryAfterMs(reply.headers.get('Retry-After'), clock()),
  });
};
