/** What a client is made with. */
export type ClientOptions = {
  /** Address of the API, without `/api`: `https://api.example.com`. */
  readonly baseUrl: string;
  /** Address of the token service, without `/oauth2`. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** OAuth scopes with spaces between them; without it a token has all that the credentials have. */
  readonly scope?: string;
  /** How long one attempt may take, its body included; 30 s. */
  readonly timeoutMs?: number;
  /** How often a request is sent at most, the first time included; 5. */
  readonly attempts?: number;
  /** A `Retry-After` beyond this is not waited for: the problem is thrown with its `retryAfterMs`; 60 s. */
  readonly longestWaitMs?: number;
  /** Lets addresses be `http://` that do not lead to this machine. Secrets would cross the network in clear text. */
  readonly allowHttp?: boolean;
  /** Sent in `User-Agent`, before the kit's own. */
  readonly userAgent?: string;
  /** Hears of each request that was sent, requests for tokens included: for a log. It must not throw. */
  readonly onRequest?: (sent: SentRequest) => void;
  /** In the place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since the epoch, in the place of `Date.now`. */
  readonly clock?: () => number;
  /** From 0 up to 1, in the place of `Math.random`. */
  readonly random?: () => number;
  /** A pause that ends early, with a rejection, when the signal is aborted. */
  readonly sleep?: Sleep;
  /** A new idempotency key, in the place of `crypto.randomUUID`. */
  readonly newKey?: () => string;
};

/** What every call takes beside its own. */
export type CallOptions = {
  /** Ends the call, its pauses too; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, in the place of the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** How often the request is sent at most, in the place of the client's `attempts`. */
  readonly attempts?: number | undefined;
};

/** One attempt. It holds no token, no secret and no body. */
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

/** The same, complete and judged. */
export type Settings = Required<Omit<ClientOptions, 'scope' | 'userAgent' | 'allowHttp'>> & {
  readonly scope: string | undefined;
  readonly userAgent: string;
};

/** Kept in step with package.json by a test. */
export const kitVersion = '0.1.0';

/** Throws a TypeError where an option could not work; it names the option and never a secret. */
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
  // Looked up at each call: whoever replaces the global one later means this client, too.
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
