/**
 * The values that a receiver accepts: two during a rotation. Without types, an unset variable would arrive here, and an
 * empty value would match every message without a signature.
 */
export const acceptedSignatures = (signatures: string | readonly string[]): readonly string[] => {
  const accepted = [signatures].flat();
  if (accepted.length === 0 || !accepted.every((value) => typeof value === 'string' && value !== ''))
    throw new TypeError('There must be a webhook signature, and none may be empty.');
  return accepted;
};

/** Whether a message is from the operator. Its time does not depend on how much of a guess is right. */
export const isAccepted = async (presented: string, accepted: readonly string[]): Promise<boolean> => {
  const guess = await digestOf(presented);
  const matches = await Promise.all(accepted.map(async (value) => areSame(guess, await digestOf(value))));
  return matches.includes(true);
};

/** Digests have equal lengths, and comparing them shows nothing of the values. */
const digestOf = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Compares every byte, whatever the earlier ones were. */
const areSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.reduce((difference, byte, index) => difference | (byte ^ (other[index] ?? 0)), 0) === 0;
