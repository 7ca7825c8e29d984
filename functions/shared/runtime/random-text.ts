/** A source of random bytes, e.g. `randomBytes` of node:crypto; passed in so that tests hold it still. */
export type RandomBytes = (size: number) => Uint8Array;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 62 × 4 = 248: a byte from there on would favour the first letters, so it is thrown away. */
const firstUnfairByte = 248;

/** Evenly chosen letters and digits. */
export const randomText = (random: RandomBytes, length: number): string => {
  let text = '';
  while (text.length < length) {
    const fair = [...random(length)].filter((byte) => byte < firstUnfairByte);
    text += fair.map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  }
  return text.slice(0, length);
};
