import { type Outcome, refuse, succeed } from '../outcome.ts';
import { type KeyRing, type RingEntry, signersAt, verifiersAt } from './key-ring.ts';

/** The times of a kind of key. */
export type RotationTimes = {
  /** A key signs after it has been published for this time, which is longer than any cache keeps the key set. */
  publishedMs: number;
  /**
   * A key verifies for this time after the next one begins to sign: the lifetime of what it signed last, and the time
   * until the last signer knows. Absent for peppers, because nobody knows when a client secret is used again.
   */
  verifiesForMs?: number;
};

/** A new key, and the rotation that made it. */
export type FreshKey = Pick<RingEntry, 'kid' | 'jwk'>;

/** Whether a standby key waits for the next rotation. */
export const hasStandby = (ring: KeyRing): boolean => ring.entries.some(standsBy);

const standsBy = ({ signsFromMs }: RingEntry) => signsFromMs === undefined;

/**
 * Publish, wait, sign, retire, as one decision (TOK-3): the standby key signs as soon as it has been published for long
 * enough (M-08), the earlier ones retire when what they signed has ended (M-09), and the fresh one becomes the standby
 * key. Time does the rest, so nothing has to run at the right moment. Without a standby key, the fresh one takes its
 * place and nothing else changes.
 */
export const rotate = (
  ring: KeyRing,
  fresh: FreshKey,
  { rotation, nowMs, times }: { rotation: string; nowMs: number; times: RotationTimes },
): KeyRing => {
  const kept = verifiersAt(ring, nowMs);
  const promoted = kept.map((entry) =>
    standsBy(entry) ? { ...entry, signsFromMs: Math.max(nowMs, entry.madeAtMs + times.publishedMs) } : entry,
  );
  const entries = [...withRetirements(promoted, times), { ...fresh, madeAtMs: nowMs }];
  return { revision: ring.revision + 1, entries, rotation };
};

/** Each signer retires this long after the next one begins. The last one and standby keys do not retire. */
const withRetirements = (entries: readonly RingEntry[], { verifiesForMs }: RotationTimes): RingEntry[] =>
  entries.map(({ retiresAtMs: _, ...entry }, index) => {
    const next = startAfter(entries, index);
    if (next === undefined || verifiesForMs === undefined) return entry;
    return { ...entry, retiresAtMs: next + verifiesForMs };
  });

/** When the next key begins. Keys are in the order in which they sign. */
const startAfter = (entries: readonly RingEntry[], index: number) =>
  entries.slice(index + 1).find((entry) => !standsBy(entry))?.signsFromMs;

/**
 * Removes a key at once (M-10). If it was signing, the next one signs at once. If it was to sign later, the standby key
 * signs at that time. Refused if no key could sign then: a rotation must make another key first.
 */
export const remove = (
  ring: KeyRing,
  kid: string,
  { nowMs, times }: { nowMs: number; times: RotationTimes },
): Outcome<KeyRing, 'no-key' | 'only-key'> => {
  const removed = ring.entries.find((entry) => entry.kid === kid);
  if (!removed) return refuse('no-key');
  const left = verifiersAt(ring, nowMs).filter((entry) => entry.kid !== kid);
  const entries = withSuccessor(left, {
    removed,
    signs: signersAt(ring, nowMs)[0] === removed,
    nowMs,
    times,
  });
  if (!entries) return refuse('only-key');
  return succeed({ ...ring, revision: ring.revision + 1, entries: withRetirements(entries, times) });
};

/** Undefined if the removed key was signing and no other can. */
const withSuccessor = (
  left: RingEntry[],
  { removed: { signsFromMs = 0 }, signs, nowMs, times }: Removal,
): RingEntry[] | undefined => {
  const next = left.find((entry) => (entry.signsFromMs ?? Number.POSITIVE_INFINITY) > nowMs);
  if (signs) return next && startingAt(nowMs, next, left);
  if (signsFromMs <= nowMs || !next || !standsBy(next)) return left;
  return startingAt(Math.max(signsFromMs, next.madeAtMs + times.publishedMs), next, left);
};

type Removal = { removed: RingEntry; signs: boolean; nowMs: number; times: RotationTimes };

const startingAt = (signsFromMs: number, next: RingEntry, entries: readonly RingEntry[]): RingEntry[] =>
  entries.map((entry) => (entry === next ? { ...entry, signsFromMs } : entry));

/** The keys whose private halves are still needed: the one that signs, and later ones. */
export const mayStillSign = (ring: KeyRing, nowMs: number): RingEntry[] => {
  const [signer] = signersAt(ring, nowMs);
  return signer ? ring.entries.slice(ring.entries.indexOf(signer)) : ring.entries;
};
