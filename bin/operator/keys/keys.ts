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

/** The kinds of keys, in the order in which they are listed. */
export const keyKinds: readonly KeyKind[] = ['access', 'session', 'pepper'];

type KeysDeps = Pick<OperatorDeps, 'rings' | 'requestRotation' | 'partners' | 'now' | 'wait'>;

/** What a key does now: it signs, is to sign, stands by, has signed and still verifies, or does nothing any more. */
type KeyState = 'signs' | 'will sign' | 'stands by' | 'verifies' | 'retired';

/** A key as the operator sees it; never its private half. */
export type KeyView = {
  kind: KeyKind;
  kid: string;
  state: KeyState;
  madeAt: string;
  signsFrom: string | null;
  retiresAt: string | null;
  /** Of a pepper: how many client secrets are hashed under it. */
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
  if (entry.signsFromMs === undefined) return 'stands by';
  return entry.signsFromMs > nowMs ? 'will sign' : 'verifies';
};

const isoTime = (ms: number) => new Date(ms).toISOString();

/** The partners whose secrets are hashed under a pepper at this moment, a name for each secret. */
export const secretsUnder = async (kid: string, deps: KeysDeps): Promise<string[]> =>
  (await secretsByPepper(deps)).get(kid) ?? [];

/** The names of the partners whose secrets are hashed under each pepper, a name for each secret. */
const secretsByPepper = async ({ partners }: KeysDeps): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>();
  for (const { clientId, name } of await partners.all()) {
    const credentials = await partners.credentialsOf(clientId);
    for (const { pepperId } of credentials?.secrets ?? [])
      found.set(pepperId, [...(found.get(pepperId) ?? []), name]);
  }
  return found;
};

/** A rotation is asked for, and waited for until the ring shows it. */
export const rotateKeys = async (
  kind: KeyKind,
  deps: KeysDeps,
): Promise<Outcome<KeyRing, 'rotation-unfinished'>> => {
  const asked = await deps.requestRotation(kind);
  if (!asked.ok) return asked;
  for (let waitedMs = 0; waitedMs <= longestWaitMs; waitedMs += betweenLooksMs) {
    const ring = await deps.rings.read(kind);
    if (ring?.rotation === asked.value) return succeed(ring);
    await deps.wait(betweenLooksMs);
  }
  return refuse('rotation-unfinished');
};

/** Four calls of a function that has 15 s for each; usually two seconds. */
const longestWaitMs = 90_000;
const betweenLooksMs = 500;

export type FoundKey = {
  kind: KeyKind;
  state: KeyState;
  /** Of a pepper: the partners whose secrets end with it, a name for each secret. */
  secretsOf: string[];
};

/** A key by its id, whatever its kind. */
export const findKey = async (kid: string, deps: KeysDeps): Promise<Outcome<FoundKey, 'no-key'>> => {
  for (const kind of keyKinds) {
    const ring = await deps.rings.read(kind);
    const entry = ring?.entries.find((one) => one.kid === kid);
    if (!ring || !entry) continue;
    const secretsOf = kind === 'pepper' ? await secretsUnder(kid, deps) : [];
    return succeed({ kind, state: stateOf(entry, ring, deps.now().getTime()), secretsOf });
  }
  return refuse('no-key');
};

/** Takes a key out of its ring; what another run has taken out is out all the same. */
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

/** Only a rotation that ends at the same moment changes the ring. */
const removalTries = 5;

/** Fills the place of a key that stood by, so that two are published again; undefined where none is missing. */
export const fillStandby = async (kind: KeyKind, ring: KeyRing, deps: KeysDeps) =>
  hasStandby(ring) ? undefined : rotateKeys(kind, deps);
