import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Invoke } from '../instances.ts';
import type { State } from '../state.ts';
import { secretArn, secrets as wiring } from '../wiring.ts';
import { type AwsAnswer, fault, type Operation, type Operations, operation, success } from './protocol.ts';

/** A version of a secret. Until a rotation's first step it has no value. */
type Version = { id: string; value?: string; stages: string[] };
type Secret = { name: keyof typeof wiring; versions: Version[] };

const versionAt = (versions: readonly Version[], stage: string): Version | undefined =>
  versions.find(({ stages }) => stages.includes(stage));

/** Moves a stage to this version. As on AWS, the version that loses AWSCURRENT gets AWSPREVIOUS. */
const withStage = (versions: readonly Version[], id: string, stage: string): Version[] => {
  const former = versionAt(versions, stage);
  const moved = versions.map((version) => {
    const others = version.stages.filter((held) => held !== stage);
    return { ...version, stages: version.id === id ? [...others, stage] : others };
  });
  const isHandedOver = stage === 'AWSCURRENT' && former !== undefined && former.id !== id;
  return isHandedOver ? withStage(moved, former.id, 'AWSPREVIOUS') : moved;
};

const token = z.string().min(32).max(64);
const named = z.strictObject({ SecretId: z.string() });
const inputs = {
  named,
  get: named.extend({ VersionId: token.optional() }),
  put: named.extend({
    SecretString: z.string(),
    ClientRequestToken: token.default(() => randomUUID()),
    VersionStages: z.tuple([z.enum(['AWSCURRENT', 'AWSPENDING'])]).default(['AWSCURRENT']),
  }),
  current: named.extend({
    VersionStage: z.literal('AWSCURRENT'),
    MoveToVersionId: token,
    RemoveFromVersionId: token.optional(),
  }),
  rotate: named.extend({ ClientRequestToken: token }),
};

/** Secrets Manager: the wiring's secrets, kept with all versions, and rotated by `rotate-keys`. */
export const openSecrets = ({ records }: State, warn: (sentence: string) => void) => {
  const stored = records<Secret>('secret');
  for (const [name, { generatedLength }] of Object.entries<{ generatedLength?: number }>(wiring)) {
    if (stored.get(name)) continue;
    const versions = generatedLength
      ? [{ id: randomUUID(), stages: ['AWSCURRENT'], value: randomText(generatedLength) }]
      : [];
    stored.put(name, { name: name as Secret['name'], versions });
  }
  let invoke: Invoke | undefined;
  /** Running rotations by secret, so that each has one at a time. */
  const running = new Map<string, Promise<void>>();

  // A version without a stage goes. AWS keeps it for a while, which nobody should rely on.
  const save = ({ name }: Secret, versions: Version[]) =>
    stored.put(name, { name, versions: versions.filter(({ stages }) => stages.length > 0) });

  /** As Secrets Manager does: one step after the other; the first that fails ends the rotation, which can be resumed. */
  const runSteps = async ({ name }: Secret, ClientRequestToken: string) => {
    for (const Step of ['createSecret', 'setSecret', 'testSecret', 'finishSecret']) {
      const outcome = await invoke?.('rotate-keys', { Step, SecretId: secretArn(name), ClientRequestToken });
      if (outcome?.ok === false) return warn(`rotate-keys, for ${Step}: the function ${outcome.reason}.`);
    }
  };

  const begin = (secret: Secret, version: string) => {
    if (running.has(secret.name)) return;
    running.set(
      secret.name,
      runSteps(secret, version).finally(() => running.delete(secret.name)),
    );
  };

  const rotate = (secret: Secret, version: string): AwsAnswer => {
    const pending = versionAt(secret.versions, 'AWSPENDING');
    const isUnfinished = pending !== undefined && !pending.stages.includes('AWSCURRENT');
    if (isUnfinished) begin(secret, pending.id);
    if (isUnfinished || running.has(secret.name))
      return fault(
        'InvalidRequestException',
        "A previous rotation isn't complete. That rotation will be reattempted.",
      );
    const fresh = { id: version, stages: [] };
    save(secret, withStage([...secret.versions, fresh], version, 'AWSPENDING'));
    begin(secret, version);
    return success({ VersionId: version });
  };

  const onSecret = <Schema extends z.ZodType<{ SecretId: string }>>(
    schema: Schema,
    perform: (secret: Secret, input: z.output<Schema>) => AwsAnswer,
  ): Operation =>
    operation(schema, (input) => {
      const { SecretId } = input;
      const secret = stored.list().find(({ name }) => SecretId === name || SecretId === secretArn(name));
      return secret ? perform(secret, input) : noValue(SecretId);
    });

  const operations: Operations = {
    'secretsmanager.GetSecretValue': onSecret(inputs.get, ({ name, versions }, { VersionId }) => {
      const isWanted = ({ id, stages }: Version) =>
        VersionId === undefined ? stages.includes('AWSCURRENT') : id === VersionId;
      const version = versions.find(isWanted);
      if (version?.value === undefined) return noValue(`${name} ${VersionId ?? ''}`);
      return success({ Name: name, VersionId: version.id, SecretString: version.value });
    }),
    'secretsmanager.PutSecretValue': onSecret(inputs.put, (secret, input) => {
      const { SecretString: value, ClientRequestToken: id, VersionStages } = input;
      const former = secret.versions.find((version) => version.id === id);
      if (former?.value !== undefined && former.value !== value)
        return fault('ResourceExistsException', `A version ${id} of ${secret.name} has another value.`);
      const others = secret.versions.filter((version) => version !== former);
      const all = [...others, { id, value, stages: former?.stages ?? [] }];
      // The first value of a secret is its current one, besides its given stage.
      const stages = versionAt(others, 'AWSCURRENT') ? VersionStages : [...VersionStages, 'AWSCURRENT'];
      save(
        secret,
        stages.reduce((moved, stage) => withStage(moved, id, stage), all),
      );
      return success({ Name: secret.name, VersionId: id });
    }),
    'secretsmanager.DescribeSecret': onSecret(inputs.named, ({ name, versions }) =>
      success({
        Name: name,
        VersionIdsToStages: Object.fromEntries(versions.map(({ id, stages }) => [id, stages])),
      }),
    ),
    'secretsmanager.UpdateSecretVersionStage': onSecret(inputs.current, (secret, input) => {
      const { VersionStage, MoveToVersionId, RemoveFromVersionId } = input;
      if (!secret.versions.some(({ id }) => id === MoveToVersionId)) return noValue(MoveToVersionId);
      const holder = versionAt(secret.versions, VersionStage)?.id;
      if (holder !== undefined && holder !== RemoveFromVersionId)
        return fault('InvalidParameterException', `${VersionStage} is attached to version ${holder}.`);
      save(secret, withStage(secret.versions, MoveToVersionId, VersionStage));
      return success({ Name: secret.name });
    }),
    'secretsmanager.RotateSecret': onSecret(inputs.rotate, (secret, { ClientRequestToken }) =>
      rotate(secret, ClientRequestToken),
    ),
  };
  return {
    operations,
    /** Sets what calls `rotate-keys`, which needs the secrets' address first. */
    rotateBy: (by: Invoke) => {
      invoke = by;
    },
    isRotating: () => running.size > 0,
    /** Waits for running rotations. */
    stop: async () => {
      await Promise.allSettled(running.values());
    },
  };
};

const randomText = (length: number): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
};

const noValue = (what: string) =>
  fault('ResourceNotFoundException', `Secrets Manager can't find the specified secret value: ${what}.`);
