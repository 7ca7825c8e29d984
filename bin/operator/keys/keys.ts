import { rotationTimes } from '../../../functions/shared/auth/key-times.ts';
import {
  type KeyKind,
  type KeyRing,
  type RingEntry,
  signersAt,
  verifiersAt,
} from '../../../functions/shared/domain/keys/key-ring.ts';
import { hasStandby, remove } from '../../../functions/shared/domain/keys/rotation.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { OperatorDeps } from '../deps.ts';

/** The kinds of keys, in the order of `keys list`. */
export const keyKinds: readonly KeyKind[] = ['access', 'session', 'pepper'];

type KeysDeps = Pick<OperatorDeps, 'rings' | 'requestRotation' | 'partners' | 'now' | 'wait'>;

/** A key's state now. `verifies`: it has signed, and what it signed is still accepted. */
type KeyState = 'signs' | 'will sign' | 'standby' | 'verifies' | 'retired';

/** A key in the tool's output, without its private half. */
export type KeyView = {
  kind: KeyKind;
  kid: string;
  state: KeyState;
  madeAt: string;
  signsFrom: string | null;
  retiresAt: string | null;
  /** For a pepper: the number of client secrets hashed under it. */
  clientSecrets?: number;
};

/** All keys of all rings. */
export const listKeys = async (deps: KeysDeps): Promise<KeyView[]> => {
  const [rings, hashed] = await Promise.all([
    Promise.all(keyKinds.map((kind) => deps.rings.read(kind))),
    secretsByPepper(deps),
  ]);
  const nowMs = deps.now().getTime();
  return rings.flatMap((ring, index) => {
    const kind = keyKinds[index] ?? 'access';
    return (ring?.entries ?? []).map((entry) => ({
      ...toView(kind, entry, ring as KeyRing, nowMs),
      ...(kind === 'pepper' && { clientSecrets: hashed.get(entry.kid)?.length ?? 0 }),
    }));
  });
};

const toView = (kind: KeyKind, entry: RingEntry, ring: KeyRing, nowMs: number): KeyView => ({
  kind,
  kid: entry.kid,
  state: stateOf(entry, ring, nowMs),
  madeAt: isoTime(entry.madeAtMs),
  signsFrom: entry.signsFromMs === undefined ? null : isoTime(entry.signsFromMs),
  retiresAt: entry.retiresAtMs === undefined ? null : isoTime(entry.retiresAtMs),
});

const stateOf = (entry: RingEntry, ring: KeyRing, nowMs: number): KeyState => {
  if (!verifiersAt(ring, nowMs).includes(entry)) return 'retired';
  if (signersAt(ring, nowMs)[0] === entry) return 'signs';
  if (entry.signsFromMs === undefined) return 'standby';
  return entry.signsFromMs > nowMs ? 'will sign' : 'verifies';
};

const isoTime = (ms: number) => new Date(ms).toISOString();

/** The partners whose secrets are now hashed under a pepper, a name for each secret. */
export const secretsUnder = async (kid: string, deps: KeysDeps): Promise<string[]> =>
  (await secretsByPepper(deps)).get(kid) ?? [];

/** The partners' names by pepper, a name for each secret. */
const secretsByPepper = async ({ partners }: KeysDeps): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>();
  for (const { clientId, name } of await partners.all()) {
    const credentials = await partners.credentialsOf(clientId);
    for (const { pepperId } of credentials?.secrets ?? [])
      found.set(pepperId, [...(found.get(pepperId) ?? []), name]);
  }
  return found;
};

/** Requests a rotation, and waits until the ring shows it. */
export const rotateKeys = async (
  kind: KeyKind,
  deps: KeysDeps,
): Promise<Outcome<KeyRing, 'rotation-unfinished'>> => {
  const asked = await deps.requestRotation(kind);
  if (!asked.ok) return asked;
  for (let waitedMs = 0; waitedMs <= longestWaitMs; waitedMs += betweenReadsMs) {
    const ring = await deps.rings.read(kind);
    if (ring?.rotation === asked.value) return succeed(ring);
    await deps.wait(betweenReadsMs);
  }
  return refuse('rotation-unfinished');
};

/** A rotation is four calls of a function with a timeout of 15 s each, with a reserve; it usually takes two seconds. */
const longestWaitMs = 90_000;
const betweenReadsMs = 500;

export type FoundKey = {
  kind: KeyKind;
  state: KeyState;
  /** For a pepper: the partners whose secrets end with it, a name for each secret. */
  secretsOf: string[];
};

/** Finds a key of any kind by its id. */
export const findKey = async (kid: string, deps: KeysDeps): Promise<Outcome<FoundKey, 'no-key'>> => {
  for (const kind of keyKinds) {
    const ring = await deps.rings.read(kind);
    const entry = ring?.entries.find((candidate) => candidate.kid === kid);
    if (!ring || !entry) continue;
    const secretsOf = kind === 'pepper' ? await secretsUnder(kid, deps) : [];
    return succeed({ kind, state: stateOf(entry, ring, deps.now().getTime()), secretsOf });
  }
  return refuse('no-key');
};

/** Removes a key from its ring. Succeeds as well when another run has removed it. */
export const removeKey = async (
  kind: KeyKind,
  kid: string,
  deps: KeysDeps,
): Promise<Outcome<KeyRing, 'no-key' | 'only-key' | 'changed-meanwhile'>> => {
  for (let tries = 1; tries <= removalTries; tries += 1) {
    const ring = await deps.rings.read(kind);
    if (!ring) return refuse('no-key');
    const removed = remove(ring, kid, { nowMs: deps.now().getTime(), times: rotationTimes[kind] });
    if (!removed.ok) return removed.reason === 'no-key' ? succeed(ring) : removed;
    const replaced = await deps.rings.replace(kind, removed.value);
    if (replaced.ok) return replaced;
  }
  return refuse('changed-meanwhile');
};

/** A try fails only when a rotation changes the ring at the same moment. */
const removalTries = 5;

/** Rotates where no key stands by, so that two are published again; undefined where one does. */
export const fillStandby = async (kind: KeyKind, ring: KeyRing, deps: KeysDeps) =>
  hasStandby(ring) ? undefined : rotateKeys(kind, deps);
