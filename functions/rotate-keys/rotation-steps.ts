import { rotationTimes } from '../shared/auth/key-times.ts';
import type { KeyKind, KeyRing } from '../shared/domain/keys/key-ring.ts';
import { rotate } from '../shared/domain/keys/rotation.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { RingStore } from '../shared/store/keys/ring-store.ts';
import type { VersionedSecrets } from '../shared/store/secrets/versions.ts';
import { createMaterial, type KeyMaterial, type MaterialDeps } from './key-material.ts';

/** What Secrets Manager sends, four times for one rotation. */
export type RotationEvent = {
  Step: 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';
  SecretId: string;
  /** The version that the rotation creates; the fresh key has the same id. */
  ClientRequestToken: string;
};

export type RotationDeps = MaterialDeps & {
  secrets: VersionedSecrets;
  rings: RingStore;
  clock: Clock;
  log: Log;
  /** Secret ids by kind of key. */
  secretIds: Record<KeyKind, string>;
};

type Rotation = { kind: KeyKind; material: KeyMaterial; secretId: string; version: string };

/**
 * One step of a rotation. A step may be repeated and may die anywhere: the secret's versions and the ring show what was
 * done. The secret holds the fresh key before the ring names it, so the ring never names a missing key.
 */
export const createRotationStep =
  (deps: RotationDeps) =>
  async ({ Step, SecretId, ClientRequestToken: version }: RotationEvent): Promise<void> => {
    const kind = kindOf(SecretId, deps.secretIds);
    const rotation = { kind, material: createMaterial(deps)[kind], secretId: SecretId, version };
    switch (Step) {
      case 'createSecret':
        return createFresh(rotation, deps);
      case 'setSecret':
        return undefined; // No other system holds the keys.
      case 'testSecret':
        return tryOut(rotation, deps);
      case 'finishSecret':
        return finish(rotation, deps);
      default:
        Step satisfies never;
        throw new Error(`Not a step of a rotation: ${Step}`);
    }
  };

const kindOf = (secretId: string, secretIds: Record<KeyKind, string>): KeyKind => {
  const kinds: KeyKind[] = ['access', 'session', 'pepper'];
  const kind = kinds.find((each) => secretIds[each] === secretId);
  if (!kind) throw new Error('This secret holds no keys of the service');
  return kind;
};

const createFresh = async ({ kind, material, secretId, version }: Rotation, deps: RotationDeps) => {
  if ((await deps.secrets.readVersion(secretId, version)) !== undefined) return;
  const current = await deps.secrets.read(secretId);
  if (current === undefined) throw new Error('The secret holds no text');
  const about = { kid: version, ring: await ringOf(kind, deps), nowMs: deps.clock().getTime() };
  await deps.secrets.writePending(secretId, version, await material.withFresh(current, about));
};

const ringOf = async (kind: KeyKind, { rings }: RotationDeps): Promise<KeyRing> => {
  const ring = await rings.read(kind);
  if (!ring) throw new Error(`No ring of ${kind} keys is published`);
  return ring;
};

/** Secrets Manager also runs this step without a rotation, with a version that has no text. */
const tryOut = async ({ material, secretId, version }: Rotation, { secrets }: RotationDeps) => {
  const text = (await secrets.readVersion(secretId, version)) ?? (await secrets.read(secretId));
  if (text === undefined) throw new Error('The secret holds no text');
  await material.tryOut(text);
};

const finish = async (rotation: Rotation, deps: RotationDeps) => {
  const { secretId, version, kind } = rotation;
  const text = await deps.secrets.readVersion(secretId, version);
  const fresh = rotation.material.keysOf(text ?? '').find(({ kid }) => kid === version);
  if (!fresh) throw new Error('The version of this rotation holds no fresh key');
  // A late step, after another rotation, would bring back a key that may have been removed since.
  if (!(await deps.secrets.makeCurrent(secretId, version)))
    throw new Error('Another rotation came after this one');
  for (let tries = 1; tries <= ringTries; tries += 1) {
    const ring = await ringOf(kind, deps);
    if (ring.rotation === version) return;
    const about = { rotation: version, nowMs: deps.clock().getTime(), times: rotationTimes[kind] };
    const replaced = await deps.rings.replace(kind, rotate(ring, fresh, about));
    if (replaced.ok) return deps.log('keysRotated', { keyKind: kind, kid: version });
  }
  throw new Error('The key ring changed at each try');
};

/** Only a removal by an operator changes a ring at the same time. */
const ringTries = 3;
