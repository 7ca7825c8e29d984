import type { FieldError } from '../types.ts';
import { type AccessTokens, basicCredentials, createAccessTokens } from './access-token.ts';
import { ForeignLinkError, type ProblemError, problemError, UnexpectedAnswerError } from './errors.ts';
import { type Ask, exchange, objectIn, type Reply } from './exchange.ts';
import { withPatience } from './patience.ts';
import { createRedactor, type Redactor } from './redactor.ts';
import { retryAfterMs } from './retry.ts';
import type { CallOptions, Settings } from './settings.ts';

/** A request to the API, without its token. */
type ApiRequest = CallOptions & {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** A path below the base, or a link from the service. */
  readonly target: string;
  readonly parameters?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** With a key a write may be retried. Null sends none. */
  readonly idempotencyKey?: string | null | undefined;
  /** The longest `Retry-After` to wait for, if it is above the client's `longestWaitMs`. */
  readonly longestWaitMs?: number;
};

/** The service's answer. */
export type ApiAnswer = {
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  readonly requestId: string | undefined;
};

/** Sends a request with the token, retries it if that is safe, and throws refusals. */
export type Api = (request: ApiRequest) => Promise<ApiAnswer>;

type Deps = Settings & { redactor: Redactor; tokens: AccessTokens };

export const createApi = (settings: Settings): Api => {
  const { clientId, clientSecret } = settings;
  const redactor = createRedactor([clientSecret, basicCredentials(clientId, clientSecret)]);
  const deps: Deps = { ...settings, redactor, tokens: createAccessTokens({ ...settings, redactor }) };
  return async (request) => {
    const ready = prepared(request, deps);
    const { signal, attempts = deps.attempts, timeoutMs = deps.timeoutMs } = request;
    const longestWaitMs = Math.max(deps.longestWaitMs, request.longestWaitMs ?? 0);
    const reply = await withPatience(
      (failures) => attempt({ ...ready, attempt: failures + 1 }, { ...deps, timeoutMs }),
      { mayRepeat: mayRepeat(request), signal },
      { ...deps, attempts, longestWaitMs },
    );
    const body = reply.status === 204 ? {} : objectIn(reply);
    return { body, headers: reply.headers, requestId: reply.requestId };
  };
};

/**
 * A write is retried only with an idempotency key (WR-1), or if it is a removal, because removing twice has the same
 * effect.
 */
const mayRepeat = ({ method, idempotencyKey }: ApiRequest) =>
  method === 'GET' || method === 'DELETE' || (typeof idempotencyKey === 'string' && idempotencyKey !== '');

/** Everything except the token: the same bytes in every attempt. */
const prepared = (request: ApiRequest, { baseUrl, userAgent }: Deps): Ask => {
  const { method, body, idempotencyKey, signal } = request;
  return {
    ...{ method, signal, url: addressOf(request, baseUrl) },
    headers: {
      Accept: 'application/json',
      'User-Agent': userAgent,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      ...request.headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
};

/** Links are absolute, have the service's origin and another path than the API, and are used as they are. */
const addressOf = ({ target, parameters = [] }: ApiRequest, baseUrl: string): string => {
  const isPath = target.startsWith('/') && !target.startsWith('//');
  const url = new URL(isPath ? `${baseUrl}${target}` : target, baseUrl);
  if (url.origin !== new URL(baseUrl).origin) throw new ForeignLinkError(url.origin);
  for (const [name, value] of parameters) url.searchParams.append(name, value);
  return url.href;
};

/** One attempt. A refused token is replaced once, because it may have been revoked, or the clock was wrong. */
const attempt = async (request: Ask, deps: Deps): Promise<Reply> => {
  const token = await deps.tokens.get(request.signal);
  const reply = await sendWith(token, request, deps);
  if (reply.status !== 401) return accepted(reply, deps);
  deps.tokens.drop(token);
  const fresh = await deps.tokens.get(request.signal);
  return accepted(await sendWith(fresh, request, deps), deps);
};

const sendWith = (token: string, { headers, ...request }: Ask, deps: Deps) =>
  exchange({ ...request, headers: { ...headers, Authorization: `Bearer ${token}` } }, deps);

const accepted = (reply: Reply, deps: Deps): Reply => {
  if (reply.status >= 200 && reply.status < 300) return reply;
  if (reply.status >= 400) throw problemOf(reply, deps);
  throw new UnexpectedAnswerError(
    `The service answered ${reply.status}, which it never does: is the address right?`,
    {
      status: reply.status,
      requestId: reply.requestId,
    },
  );
};

/** A gateway or proxy may answer without a problem document. Then only the status describes the error. */
const problemOf = (reply: Reply, { redactor: { redact }, clock }: Deps): ProblemError => {
  const body = problemBody(reply);
  const text = (name: string, usual: string) =>
    redact(typeof body[name] === 'string' ? String(body[name]) : usual);
  return problemError({
    status: reply.status,
    typeUrl: text('type', 'about:blank'),
    title: text('title', 'No title'),
    detail: text('detail', 'The answer says no more.'),
    requestId: reply.requestId,
    errors: errorsIn(body, redact),
    retryAfterMs: retryAfterMs(reply.headers.get('Retry-After'), clock()),
  });
};

const problemBody = (reply: Reply): Record<string, unknown> => {
  try {
    return objectIn(reply);
  } catch {
    return {};
  }
};

const errorsIn = ({ errors }: Record<string, unknown>, redact: Redactor['redact']): FieldError[] =>
  (Array.isArray(errors) ? errors : []).map((error: Partial<FieldError> | null) => ({
    field: redact(String(error?.field ?? '')),
    message: redact(String(error?.message ?? '')),
  }));
