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

/** One key of a ring. The secret of its kind has the private half, or the text of a pepper, under the same id. */
export type RingEntry = {
  kid: string;
  /** Absent for a pepper, which has no public half. */
  jwk?: PublicJwk;
  madeAtMs: number;
  /** Absent for a standby key: published, and not signing yet. */
  signsFromMs?: number;
  /** From then on the key verifies nothing. Absent if that time is not known. */
  retiresAtMs?: number;
};

/**
 * The keys of a kind, in the order in which they sign. The times in the ring decide which key signs and which verify.
 */
export type KeyRing = {
  /** Counts the changes, so that the second of two simultaneous changes is refused. */
  revision: number;
  entries: RingEntry[];
  /** The last rotation that changed it, so that a repeated one changes it once. */
  rotation?: string;
};

/** The first ring of a kind: one key signs at once, the others are standby keys. */
export const firstRing = (keys: readonly Pick<RingEntry, 'kid' | 'jwk'>[], nowMs: number): KeyRing => ({
  revision: 1,
  entries: keys.map((key, index) => ({
    ...key,
    madeAtMs: nowMs,
    ...(index === 0 && { signsFromMs: nowMs }),
  })),
});

/** The keys that verify at this time. The key set shows the same ones. */
export const verifiersAt = ({ entries }: KeyRing, nowMs: number): RingEntry[] =>
  entries.filter(({ retiresAtMs = Number.POSITIVE_INFINITY }) => nowMs < retiresAtMs);

/**
 * The keys to sign with, best first: the one whose turn it is, then the earlier ones, then the later ones. A caller
 * takes another than the first only if it lacks that key's private half.
 */
export const signersAt = (ring: KeyRing, nowMs: number): RingEntry[] => {
  const valid = verifiersAt(ring, nowMs);
  const hasStarted = ({ signsFromMs }: RingEntry) => signsFromMs !== undefined && signsFromMs <= nowMs;
  return [...valid.filter(hasStarted).toReversed(), ...valid.filter((entry) => !hasStarted(entry))];
};
