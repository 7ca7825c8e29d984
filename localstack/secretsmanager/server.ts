import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Clock, systemClock } from '../../functions/shared/runtime/clock.ts';
import {
  type AwsResponse,
  fault,
  type Operation,
  type Operations,
  operation,
  startJsonServer,
  success,
} from '../aws/json-protocol.ts';
import { arn as arnOf } from '../aws/names.ts';
import type { CloudSecret } from '../cloudformation/model.ts';
import { createRotations, type RotationDeps, type Rotations } from './rotation.ts';
import { openVault, type StoredSecret, type Vault } from './vault.ts';
import { type Version, versionAt, withoutUnused, withStage } from './versions.ts';

export type SecretsServer = {
  endpoint: string;
  /** Sets the functions of rotations, which need the endpoint first. */
  rotateBy: (deps: RotationDeps) => void;
  stop: () => Promise<void>;
};

/** Starts the operations of Secrets Manager that our code uses, on loopback. Only the owner may read the file. */
export const startSecretsServer = async (
  file: string,
  declared: readonly CloudSecret[],
  now: Clock = systemClock,
): Promise<SecretsServer> => {
  const { endpoint, serve, stop } = await startJsonServer({ prefix: 'secretsmanager', version: '1.1' });
  const vault = openVault(file, declared, now);
  let rotations = createRotations(vault, { rotations: [], functions: new Map(), warn: () => {} });
  serve(secretOperations(vault, () => rotations));
  return {
    endpoint,
    rotateBy: (deps) => {
      rotations = createRotations(vault, deps);
    },
    stop: async () => {
      await rotations.stop();
      await stop();
    },
  };
};

const secretOperations = (vault: Vault, rotations: () => Rotations): Operations => {
  const onSecret = <Schema extends z.ZodType<{ SecretId: string }>>(
    schema: Schema,
    perform: (secret: StoredSecret, input: z.output<Schema>) => AwsResponse,
  ): Operation =>
    operation(schema, (input) => {
      const secret = vault.find(input.SecretId);
      return secret ? perform(secret, input) : fault('ResourceNotFoundException', noSecret);
    });
  const change = (secret: StoredSecret, versions: Version[]) => {
    secret.versions = withoutUnused(versions);
    vault.save();
  };
  return {
    GetSecretValue: onSecret(getInput, getValue),
    PutSecretValue: onSecret(putInput, (secret, input) => putValue(secret, input, { vault, change })),
    DescribeSecret: onSecret(namedInput, (secret) => describe(secret, rotations().functionOf(secret))),
    UpdateSecretVersionStage: onSecret(stageInput, (secret, input) => moveStage(secret, input, change)),
    RotateSecret: onSecret(rotateInput, (secret, { ClientRequestToken }) =>
      rotations().rotate(secret, ClientRequestToken),
    ),
  };
};

type Change = (secret: StoredSecret, versions: Version[]) => void;

const token = z.string().min(32).max(64);
const namedInput = z.strictObject({ SecretId: z.string() });
const getInput = namedInput.extend({ VersionId: token.optional(), VersionStage: z.string().optional() });
const putInput = namedInput.extend({
  SecretString: z.string(),
  ClientRequestToken: token.optional(),
  VersionStages: z.array(z.string()).min(1).default(['AWSCURRENT']),
});
const stageInput = namedInput.extend({
  VersionStage: z.string(),
  MoveToVersionId: token.optional(),
  RemoveFromVersionId: token.optional(),
});
const rotateInput = namedInput.extend({ ClientRequestToken: token.optional() });

const getValue = (secret: StoredSecret, { VersionId, VersionStage }: z.output<typeof getInput>) => {
  const stage = VersionStage ?? (VersionId === undefined ? 'AWSCURRENT' : undefined);
  const version = secret.versions.find(
    ({ id, stages }) => (VersionId ?? id) === id && (stage === undefined || stages.includes(stage)),
  );
  if (version?.value === undefined) {
    return fault(
      'ResourceNotFoundException',
      `${noValue} ${VersionId ? `VersionId: ${VersionId}` : `staging label: ${stage}`}`,
    );
  }
  return success({ ...nameOf(secret), ...versionOf(version), SecretString: version.value });
};

const putValue = (
  secret: StoredSecret,
  { SecretString, ClientRequestToken = randomUUID(), VersionStages }: z.output<typeof putInput>,
  { vault, change }: { vault: Vault; change: Change },
) => {
  const existing = secret.versions.find(({ id }) => id === ClientRequestToken);
  if (existing?.value !== undefined && existing.value !== SecretString) {
    return fault('ResourceExistsException', inUse(ClientRequestToken, secret.name));
  }
  const version = vault.newVersion(ClientRequestToken, existing?.stages ?? [], SecretString);
  const others = secret.versions.filter((former) => former !== existing);
  // The first value of a secret is its current one, besides its given stages.
  const stages = versionAt(others, 'AWSCURRENT') ? VersionStages : [...VersionStages, 'AWSCURRENT'];
  change(
    secret,
    stages.reduce((versions, stage) => withStage(versions, version.id, stage), [...others, version]),
  );
  return success({ ...nameOf(secret), VersionId: version.id, VersionStages });
};

const describe = (secret: StoredSecret, functionId: string | undefined) =>
  success({
    ...nameOf(secret),
    CreatedDate: secondsOf(secret.createdAt),
    ...(secret.rotatedAt !== undefined && { LastRotatedDate: secondsOf(secret.rotatedAt) }),
    ...(functionId !== undefined && {
      RotationEnabled: true,
      RotationLambdaARN: arnOf('lambda', `function:${functionId}`),
    }),
    VersionIdsToStages: Object.fromEntries(secret.versions.map(({ id, stages }) => [id, stages])),
  });

const moveStage = (
  secret: StoredSecret,
  { VersionStage, MoveToVersionId, RemoveFromVersionId }: z.output<typeof stageInput>,
  change: Change,
) => {
  const holder = versionAt(secret.versions, VersionStage);
  if (MoveToVersionId !== undefined && !secret.versions.some(({ id }) => id === MoveToVersionId)) {
    return fault('ResourceNotFoundException', `${noValue} VersionId: ${MoveToVersionId}`);
  }
  if (holder && holder.id !== MoveToVersionId && holder.id !== RemoveFromVersionId) {
    return fault('InvalidParameterException', stillAttached(VersionStage, holder.id));
  }
  if (MoveToVersionId === undefined)
    return fault('InvalidParameterException', 'The local stage moves stages, and removes none.');
  change(secret, withStage(secret.versions, MoveToVersionId, VersionStage));
  return success(nameOf(secret));
};

const nameOf = ({ arn, name }: StoredSecret) => ({ ARN: arn, Name: name });
const versionOf = ({ id, stages, createdAt }: Version) => ({
  VersionId: id,
  VersionStages: stages,
  CreatedDate: secondsOf(createdAt),
});
const secondsOf = (time: string) => Date.parse(time) / 1000;

const noSecret = "Secrets Manager can't find the specified secret.";
const noValue = "Secrets Manager can't find the specified secret value for";
const inUse = (id: string, name: string) =>
  `You can't use ClientRequestToken ${id} because that value is already in use for a version of secret ${name}.`;
const stillAttached = (stage: string, id: string) =>
  `The parameter RemoveFromVersionId can't be empty. Staging label ${stage} is currently attached to version ${id}, so you must explicitly reference that version in RemoveFromVersionId.`;
