/** A client is given where the service is, a token, and an incomplete transaction to filter by and to pay for. */
type Given = { BASE_URL: string; TOKEN: string; TRANSACTION: string };

/** A client that a generator of other hands makes of `openapi.json`, with a program of ours that uses it. */
export type GeneratedClient = {
  name: string;
  /** Why it cannot be made here, such as a language that is missing. */
  absent?: string | undefined;
  /** Generates it and compiles it, with the program. */
  make: () => Promise<unknown>;
  /** Why it cannot run here although it is made; asked after that. */
  unable?: () => Promise<string | undefined>;
  /** Runs the program, which prints `{ listed, found, paid }`. */
  run: (given: Given) => Promise<string>;
};
