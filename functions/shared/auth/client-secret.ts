import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isActive, type SecretFacts, type StoredSecret } from '../domain/partner.ts';
import type { RandomBytes } from '../runtime/random-text.ts';
import { randomText } from '../runtime/random-text.ts';
import type { Peppers } from './peppers.ts';

/** Letters and digits only, so that every way of encoding Basic credentials gives the same bytes (TOK-2). */
export const makeClientId = (random: RandomBytes) => randomText(random, 26);

/** A client secret: `nop2`, 54 random characters (321 bits), six check digits. Scanners of code and logs find it (S-19). */
export const makeClientSecret = (random: RandomBytes): string => {
  const text = `nop2${randomText(random, 54)}`;
  return `${text}${checkDigitsOf(text)}`;
};

/** The last six digits of the CRC32 of the text before them, in base 36. */
const checkDigitsOf = (text: string) => crc32(text).toString(36).padStart(6, '0').slice(-6);

/** The constant value of `X-Webhook-Signature`: 64 characters of an alphabet of 62 are 381 bits (S-27 asks for 256). */
export const makeWebhookSignature = (random: RandomBytes) => randomText(random, 64);

/** A fast keyed hash is enough for a random secret, and a slow one would let a flood slow the service down (TH-14). */
export const hashSecret = (secret: string, pepper: string) =>
  createHmac('sha256', pepper).update(secret).digest('base64url');

/** Whoever took an older pepper does not know the newest one. */
export const hashUnderNewest = (secret: string, { newest, texts }: Peppers) => ({
  hash: hashSecret(secret, texts.get(newest) ?? ''),
  pepperId: newest,
});

/** What is stored of a secret. The secret itself is shown once and not stored (S-18). */
export const toStoredSecret = (
  secret: string,
  about: { id: string; madeBy: string; peppers: Peppers; nowMs: number },
) =>
  ({
    id: about.id,
    madeBy: about.madeBy,
    ...hashUnderNewest(secret, about.peppers),
    createdAtMs: about.nowMs,
  }) satisfies StoredSecret;

/**
 * At most two secrets (TOK-2): the new one, and the newest active one, which works until the overlap ends. An ended
 * secret stays stored, so that its use can be reported (S-20).
 */
export const rotateSecrets = (
  stored: readonly StoredSecret[],
  fresh: StoredSecret,
  { nowMs, overlapMs }: { nowMs: number; overlapMs: number },
): StoredSecret[] => {
  const [newest] = stored.filter((secret) => isActive(secret, nowMs)).sort(newestFirst);
  if (!newest) return [fresh];
  const expiresAtMs = Math.min(newest.expiresAtMs ?? Number.POSITIVE_INFINITY, nowMs + overlapMs);
  return [fresh, { ...newest, expiresAtMs }];
};

const newestFirst = (one: SecretFacts, other: SecretFacts) => other.createdAtMs - one.createdAtMs;

/**
 * The stored secret that matches the presented one, active or ended. Hashes under every pepper and compares twice,
 * always: an unknown id, a disabled partner, an ended secret and one under an older pepper take the same work as a
 * right one (O-16).
 */
export const presentedSecret = (
  presented: string,
  [one, other]: readonly StoredSecret[],
  { texts }: Peppers,
): StoredSecret | undefined => {
  const hashes = new Map([...texts].map(([id, text]) => [id, Buffer.from(hashSecret(presented, text))]));
  const [isOne, isOther] = [isEqual(hashes, one), isEqual(hashes, other)];
  if (isOne) return one;
  return isOther ? other : undefined;
};

const decoy = 'A'.repeat(43);

const isEqual = (hashes: ReadonlyMap<string, Buffer>, secret: StoredSecret | undefined) => {
  const hash = hashes.get(secret?.pepperId ?? '') ?? Buffer.from(decoy);
  const expected = Buffer.from(secret?.hash ?? decoy);
  const isSame = expected.length === hash.length && timingSafeEqual(hash, expected);
  return isSame && secret !== undefined;
};
