import type { SecretFacts } from '../../../functions/shared/domain/partner.ts';
import type { OperatorDeps } from '../deps.ts';
import { valueOrUserError } from '../refusals.ts';

type Rotation = {
  clientId: string;
  name: string;
  atMs: number;
  overlapHours: number;
  /** The secret that goes on for the overlap, where the partner named one (V2-13). */
  secretId?: string;
};

/** Ends the secrets that a rotation ended, at the same times (S-20). The secret that it made is lost. */
export const endSecrets = async (rotation: Rotation, { partners }: OperatorDeps): Promise<void> => {
  const { clientId, name, atMs } = rotation;
  const before = (await partners.credentialsOf(clientId))?.secrets ?? [];
  // The rotation did not go back where its secret is there.
  if (before.length === 0 || before.some(({ createdAtMs }) => createdAtMs >= atMs)) return;
  const after = before.map((secret) => ({ ...secret, expiresAtMs: endOf(secret, rotation) }));
  valueOrUserError(await partners.replaceSecrets(clientId, { before, after }), name);
};

/** One secret goes on for the overlap: the newest unless the partner named another. The newest is the one without an end. */
const endOf = (secret: SecretFacts, { atMs, overlapHours, secretId }: Rotation): number => {
  const overlapEndsAtMs = atMs + overlapHours * 3_600_000;
  // An adoption that died may have given the newest this end already.
  const { id, expiresAtMs = overlapEndsAtMs } = secret;
  const goesOn = secretId === undefined ? expiresAtMs === overlapEndsAtMs : id === secretId;
  return Math.min(expiresAtMs, goesOn ? overlapEndsAtMs : atMs);
};
