/** The kinds of keys; each has a ring and a secret of its own. */
export type KeyKind = 'access' | 'session' | 'pepper';

/** The public half of a signing key: RSA has `n` and `e`, an elliptic curve `crv`, `x` and `y`. */
export type PublicJwk = {
  kty: string;
  kid: string;
  alg: string;
  use?: string;
  n?: string;
  e?: string;
  crv?: string;
  x?: string;
  y?: string;
};

/** One key of a ring. Its private half, or the text of a pepper, lies under the same id in the secret of its kind. */
export type RingEntry = {
  kid: string;
  /** Absent of a pepper, which has no public half. */
  jwk?: PublicJwk;
  madeAtMs: number;
  /** Absent while it stands by: published, and not yet to sign with. */
  signsFromMs?: number;
  /** From then on nothing is verified with it; absent as long as nobody knows when. */
  retiresAtMs?: number;
};

/** The keys of a kind, in the order in which they sign. The ring says which of them signs and which verify, and time moves it. */
export type KeyRing = {
  /** Counts the changes, so that of two at the same moment one is refused. */
  revision: number;
  entries: RingEntry[];
  /** The rotation that changed it last, so that one which comes twice changes it once. */
  rotation?: string;
};

/** The first ring of a kind: one key signs at once, the others stand by. */
export const firstRing = (keys: readonly Pick<RingEntry, 'kid' | 'jwk'>[], nowMs: number): KeyRing => ({
  revision: 1,
  entries: keys.map((key, index) => ({
    ...key,
    madeAtMs: nowMs,
    ...(index === 0 && { signsFromMs: nowMs }),
  })),
});

/** The keys that verify at this moment; the key set shows the same. */
export const verifiersAt = ({ entries }: KeyRing, nowMs: number): RingEntry[] =>
  entries.filter(({ retiresAtMs = Number.POSITIVE_INFINITY }) => nowMs < retiresAtMs);

/**
 * The keys to sign with, best first: the one whose turn it is, then those before it, then those still to come. Only
 * somebody who does not have the first one's private half takes another.
 */
export const signersAt = (ring: KeyRing, nowMs: number): RingEntry[] => {
  const valid = verifiersAt(ring, nowMs);
  const hasStarted = ({ signsFromMs }: RingEntry) => signsFromMs !== undefined && signsFromMs <= nowMs;
  return [...valid.filter(hasStarted).toReversed(), ...valid.filter((entry) => !hasStarted(entry))];
};
