import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StoredSecret } from '../domain/partner.ts';
import type { RandomBytes } from '../runtime/random-text.ts';
import { randomText } from '../runtime/random-text.ts';

/** Letters and digits only, so that every client's way of encoding Basic gives the same bytes (TOK-2). */
export const makeClientId = (random: RandomBytes) => randomText(random, 26);
export const makeClientSecret = (random: RandomBytes) => randomText(random, 64);

/** The constant of `X-Webhook-Signature`: 64 of 62 characters are 381 bits (S-27 asks for 256). */
export const makeWebhookSignature = (random: RandomBytes) => randomText(random, 64);

/** A fast keyed hash is enough for a machine-made secret, and no lever to slow the service down (TH-14). */
export const hashSecret = (secret: string, pepper: string) =>
  createHmac('sha256', pepper).update(secret).digest('base64url');

/** What is kept of a secret; the secret itself is shown once and forgotten (S-18). */
export const toStoredSecret = (secret: string, about: { id: string; pepper: string; nowMs: number }) =>
  ({
    id: about.id,
    hash: hashSecret(secret, about.pepper),
    createdAtMs: about.nowMs,
  }) satisfies StoredSecret;

export const isActive = (secret: StoredSecret, nowMs: number) =>
  secret.expiresAtMs === undefined || nowMs < secret.expiresAtMs;

/** Two secrets at most (TOK-2): the fresh one, and the newest active one for the time both are to work. */
export const rotateSecrets = (
  stored: readonly StoredSecret[],
  fresh: StoredSecret,
  { nowMs, overlapMs }: { nowMs: number; overlapMs: number },
): StoredSecret[] => {
  const [newest] = stored.filter((secret) => isActive(secret, nowMs)).sort(newestFirst);
  if (!newest || overlapMs <= 0) return [fresh];
  const expiresAtMs = Math.min(newest.expiresAtMs ?? Number.POSITIVE_INFINITY, nowMs + overlapMs);
  return [fresh, { ...newest, expiresAtMs }];
};

const newestFirst = (one: StoredSecret, other: StoredSecret) => other.createdAtMs - one.createdAtMs;

/**
 * Whether the presented secret is one of the active ones. One hash and two comparisons, always: an unknown id, a
 * disabled partner or an expired secret takes the same work as a right one (O-16).
 */
export const isRightSecret = (
  presented: string,
  stored: readonly StoredSecret[],
  { pepper, nowMs }: { pepper: string; nowMs: number },
): boolean => {
  const hash = Buffer.from(hashSecret(presented, pepper));
  const active = stored.filter((secret) => isActive(secret, nowMs));
  const matches = [active[0], active[1]].map((secret) => isEqual(hash, secret));
  return matches.includes(true);
};

const decoy: StoredSecret = { id: 'decoy', hash: 'A'.repeat(43), createdAtMs: 0 };

const isEqual = (hash: Buffer, secret: StoredSecret | undefined) => {
  const expected = Buffer.from((secret ?? decoy).hash);
  const isSame = expected.length === hash.length && timingSafeEqual(hash, expected);
  return isSame && secret !== undefined;
};
