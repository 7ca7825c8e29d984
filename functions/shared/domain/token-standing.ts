import { isActive, type PartnerProfile } from './partner.ts';

/** The time (in seconds) and the client secret of a token's issue. */
export type IssuedToken = { jti: string; iat: number };

/** The client secret for which the token was issued. The token ends with it. */
export const tokenIdOf = (secretId: string, uuid: string) => `${secretId}.${uuid}`;

const secretIdOf = ({ jti }: IssuedToken) => jti.split('.')[0];

/** Why a valid token of this partner is no longer accepted, if it is not. */
export const whyEnded = (
  token: IssuedToken,
  { secrets, tokensFromMs = 0 }: PartnerProfile,
  nowMs: number,
): 'ended-secret' | 'revoked-token' | undefined => {
  const secret = secrets.find(({ id }) => id === secretIdOf(token));
  if (!secret || !isActive(secret, nowMs)) return 'ended-secret';
  return token.iat * 1000 < tokensFromMs ? 'revoked-token' : undefined;
};

/** How much the clocks of two machines may differ. Tolerated where a token begins, never where it ends. */
export const leewaySeconds = 60;

/** A token issued after the last revocation cannot be a revoked one. */
export const mayBeRevoked = ({ iat }: IssuedToken, { revokedAtMs }: PartnerProfile): boolean =>
  revokedAtMs !== undefined && (iat - leewaySeconds) * 1000 <= revokedAtMs;
