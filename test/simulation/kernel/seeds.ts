import { type Random, randomFrom } from '../../support/builders/random.ts';

/**
 * A generator of its own for each part of a world, so that one more transaction or partner changes nothing about the others
 * (S-54): a hash (FNV-1a) of the seed and the part's name.
 */
export const randomOf = (seed: number, ...part: readonly (string | number)[]): Random => {
  let hash = 0x811c9dc5;
  for (const character of [seed, ...part].join('/')) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  }
  return randomFrom(hash >>> 0);
};

/** So many random bytes. */
export const bytesOf = (random: Random, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, () => random.integer(0, 255));
