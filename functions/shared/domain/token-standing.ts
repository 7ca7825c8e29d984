import { isActive, type PartnerProfile } from './partner.ts';

/** What a token says of its issue: when, in seconds, and under which client secret. */
export type IssuedToken = { jti: string; iat: number };

/** A token names the client secret that it was issued under, so that it ends with it. */
export const tokenIdOf = (secretId: string, uuid: string) => `${secretId}.${uuid}`;

const secretIdOf = ({ jti }: IssuedToken) => jti.split('.')[0];

/** Why a valid token of this partner counts no more, if it does not. */
export const whyEnded = (
  token: IssuedToken,
  { secrets, tokensFromMs = 0 }: PartnerProfile,
  nowMs: number,
): 'ended-secret' | 'revoked-token' | undefined => {
  const secret = secrets.find(({ id }) => id === secretIdOf(token));
  if (!secret || !isActive(secret, nowMs)) return 'ended-secret';
  return token.iat * 1000 < tokensFromMs ? 'revoked-token' : undefined;
};

/** Clocks of two machines may differ this much. */
export const leewaySeconds = 60;

/** A token that was issued after the last revocation is none of the revoked, whatever its partner revoked before. */
export const mayBeRevoked = ({ iat }: IssuedToken, { revokedAtMs }: PartnerProfile): boolean =>
  revokedAtMs !== undefined && (iat - leewaySeconds) * 1000 <= revokedAtMs;
