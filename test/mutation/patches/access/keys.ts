import type { Patch } from '../../patch.ts';

const rotation = 'functions/shared/domain/keys/rotation.ts';
const rotationTest = 'test/unit/functions/shared/domain/keys/rotation.test.ts';
const steps = 'functions/rotate-keys/rotation-steps.ts';
const stepsTest = 'test/unit/functions/rotate-keys/rotation-steps.test.ts';
const signing = 'functions/shared/auth/signing-keys.ts';
const signingTest = 'test/unit/functions/shared/auth/signing-keys.test.ts';

export const patches: readonly Patch[] = [
  {
    id: 'key-signs-unpublished',
    rule: 'M-08 a key signs when it was published for long enough',
    file: rotation,
    find: 'Math.max(nowMs, entry.madeAtMs + times.publishedMs) } : entry',
    put: 'nowMs } : entry',
    tests: [rotationTest],
  },
  {
    id: 'key-retires-with-its-successor',
    rule: 'M-09 a key verifies until what it signed has ended',
    file: rotation,
    find: 'retiresAtMs: next + verifiesForMs',
    put: 'retiresAtMs: next',
    tests: [rotationTest],
  },
  {
    id: 'key-never-retires',
    rule: 'M-09 a key leaves the key set when what it signed has ended',
    file: 'functions/shared/domain/keys/key-ring.ts',
    find: 'nowMs < retiresAtMs',
    put: 'nowMs < Number.POSITIVE_INFINITY || nowMs < retiresAtMs',
    tests: [rotationTest],
  },
  {
    id: 'removed-signer-without-successor',
    rule: 'M-10 where the removed key signed, the next one signs at once',
    file: rotation,
    find: 'const from = signs ? nowMs :',
    put: 'const from =',
    tests: [rotationTest],
  },
  {
    id: 'last-key-removed',
    rule: 'M-10 a removal is refused where nothing could sign then',
    file: rotation,
    find: 'return signs ? undefined : [...left]',
    put: 'return [...left]',
    tests: [rotationTest],
  },
  {
    id: 'ring-before-secret',
    rule: 'TOK-3 the ring never names a key that the secret does not hold',
    file: steps,
    find: '  await deps.secrets.makeCurrent(secretId, version);\n',
    put: '',
    tests: [stepsTest],
  },
  {
    id: 'rotation-twice',
    rule: 'TOK-3 a rotation that comes twice changes the ring once',
    file: steps,
    find: '    if (ring.rotation === version) return;\n',
    put: '',
    tests: [stepsTest],
  },
  {
    id: 'private-halves-kept',
    rule: 'TH-24 private halves that sign nothing any more are not kept',
    file: 'functions/rotate-keys/key-material.ts',
    find: '.filter((key) => kept.includes(String(key.kid)))',
    put: '.filter((key) => kept.includes(String(key.kid)) || key)',
    tests: [stepsTest],
  },
  {
    id: 'pepper-dropped',
    rule: 'TOK-2 a rotation keeps all former peppers',
    file: 'functions/rotate-keys/key-material.ts',
    find: 'verifiersAt(ring, nowMs).map((entry) => entry.kid)',
    put: 'mayStillSign(ring, nowMs).map((entry) => entry.kid)',
    tests: [stepsTest],
  },
  {
    id: 'key-of-no-ring-signs',
    rule: 'M-10 a key that the ring does not hold signs nothing',
    file: signing,
    find: 'return kids.flatMap((kid) => held.get(kid) ?? []);',
    put: 'return [...kids.flatMap((kid) => held.get(kid) ?? []), ...held.values()];',
    tests: [signingTest],
  },
  {
    id: 'secret-not-read-again',
    rule: 'M-10 a secret that lacks the key of the ring is read again',
    file: signing,
    find: 'wanted === undefined || keysOf(text).has(wanted)',
    put: 'true',
    tests: [signingTest],
  },
  {
    id: 'ring-kept-for-minutes',
    rule: 'M-10 a ring is kept for 20 s',
    file: 'functions/shared/store/keys/ring-reader.ts',
    find: 'ringKeptMs = 20_000',
    put: 'ringKeptMs = 300_000',
    tests: ['test/unit/functions/shared/auth/token-keys.test.ts'],
  },
];
