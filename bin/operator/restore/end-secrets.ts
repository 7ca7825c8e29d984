import type { SecretFacts } from '../../../functions/shared/domain/partner.ts';
import type { OperatorDeps } from '../deps.ts';
import { valueOrUserError } from '../refusals.ts';

type Rotation = {
  clientId: string;
  name: string;
  atMs: number;
  overlapHours: number;
  /** The secret that works for the overlap, where the partner named it (V2-13). */
  secretId?: string;
};

/** Ends secrets at the times at which a lost rotation had ended them (S-20). The secret that it made stays lost. */
export const endSecrets = async (rotation: Rotation, { partners }: OperatorDeps): Promise<void> => {
  const { clientId, name, atMs } = rotation;
  const before = (await partners.credentialsOf(clientId))?.secrets ?? [];
  // The table has the secret of the rotation, so the rotation is not lost.
  if (before.length === 0 || before.some(({ createdAtMs }) => createdAtMs >= atMs)) return;
  const after = before.map((secret) => ({ ...secret, expiresAtMs: endOf(secret, rotation) }));
  valueOrUserError(await partners.replaceSecrets(clientId, { before, after }), name);
};

/** One secret works for the overlap: the newest, which has no end, unless the partner named another. */
const endOf = (secret: SecretFacts, { atMs, overlapHours, secretId }: Rotation): number => {
  const overlapEndsAtMs = atMs + overlapHours * 3_600_000;
  // An adoption that died may have set this end already.
  const { id, expiresAtMs = overlapEndsAtMs } = secret;
  const goesOn = secretId === undefined ? expiresAtMs === overlapEndsAtMs : id === secretId;
  return Math.min(expiresAtMs, goesOn ? overlapEndsAtMs : atMs);
};
