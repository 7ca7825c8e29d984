import { NoAnswerError, UnexpectedAnswerError } from './errors.ts';
import type { Redactor } from './redactor.ts';
import type { SentRequest, Settings } from './settings.ts';

/** One request as it is sent. */
export type Ask = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The caller's signal, which ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  readonly attempt?: number;
};

/** One complete answer. */
export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The request id from the service. */
  readonly requestId: string | undefined;
};

type ExchangeDeps = Pick<Settings, 'clock' | 'fetch' | 'onRequest' | 'sleep' | 'timeoutMs'> & {
  redactor: Redactor;
};

/** Sends one request once, and reports it to `onRequest`. */
export const exchange = async (ask: Ask, deps: ExchangeDeps): Promise<Reply> => {
  const { method, url, attempt = 1 } = ask;
  const startedMs = deps.clock();
  const tell = (end: Pick<SentRequest, 'status' | 'requestId' | 'error'>) =>
    deps.onRequest({ method, url, attempt, ...end, tookMs: deps.clock() - startedMs });
  try {
    const reply = await send(ask, deps);
    tell({ status: reply.status, requestId: reply.requestId, error: undefined });
    return reply;
  } catch (error) {
    tell({ status: undefined, requestId: undefined, error });
    throw error;
  }
};

/**
 * A network fault becomes a NoAnswerError without any part of the request. The caller's own abort is thrown as its
 * reason.
 */
const send = async (ask: Ask, deps: ExchangeDeps): Promise<Reply> => {
  ask.signal?.throwIfAborted();
  const attempt = new AbortController();
  const stop = () => attempt.abort(ask.signal?.reason);
  ask.signal?.addEventListener('abort', stop, { once: true });
  const timedOut = new NoAnswerError({ reason: 'timeout', text: `No answer within ${deps.timeoutMs} ms.` });
  const isOver = new AbortController();
  deps.sleep(deps.timeoutMs, isOver.signal).then(
    () => attempt.abort(timedOut),
    () => undefined,
  );
  try {
    return await untilAborted(attempt.signal, replyTo(ask, attempt.signal, deps));
  } catch (fault) {
    ask.signal?.throwIfAborted();
    throw attempt.signal.aborted ? timedOut : noAnswer(fault, deps.redactor);
  } finally {
    isOver.abort();
    ask.signal?.removeEventListener('abort', stop);
  }
};

const replyTo = async (ask: Ask, signal: AbortSignal, deps: ExchangeDeps): Promise<Reply> => {
  const { method, headers } = ask;
  // A redirect would send the request to an unchecked address.
  const response = await deps.fetch(ask.url, {
    ...{ method, headers, signal, redirect: 'manual' },
    ...(ask.body !== undefined && { body: ask.body }),
  });
  const { status, headers: answered } = response;
  const id = answered.get('Request-Id');
  const requestId = id === null ? undefined : deps.redactor.redact(id);
  return { status, headers: answered, text: await response.text(), requestId };
};

/** Ends the waiting even if `fetch` ignores its signal. */
export const untilAborted = <Value>(
  signal: AbortSignal | undefined,
  work: Promise<Value>,
): Promise<Value> => {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
};

/** Drops the original fault, because it may contain the request with its token. */
const noAnswer = (fault: unknown, { redact }: Redactor): NoAnswerError => {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  const name = typeof code === 'string' ? redact(code) : undefined;
  const text = redact(
    `The connection failed: ${name ?? (typeof message === 'string' ? message : 'no reason given')}.`,
  );
  return new NoAnswerError({ reason: 'network', text, ...(name !== undefined && { code: name }) });
};

/** The object in a body. Any other body is not from the service. */
export const objectIn = (reply: Reply): Record<string, unknown> => {
  const value = parsed(reply.text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new UnexpectedAnswerError(`The answer ${reply.status} has no JSON object as its body.`, {
    status: reply.status,
    requestId: reply.requestId,
  });
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
