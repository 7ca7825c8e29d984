import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  firstRing,
  type KeyRing,
  signersAt,
  verifiersAt,
} from '../../../../../../functions/shared/domain/keys/key-ring.ts';
import {
  hasStandby,
  mayStillSign,
  remove,
  rotate,
} from '../../../../../../functions/shared/domain/keys/rotation.ts';
import { propertyRun } from '../../../../../support/builders/property-run.ts';

/** A key waits for 100 before it signs and verifies for 1,000 after the next one began. */
const times = { publishedMs: 100, verifiesForMs: 1000 };
const first = firstRing([{ kid: 'a' }, { kid: 'b' }], 0);
const rotated = (ring: KeyRing, kid: string, nowMs: number) =>
  rotate(ring, { kid }, { rotation: `by ${kid}`, nowMs, times });
const kidsOf = (entries: readonly { kid: string }[]) => entries.map(({ kid }) => kid).join(' ');
const signerOf = (ring: KeyRing, nowMs: number) => signersAt(ring, nowMs)[0]?.kid;
const without = (ring: KeyRing, kid: string, nowMs: number) => remove(ring, kid, { nowMs, times });
const left = (ring: KeyRing, kid: string, nowMs: number) => {
  const outcome = without(ring, kid, nowMs);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
};

describe('a rotation', () => {
  test('M-08 the standby key signs at once if it was published for long enough, and the new one becomes standby', () => {
    const ring = rotated(first, 'c', 500);

    expect(ring).toEqual({
      revision: 2,
      rotation: 'by c',
      entries: [
        { kid: 'a', madeAtMs: 0, signsFromMs: 0, retiresAtMs: 1500 },
        { kid: 'b', madeAtMs: 0, signsFromMs: 500 },
        { kid: 'c', madeAtMs: 500 },
      ],
    });
    expect([signerOf(ring, 499), signerOf(ring, 500)]).toEqual(['a', 'b']);
  });

  test('M-08 a key that was not published for long enough waits, and the one before it signs meanwhile', () => {
    const ring = rotated(rotated(first, 'c', 500), 'd', 530);

    expect([signerOf(ring, 599), signerOf(ring, 600)]).toEqual(['b', 'c']);
    expect(ring.entries.map(({ retiresAtMs }) => retiresAtMs)).toEqual([1500, 1600, undefined, undefined]);
  });

  test('M-09 a key verifies until its last token has expired, and is removed by the next rotation', () => {
    const ring = rotated(first, 'c', 500);

    expect([kidsOf(verifiersAt(ring, 1499)), kidsOf(verifiersAt(ring, 1500))]).toEqual(['a b c', 'b c']);
    expect(kidsOf(rotated(ring, 'd', 2000).entries)).toBe('b c d');
  });

  test('TOK-3 the signing key comes first, then former ones, then later ones', () => {
    const ring = rotated(rotated(first, 'c', 500), 'd', 530);

    expect([kidsOf(signersAt(ring, 599)), kidsOf(signersAt(ring, 600))]).toEqual(['b a c d', 'c b a d']);
  });

  test('TOK-3 without a standby key the new key becomes it, and the signing key stays', () => {
    const ring = rotated(left(first, 'b', 500), 'c', 510);

    expect([kidsOf(ring.entries), signerOf(ring, 9999), hasStandby(ring)]).toEqual(['a c', 'a', true]);
  });

  test('TOK-3 peppers never retire by themselves', () => {
    const peppers = [1, 2, 3].reduce(
      (ring, nowMs) =>
        rotate(
          ring,
          { kid: `p${nowMs}` },
          { rotation: 'r', nowMs: nowMs * 1000, times: { publishedMs: 100 } },
        ),
      first,
    );

    expect(kidsOf(verifiersAt(peppers, 1e15))).toBe('a b p1 p2 p3');
    expect(signerOf(peppers, 4000)).toBe('p2');
  });

  test('TH-24 private keys are needed from the signing key onwards', () => {
    expect(kidsOf(mayStillSign(rotated(first, 'c', 500), 499))).toBe('a b c');
    expect(kidsOf(mayStillSign(rotated(first, 'c', 500), 500))).toBe('b c');
    expect(mayStillSign({ ...first, entries: [] }, 500)).toEqual([]);
  });
});

describe('M-10 a removed key', () => {
  test('is gone at once, and if it was signing, the next one signs at once', () => {
    const ring = left(first, 'a', 50);

    expect(ring).toEqual({ revision: 2, entries: [{ kid: 'b', madeAtMs: 0, signsFromMs: 50 }] });
    expect(signerOf(ring, 50)).toBe('b');
  });

  test('that was about to sign gives its time to the standby key, or to the one after it', () => {
    const soon = rotated(first, 'c', 10);
    expect(left(soon, 'b', 20).entries).toEqual([
      { kid: 'a', madeAtMs: 0, signsFromMs: 0, retiresAtMs: 1110 },
      { kid: 'c', madeAtMs: 10, signsFromMs: 110 },
    ]);

    const later = rotated(soon, 'd', 20);
    expect(left(later, 'b', 30).entries).toEqual([
      { kid: 'a', madeAtMs: 0, signsFromMs: 0, retiresAtMs: 1110 },
      { kid: 'c', madeAtMs: 10, signsFromMs: 110 },
      { kid: 'd', madeAtMs: 20 },
    ]);
  });

  test('that was standby or former changes nothing else', () => {
    const ring = rotated(first, 'c', 500);

    expect(left(ring, 'c', 600).entries).toEqual(ring.entries.slice(0, 2));
    expect(left(ring, 'a', 600).entries).toEqual(ring.entries.slice(1));
  });

  test('is refused if nothing could sign then, and if it does not exist', () => {
    expect(without(left(first, 'a', 50), 'b', 60)).toEqual({ ok: false, reason: 'only-key' });
    expect(without(first, 'x', 60)).toEqual({ ok: false, reason: 'no-key' });
  });

  test('that was about to sign without a standby key leaves the signing key, which does not retire', () => {
    const ring = left(left(rotated(first, 'c', 10), 'c', 20), 'b', 30);

    expect(ring.entries).toEqual([{ kid: 'a', madeAtMs: 0, signsFromMs: 0 }]);
  });
});

/** How old the ring of a signer or verifier may be. */
const staleMs = 60;
const lifeMs = 500;
const rules = { publishedMs: 400, verifiesForMs: lifeMs + staleMs };

type Step = { afterMs: number; does: 'rotate' | 'remove'; pick: number };
type Known = { fromMs: number; ring: KeyRing };
type Removal = { kid: string; atMs: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.nat(80), fc.nat(1500)),
    does: fc.constantFrom('rotate' as const, 'rotate' as const, 'remove' as const),
    pick: fc.nat(6),
  }),
  { maxLength: 12 },
);

/** All that was ever published, and when which key was removed; a removal is followed by the rotation that fills its place. */
const historyOf = (program: readonly Step[]) => {
  const known: Known[] = [{ fromMs: 0, ring: firstRing([{ kid: '0' }, { kid: '1' }], 0) }];
  const removals: Removal[] = [];
  let nowMs = 0;
  let made = 1;
  const latest = () => (known.at(-1) as Known).ring;
  const turn = () => {
    made += 1;
    const about = { rotation: `${made}`, nowMs, times: rules };
    known.push({ fromMs: nowMs, ring: rotate(latest(), { kid: `${made}` }, about) });
  };
  for (const { afterMs, does, pick } of program) {
    nowMs += afterMs;
    const { kid = '' } = latest().entries[pick % latest().entries.length] ?? {};
    const removed = does === 'remove' ? remove(latest(), kid, { nowMs, times: rules }) : undefined;
    if (removed?.ok) {
      removals.push({ kid, atMs: nowMs });
      known.push({ fromMs: nowMs, ring: removed.value });
    }
    if (!removed || !hasStandby(latest())) turn();
  }
  return { known, removals, endMs: nowMs };
};

const knownAt = (known: readonly Known[], ms: number) =>
  (known.findLast(({ fromMs }) => fromMs <= Math.max(ms, 0)) as Known).ring;

const somewhere = fc.record({
  program: steps,
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  later: fc.nat(lifeMs),
  signerStale: fc.nat(staleMs - 1),
  verifierStale: fc.nat(staleMs - 1),
});

describe('over any sequence of rotations, removals and times', () => {
  test('M-09 no token is refused before its expiry, unless its key was removed', () => {
    fc.assert(
      fc.property(somewhere, ({ program, at, later, signerStale, verifierStale }) => {
        const { known, removals, endMs } = historyOf(program);
        const signedMs = Math.floor(at * (endMs + 2000));
        const signer = signersAt(knownAt(known, signedMs - signerStale), signedMs)[0];
        const judgedMs = signedMs + later;
        const verifiers = verifiersAt(knownAt(known, judgedMs - verifierStale), judgedMs);
        const isRemoved = removals.some(({ kid, atMs }) => kid === signer?.kid && atMs <= judgedMs);
        // An emergency may need a key that was published a moment ago: not every verifier knows it yet.
        const isKnown = (signer?.madeAtMs ?? 0) === 0 || judgedMs - (signer?.madeAtMs ?? 0) >= staleMs;

        return isRemoved || !isKnown || verifiers.some(({ kid }) => kid === signer?.kid);
      }),
      propertyRun('tokens of a rotating ring', 1_000, 10_000),
    );
  });

  test('M-10 a removed key neither signs nor verifies once nobody knows an older ring', () => {
    fc.assert(
      fc.property(somewhere, ({ program, later, signerStale }) => {
        const { known, removals } = historyOf(program);
        const laterMs = later + staleMs;
        return removals.every(({ kid, atMs }) => {
          const ring = knownAt(known, atMs + laterMs - signerStale);
          return ring.entries.every((entry) => entry.kid !== kid);
        });
      }),
      propertyRun('removed keys of a ring', 500, 5_000),
    );
  });

  test('TOK-3 keys are in the order in which they sign', () => {
    fc.assert(
      fc.property(steps, (program) =>
        historyOf(program).known.every(({ ring: { entries } }) => {
          const starts = entries.map(({ signsFromMs = Number.POSITIVE_INFINITY }) => signsFromMs);
          return starts.every((start, index) => index === 0 || start >= Number(starts[index - 1]));
        }),
      ),
      propertyRun('order of a ring', 500, 5_000),
    );
  });

  test('TOK-3 two keys verify at any time, one of them signs, and time alone retires neither', () => {
    fc.assert(
      fc.property(somewhere, ({ program, at }) => {
        const { known, endMs } = historyOf(program);
        const nowMs = Math.floor(at * (endMs + 10_000));
        // At one moment a removal and the rotation after it: the later one counts.
        const ring = knownAt(known, nowMs);
        const [signer] = signersAt(ring, nowMs);
        return (
          verifiersAt(ring, nowMs).length >= 2 && (signer?.signsFromMs ?? Number.POSITIVE_INFINITY) <= nowMs
        );
      }),
      propertyRun('published keys of a ring', 500, 5_000),
    );
  });

  test('M-08 no key signs before it was published for long enough, unless the one before it was removed', () => {
    fc.assert(
      fc.property(somewhere, ({ program, at }) => {
        const { known, removals, endMs } = historyOf(program);
        const nowMs = Math.floor(at * (endMs + 2000));
        const [signer] = signersAt(knownAt(known, nowMs), nowMs);
        const isOld =
          signer !== undefined && (signer.madeAtMs === 0 || signer.madeAtMs + rules.publishedMs <= nowMs);
        return isOld || removals.some(({ atMs }) => atMs === signer?.signsFromMs);
      }),
      propertyRun('signers of a ring', 500, 5_000),
    );
  });
});
