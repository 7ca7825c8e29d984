import { randomUUID } from 'node:crypto';
import { type AwsResponse, fault, success } from '../aws/json-protocol.ts';
import type { CloudRotation } from '../cloudformation/model.ts';
import type { FunctionPool } from '../lambda/function-pool.ts';
import type { StoredSecret, Vault } from './vault.ts';
import { versionAt } from './versions.ts';

/** The functions by logical id. */
type RotationFunctions = ReadonlyMap<string, Pick<FunctionPool, 'name' | 'logFile' | 'invoke'>>;

export type RotationDeps = {
  rotations: readonly CloudRotation[];
  functions: RotationFunctions;
  /** Prints a sentence about a fault. */
  warn: (sentence: string) => void;
};

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];

/** Rotates as Secrets Manager does: answers at once, and calls the function for one step after the other. */
export const createRotations = (vault: Vault, { rotations, functions, warn }: RotationDeps) => {
  /** Running rotations by secret, so that each has one at a time. */
  const running = new Map<string, Promise<void>>();

  const run = async (secret: StoredSecret, functionId: string, version: string) => {
    const pool = functions.get(functionId);
    if (!pool) throw new Error(`The rotation of ${secret.name} has no function.`);
    for (const Step of steps) {
      const event = { Step, SecretId: secret.arn, ClientRequestToken: version };
      const outcome = await pool.invoke(event, randomUUID());
      if (!outcome.ok) {
        return warn(
          `${pool.name}, for ${Step}: the function ${outcome.reason}. The cause is in ${pool.logFile}`,
        );
      }
    }
    secret.rotatedAt = vault.now().toISOString();
    vault.save();
  };

  const begin = (secret: StoredSecret, functionId: string, version: string) => {
    if (running.has(secret.arn)) return;
    const ended = run(secret, functionId, version).finally(() => running.delete(secret.arn));
    running.set(secret.arn, ended);
  };

  const rotate = (secret: StoredSecret, token = randomUUID() as string): AwsResponse => {
    const functionId = functionOf(secret);
    if (functionId === undefined) return fault('InvalidRequestException', noFunction);
    const pending = versionAt(secret.versions, 'AWSPENDING');
    if (pending && !pending.stages.includes('AWSCURRENT')) {
      begin(secret, functionId, pending.id);
      return fault('InvalidRequestException', notComplete);
    }
    if (running.has(secret.arn)) return fault('InvalidRequestException', notComplete);
    if (!secret.versions.some(({ id }) => id === token)) {
      const others = secret.versions.map((version) => ({
        ...version,
        stages: version.stages.filter((stage) => stage !== 'AWSPENDING'),
      }));
      secret.versions = [...others, vault.newVersion(token, ['AWSPENDING'])];
      vault.save();
      begin(secret, functionId, token);
    }
    return success({ ARN: secret.arn, Name: secret.name, VersionId: token });
  };

  const functionOf = ({ arn }: StoredSecret) =>
    rotations.find(({ secretArn }) => secretArn === arn)?.functionId;

  return {
    rotate,
    functionOf,
    /** Waits for running rotations. */
    stop: async () => {
      await Promise.allSettled(running.values());
    },
  };
};

export type Rotations = ReturnType<typeof createRotations>;

const noFunction = 'No Lambda rotation function ARN is associated with this secret.';
const notComplete = "A previous rotation isn't complete. That rotation will be reattempted.";
