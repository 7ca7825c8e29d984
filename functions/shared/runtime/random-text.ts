/** A source of random bytes, for example `randomBytes` of node:crypto. Passed in so that tests can fix it. */
export type RandomBytes = (size: number) => Uint8Array;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 62 × 4 = 248. Bytes from there on are skipped, because they would favour the first characters. */
const firstUnfairByte = 248;

/** Letters and digits, each equally likely. */
export const randomText = (random: RandomBytes, length: number): string => {
  let text = '';
  while (text.length < length) {
    const fair = [...random(length)].filter((byte) => byte < firstUnfairByte);
    text += fair.map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  }
  return text.slice(0, length);
};
