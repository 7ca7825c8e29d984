import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { Clock } from '../runtime/clock.ts';
import type { CursorKeys } from '../store/requests/cursor-keys.ts';

/** Encrypts positions in lists, so that only the service can read or make cursors (LINK-5, V2-7). */
export type CursorSeal = {
  /** `about` is what the position belongs to. A cursor decrypts only with the same `about`. */
  close: (place: string, about: readonly unknown[]) => Promise<string>;
  open: (cursor: string, about: readonly unknown[]) => Promise<string | undefined>;
};

export type SealDeps = { cursorKeys: CursorKeys; clock: Clock };

/** The seal of one partner, or of all V1 sessions. Its key is read at its first use. */
export const cursorSealOf = (owner: string, { cursorKeys, clock }: SealDeps): CursorSeal => {
  let key: Promise<Keys> | undefined;
  const keys = () => {
    key ??= cursorKeys.of(owner, clock().getTime()).then(derived);
    return key;
  };
  return {
    close: async (place, about) => close(place, bytesOf([owner, ...about]), await keys()),
    open: async (cursor, about) => open(cursor, bytesOf([owner, ...about]), await keys()),
  };
};

type Keys = { seals: Uint8Array; nonces: Uint8Array };

const derived = (key: Uint8Array): Keys => ({
  seals: new Uint8Array(hkdfSync('sha256', key, '', 'cursor', 32)),
  nonces: new Uint8Array(hkdfSync('sha256', key, '', 'cursor nonce', 32)),
});

const bytesOf = (about: readonly unknown[]) => Buffer.from(JSON.stringify(about));

/** All positions are padded to the length of the longest: two times, an id of 36 letters, and separators. */
const placeLength = 80;
const nonceLength = 12;
const tagLength = 16;

/**
 * The nonce is a MAC of the content, as in SIV (RFC 5297): the same position has the same cursor, so the same page has
 * the same `ETag`, and no nonce is used for two positions.
 */
const close = (place: string, about: Buffer, { seals, nonces }: Keys): string => {
  const text = Buffer.from(place.padEnd(placeLength));
  const nonce = createHmac('sha256', nonces).update(about).update(text).digest().subarray(0, nonceLength);
  const cipher = createCipheriv('aes-256-gcm', seals, nonce).setAAD(about);
  const closed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return closed.toString('base64url');
};

const open = (cursor: string, about: Buffer, { seals }: Keys): string | undefined => {
  const closed = Buffer.from(cursor, 'base64url');
  const isWhole = closed.length === nonceLength + placeLength + tagLength;
  // Only one spelling of each cursor is accepted, although Node decodes others.
  if (!isWhole || closed.toString('base64url') !== cursor) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', seals, closed.subarray(0, nonceLength))
    .setAAD(about)
    .setAuthTag(closed.subarray(-tagLength));
  try {
    const text = Buffer.concat([decipher.update(closed.subarray(nonceLength, -tagLength)), decipher.final()]);
    return text.toString().trimEnd();
  } catch {
    return undefined;
  }
};
