import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Invoke } from '../instances.ts';
import type { State } from '../state.ts';
import { secretArn, secrets as wiring } from '../wiring.ts';
import { type AwsAnswer, fault, type Operation, type Operations, operation, success } from './protocol.ts';

/** A version of a secret. Until a rotation's first step it has no value. */
type Version = { id: string; value?: string; stages: string[]; createdMs: number };
type Secret = { name: string; arn: string; createdMs: number; rotatedMs?: number; versions: Version[] };

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

const newVersion = (id: string, stages: string[], value?: string): Version => ({
  id,
  stages,
  createdMs: Date.now(),
  ...(value !== undefined && { value }),
});

/** Secrets Manager: the wiring's secrets, kept with all versions, and rotated by `rotate-keys`. */
export const openSecrets = ({ records }: State, warn: (sentence: string) => void) => {
  const stored = records<Secret>('secret');
  for (const [name, { generatedLength }] of Object.entries<{ generatedLength?: number }>(wiring)) {
    if (stored.get(name)) continue;
    const drawn =
      generatedLength === undefined
        ? []
        : [newVersion(randomUUID(), ['AWSCURRENT'], randomText(generatedLength))];
    const id = name as keyof typeof wiring;
    stored.put(name, { name, arn: secretArn(id), createdMs: Date.now(), versions: drawn });
  }
  let invoke: Invoke | undefined;
  /** Running rotations by secret, so that each has one at a time. */
  const running = new Map<string, Promise<void>>();

  const find = (id: string) => stored.list().find(({ name, arn }) => id === name || id === arn);
  // A version without a stage goes. AWS keeps it for a while, which nobody should rely on.
  const save = (secret: Secret) =>
    stored.put(secret.name, {
      ...secret,
      versions: secret.versions.filter(({ stages }) => stages.length > 0),
    });

  /** As Secrets Manager does: one step after the other; the first that fails ends the rotation, which can be resumed. */
  const runSteps = async ({ name, arn }: Secret, version: string) => {
    for (const Step of ['createSecret', 'setSecret', 'testSecret', 'finishSecret']) {
      const event = { Step, SecretId: arn, ClientRequestToken: version };
      const outcome = await invoke?.('rotate-keys', event);
      if (outcome?.ok === false) return warn(`rotate-keys, for ${Step}: the function ${outcome.reason}.`);
    }
    const secret = stored.get(name);
    if (secret) save({ ...secret, rotatedMs: Date.now() });
  };

  const begin = (secret: Secret, version: string) => {
    if (running.has(secret.name)) return;
    running.set(
      secret.name,
      runSteps(secret, version).finally(() => running.delete(secret.name)),
    );
  };

  const rotate = (secret: Secret, token: string): AwsAnswer => {
    const pending = versionAt(secret.versions, 'AWSPENDING');
    if (pending && !pending.stages.includes('AWSCURRENT')) {
      begin(secret, pending.id);
      return fault('InvalidRequestException', notComplete);
    }
    if (running.has(secret.name)) return fault('InvalidRequestException', notComplete);
    if (!secret.versions.some(({ id }) => id === token)) {
      const others = secret.versions.map((version) => ({
        ...version,
        stages: version.stages.filter((stage) => stage !== 'AWSPENDING'),
      }));
      save({ ...secret, versions: [...others, newVersion(token, ['AWSPENDING'])] });
      begin(secret, token);
    }
    return success({ ...nameOf(secret), VersionId: token });
  };

  const onSecret = <Schema extends z.ZodType<{ SecretId: string }>>(
    schema: Schema,
    perform: (secret: Secret, input: z.output<Schema>) => AwsAnswer,
  ): Operation =>
    operation(schema, (input) => {
      const secret = find(input.SecretId);
      return secret ? perform(secret, input) : fault('ResourceNotFoundException', noSecret);
    });

  const operations: Operations = {
    'secretsmanager.GetSecretValue': onSecret(inputs.get, currentValue),
    'secretsmanager.PutSecretValue': onSecret(inputs.put, (secret, input) => {
      const { SecretString, ClientRequestToken: id = randomUUID(), VersionStages } = input;
      const former = secret.versions.find((version) => version.id === id);
      if (former?.value !== undefined && former.value !== SecretString)
        return fault('ResourceExistsException', inUse(id, secret.name));
      const others = secret.versions.filter((version) => version !== former);
      // The first value of a secret is its current one, besides its given stages.
      const stages = versionAt(others, 'AWSCURRENT') ? VersionStages : [...VersionStages, 'AWSCURRENT'];
      const all = [...others, newVersion(id, former?.stages ?? [], SecretString)];
      save({ ...secret, versions: stages.reduce((moved, stage) => withStage(moved, id, stage), all) });
      return success({ ...nameOf(secret), VersionId: id, VersionStages });
    }),
    'secretsmanager.DescribeSecret': onSecret(inputs.named, (secret) =>
      success({
        ...nameOf(secret),
        CreatedDate: secret.createdMs / 1000,
        ...(secret.rotatedMs !== undefined && { LastRotatedDate: secret.rotatedMs / 1000 }),
        RotationEnabled: true,
        VersionIdsToStages: Object.fromEntries(secret.versions.map(({ id, stages }) => [id, stages])),
      }),
    ),
    'secretsmanager.UpdateSecretVersionStage': onSecret(inputs.stage, (secret, input) => {
      const { VersionStage, MoveToVersionId, RemoveFromVersionId } = input;
      const holder = versionAt(secret.versions, VersionStage);
      if (!secret.versions.some(({ id }) => id === MoveToVersionId))
        return fault('ResourceNotFoundException', `${noValue} VersionId: ${MoveToVersionId}`);
      if (holder && holder.id !== MoveToVersionId && holder.id !== RemoveFromVersionId)
        return fault('InvalidParameterException', stillAttached(VersionStage, holder.id));
      save({ ...secret, versions: withStage(secret.versions, MoveToVersionId, VersionStage) });
      return success(nameOf(secret));
    }),
    'secretsmanager.RotateSecret': onSecret(inputs.rotate, (secret, { ClientRequestToken = randomUUID() }) =>
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

const token = z.string().min(32).max(64);
const named = z.strictObject({ SecretId: z.string() });
const inputs = {
  named,
  get: named.extend({ VersionId: token.optional(), VersionStage: z.string().optional() }),
  put: named.extend({
    SecretString: z.string(),
    ClientRequestToken: token.optional(),
    VersionStages: z.array(z.string()).min(1).default(['AWSCURRENT']),
  }),
  // The embedded stage moves stages, and removes none.
  stage: named.extend({
    VersionStage: z.string(),
    MoveToVersionId: token,
    RemoveFromVersionId: token.optional(),
  }),
  rotate: named.extend({ ClientRequestToken: token.optional() }),
};

const nameOf = ({ arn, name }: Secret) => ({ ARN: arn, Name: name });

const currentValue = (
  secret: Secret,
  { VersionId, VersionStage }: z.output<typeof inputs.get>,
): AwsAnswer => {
  const stage = VersionStage ?? (VersionId === undefined ? 'AWSCURRENT' : undefined);
  const version = secret.versions.find(
    ({ id, stages }) => (VersionId ?? id) === id && (stage === undefined || stages.includes(stage)),
  );
  if (version?.value === undefined)
    return fault(
      'ResourceNotFoundException',
      `${noValue} ${VersionId ? `VersionId: ${VersionId}` : `staging label: ${stage}`}`,
    );
  return success({
    ...nameOf(secret),
    VersionId: version.id,
    VersionStages: version.stages,
    CreatedDate: version.createdMs / 1000,
    SecretString: version.value,
  });
};

const notComplete = "A previous rotation isn't complete. That rotation will be reattempted.";
const noSecret = "Secrets Manager can't find the specified secret.";
const noValue = "Secrets Manager can't find the specified secret value for";
const inUse = (id: string, name: string) =>
  `You can't use ClientRequestToken ${id} because that value is already in use for a version of secret ${name}.`;
const stillAttached = (stage: string, id: string) =>
  `The parameter RemoveFromVersionId can't be empty. Staging label ${stage} is currently attached to version ${id}, so you must explicitly reference that version in RemoveFromVersionId.`;
