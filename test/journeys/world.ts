/** An answer, read to the end. */
export type Answer = { request: string; status: number; headers: Headers; text: string };

export type Credentials = { clientId: string; clientSecret: string };

/** The storefront of the journeys: its page's origin, and `ndMeta` of the transactions that are made there. */
export type Shop = { origin: string; owner: Owner };

export type Owner = {
  group: string;
  franchise: string;
  branch: string;
  location: string;
  groupSoftware: string;
};

/** How a journey reaches a running service: the embedded stage or deployed stacks. */
export type Reach = {
  baseUrl: string;
  authUrl: string;
  /** Sends a request to an address under one of the two. Redirects are returned, not followed. */
  send: (url: string, init?: RequestInit) => Promise<Answer>;
  /** Runs one command of the operator's tool and returns the JSON document it prints. */
  operator: (...words: string[]) => Promise<unknown>;
};

/** A service under a journey, and what earlier steps leave for later ones. */
export type World = Reach & {
  shop: Shop;
  /** A partner of the shop's group. */
  partner: Credentials;
  /** Its access tokens, of both OAuth scopes and of `nop2/write` alone. */
  tokens: { both: string; writeOnly: string };
  /** Texts that no log may hold. */
  secrets: Set<string>;
  /** All answers so far. */
  answers: readonly Answer[];
};

/** A stage that the journeys have for themselves: they import transactions, count all there are, and read all logs. */
export type OwnStage = World & {
  /** Every line that the functions have logged. */
  logLines: () => Promise<string[]>;
  /** A folder for files that the operator's tool reads. */
  folder: string;
};

export const worldOf = <Place extends Reach>(place: Place, shop: Shop): Place & World => {
  const answers: Answer[] = [];
  return {
    ...{ ...place, shop, answers },
    partner: { clientId: '', clientSecret: '' },
    tokens: { both: '', writeOnly: '' },
    secrets: new Set(),
    send: async (url, init) => {
      const answer = await place.send(url, init);
      answers.push(answer);
      return answer;
    },
  };
};

type Step<In> = {
  title: string;
  check: (world: In) => Promise<unknown>;
  /** All later steps rest on it, so a script need not try them after it fails. */
  isFoundation?: true;
  /** What an operator does when it fails on a deployed stage. */
  mend?: string;
};

/** Facts about the service in the order in which a caller meets them; each runner prints the titles. */
export type Journey<In = World> = { name: string; steps: readonly Step<In>[] };
