/** An answer, read to the end. */
export type Answer = { request: string; status: number; headers: Headers; text: string };

export type Credentials = { clientId: string; clientSecret: string };

/** How a journey reaches a running service: the embedded stage or deployed stacks. */
export type Reach = {
  baseUrl: string;
  authUrl: string;
  /** Sends a request to an address under one of the two. Redirects are answers, not followed. */
  send: (url: string, init?: RequestInit) => Promise<Answer>;
  /** All answers so far. */
  answers: readonly Answer[];
  /** Runs one command of the operator's tool and returns the JSON document it prints. */
  operator: (...words: string[]) => Promise<unknown>;
  /** Every line that the functions have logged. */
  logLines: () => Promise<string[]>;
  /** A folder for files that the operator's tool reads. */
  folder: string;
};

/** A service under a journey, and what earlier steps leave for later ones. */
export type World = Reach & {
  /** The partner of group harbour. */
  partner: Credentials;
  /** Its access tokens, of both OAuth scopes and of `nop2/write` alone. */
  tokens: { both: string; writeOnly: string };
  /** Texts that no log may hold. */
  secrets: Set<string>;
};

export const worldOf = (reach: Reach): World => ({
  ...reach,
  partner: { clientId: '', clientSecret: '' },
  tokens: { both: '', writeOnly: '' },
  secrets: new Set(),
});

type Step<In = World> = {
  title: string;
  check: (world: In) => Promise<unknown>;
  /** All later steps rest on it, so a script need not try them after it fails. */
  isFoundation?: true;
};

/** Facts about the service in the order in which a caller meets them; each runner prints the titles. */
export type Journey<In = World> = { name: string; steps: readonly Step<In>[] };
