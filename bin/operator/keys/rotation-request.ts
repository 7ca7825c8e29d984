import { RotateSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { KeyKind } from '../../../functions/shared/domain/keys/key-ring.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';

/** Starts a rotation in Secrets Manager and returns its id; the rotation continues by itself. */
export type RequestRotation = (kind: KeyKind) => Promise<Outcome<string, 'rotation-unfinished'>>;

/** `secretIds` are the secrets of one stage. */
export const createRotationRequest =
  (client: SecretsManagerClient, secretIds: Record<KeyKind, string>): RequestRotation =>
  async (kind) => {
    try {
      const { VersionId = '' } = await client.send(new RotateSecretCommand({ SecretId: secretIds[kind] }));
      return succeed(VersionId);
    } catch (error) {
      if (isUnfinished(error)) return refuse('rotation-unfinished');
      throw error;
    }
  };

/** The message is "A previous rotation isn't complete. That rotation will be reattempted." */
const isUnfinished = (error: unknown) =>
  error instanceof Error &&
  error.name === 'InvalidRequestException' &&
  error.message.includes('previous rotation');
