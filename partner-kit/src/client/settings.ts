/** Options of a client. */
export type ClientOptions = {
  /** Address of the API, without `/api`: `https://api.example.com`. */
  readonly baseUrl: string;
  /** Address of the token service, without `/oauth2`. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** OAuth scopes, separated by spaces. Absent = all of the credentials. */
  readonly scope?: string;
  /** Time limit of one attempt, including its body. Default: 30 s. */
  readonly timeoutMs?: number;
  /** The maximum of attempts, including the first. Default: 5. */
  readonly attempts?: number;
  /** The longest `Retry-After` to wait for. A longer one throws the error with its `retryAfterMs`. Default: 60 s. */
  readonly longestWaitMs?: number;
  /** Allows `http://` addresses of other machines, to which secrets are sent in clear text. */
  readonly allowHttp?: boolean;
  /** Sent in `User-Agent`, before the kit's own. */
  readonly userAgent?: string;
  /** Called for each request, including those for tokens: use it for a log. It must not throw. */
  readonly onRequest?: (sent: SentRequest) => void;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Replaces `Date.now`: milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Replaces `Math.random`: from 0 up to 1. */
  readonly random?: () => number;
  /** A pause that ends early, with a rejection, when the signal is aborted. */
  readonly sleep?: Sleep;
  /** Replaces `crypto.randomUUID` for idempotency keys. */
  readonly newKey?: () => string;
};

/** Options of every call. */
export type CallOptions = {
  /** Ends the call, including its pauses. It rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one attempt. Replaces the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** The maximum of attempts. Replaces the client's `attempts`. */
  readonly attempts?: number | undefined;
};

/** One attempt, without token, secret and body. */
export type SentRequest = {
  readonly method: string;
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly tookMs: number;
  /** Why there is no status. */
  readonly error: unknown;
};

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** The same, complete and checked. */
export type Settings = Required<Omit<ClientOptions, 'scope' | 'userAgent' | 'allowHttp'>> & {
  readonly scope: string | undefined;
  readonly userAgent: string;
};

/** A test compares it with package.json. */
export const kitVersion = '0.1.0';

/** Throws a TypeError for an option that cannot work. It names the option and no secret. */
export const settingsOf = (options: ClientOptions): Settings => ({
  baseUrl: addressOf('baseUrl', options),
  authUrl: addressOf('authUrl', options),
  clientId: textOf('clientId', options.clientId),
  clientSecret: textOf('clientSecret', options.clientSecret),
  scope: options.scope,
  timeoutMs: options.timeoutMs ?? 30_000,
  attempts: Math.max(1, options.attempts ?? 5),
  longestWaitMs: options.longestWaitMs ?? 60_000,
  userAgent: [options.userAgent, `transactions-partner-kit/${kitVersion}`].filter(Boolean).join(' '),
  onRequest: options.onRequest ?? (() => undefined),
  // Read at each call, so that a later replacement of the global one applies.
  fetch: options.fetch ?? ((...ask) => globalThis.fetch(...ask)),
  clock: options.clock ?? Date.now,
  random: options.random ?? Math.random,
  sleep: options.sleep ?? sleep,
  newKey: options.newKey ?? (() => crypto.randomUUID()),
});

const textOf = (name: string, value: unknown): string => {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`${name} must be a text that is not empty.`);
};

const addressOf = (name: 'baseUrl' | 'authUrl', options: ClientOptions): string => {
  const text = textOf(name, options[name]);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError(`${name} must be an address with https://.`);
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError(`${name} must have no user name, query or fragment.`);
  if (url.protocol === 'http:' && !isThisMachine(url) && options.allowHttp !== true)
    throw new TypeError(`${name} must begin with https://: over http:// your secret can be read on its way.`);
  return text.replace(/\/+$/, '');
};

const isThisMachine = ({ hostname }: URL) =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
