import { type ClientOptions, createClient } from '../../../partner-kit/src/index.ts';
import { randomFrom } from '../builders/random.ts';

/** A request as the service would see it. */
type SentRequest = {
  method: string;
  url: URL;
  headers: Headers;
  body: string;
  atMs: number;
};
type Answering = (request: SentRequest, signal: AbortSignal) => Response | Promise<Response>;

export const json = (body: unknown, { status = 200, headers = {} }: AnswerOptions = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Request-Id': 'request-1', ...headers },
  });
type AnswerOptions = { status?: number; headers?: Record<string, string> };

export const tokenAnswer = (text: string, seconds = 3600) =>
  json({ access_token: text, token_type: 'Bearer', expires_in: seconds });

/** A time that passes only while somebody sleeps, and at once then; requests take none of it. */
const aSleepyClock = () => {
  let nowMs = Date.parse('2026-11-22T12:00:00Z');
  const pauses: number[] = [];
  const never = (signal?: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  return {
    pauses,
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms;
    },
    never,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
      nowMs += ms;
    },
  };
};

export const clientSecret = 's3cretS3cretS3cretS3cret';

/**
 * A client whose network is two functions: `api` answers it, and `token` its requests for tokens. The time limit of an
 * attempt differs from a pause by its length, and ends only when `timesOut` says so.
 */
export const aClient = ({
  api = () => json({}),
  token,
  timesOut = () => false,
  ...options
}: Partial<ClientOptions> & { api?: Answering; token?: Answering; timesOut?: () => boolean } = {}) => {
  const clock = aSleepyClock();
  const sent: SentRequest[] = [];
  const tokensAsked: SentRequest[] = [];
  const timeoutMs = 30_000;
  const client = createClient({
    baseUrl: 'https://api.example.com',
    authUrl: 'https://auth.example.com',
    clientId: 'client-1',
    clientSecret,
    clock: clock.now,
    random: randomFrom(1).next,
    timeoutMs,
    sleep: (ms, signal) => (ms === timeoutMs && !timesOut() ? clock.never(signal) : clock.sleep(ms, signal)),
    fetch: async (input, init = {}) => {
      const request = {
        method: init.method ?? 'GET',
        url: new URL(String(input)),
        headers: new Headers(init.headers),
        body: String(init.body ?? ''),
        atMs: clock.now(),
      };
      const isToken = request.url.pathname === '/oauth2/token';
      const seen = isToken ? tokensAsked : sent;
      seen.push(request);
      const answering = isToken ? (token ?? (() => tokenAnswer(`token-${seen.length}`))) : api;
      const answer = await answering(request, init.signal ?? new AbortController().signal);
      const isFollowed = init.redirect !== 'manual' && answer.headers.has('Location');
      return isFollowed ? Response.json({ followed: true }) : answer;
    },
    ...options,
  });
  return { client, clock, sent, tokensAsked };
};

/** Answers one after the other; the last one for good. */
export const inTurn = (...answers: (() => Response | Promise<Response>)[]): Answering => {
  let count = 0;
  return () => {
    const answer = answers[Math.min(count, answers.length - 1)] ?? (() => json({}));
    count += 1;
    return answer();
  };
};

/** A refusal as the service writes it. */
export const aProblem = (status: number, more: Record<string, unknown> = {}, headers = {}) =>
  json(
    {
      type: `https://docs.example.com/errors#${status}`,
      title: `Title ${status}`,
      status,
      detail: 'What happened.',
      instance: '/api',
      requestId: 'request-1',
      ...more,
    },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  );

export const anEmptyPage = {
  _expand: 'vehicle',
  data: [],
  _links: { self: { href: '' }, first: { href: '' }, last: { href: '' } },
  _meta: { totalCount: 0, pageCount: 0, currentPage: 1, perPage: 10 },
};

export const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};
