/** An accepted value: for good, or until a time; from you, or learnt from a message. */
export type AcceptedSignature = {
  readonly value: string;
  readonly untilMs?: number;
  readonly isLearnt?: boolean;
};

/** The store of accepted values, the usual one first. A receiver that learns must keep them over a restart. */
export type SignatureBook = {
  accepted(): Promise<readonly AcceptedSignature[]> | readonly AcceptedSignature[];
  keep(accepted: readonly AcceptedSignature[]): Promise<void> | void;
};

/** Values in memory only. */
export const memorySignatures = (values: string | readonly string[]): SignatureBook => {
  let kept: readonly AcceptedSignature[] = [values].flat().map((value) => ({ value }));
  if (kept.length === 0 || !kept.every(isOfUse))
    throw new TypeError('There must be a webhook signature, and none may be empty.');
  return {
    accepted: () => kept,
    keep: (accepted) => {
      kept = accepted;
    },
  };
};

/** The values that a partner passed, as a store. */
export const bookOf = (signatures: string | readonly string[] | SignatureBook): SignatureBook =>
  typeof signatures === 'object' && 'accepted' in signatures ? signatures : memorySignatures(signatures);

/**
 * Without types, an unset variable would arrive here, and an empty value would match every message without a signature.
 */
const isOfUse = ({ value }: AcceptedSignature) => typeof value === 'string' && value !== '';

/** Whether a message is from the operator. Its time does not depend on how much of a guess is right. */
export const isAccepted = async (
  presented: string,
  accepted: readonly AcceptedSignature[],
  nowMs: number,
): Promise<boolean> => {
  const guess = await digestOf(presented);
  const matches = await Promise.all(
    accepted.filter(isOfUse).map(async ({ value, untilMs = Number.POSITIVE_INFINITY }) => {
      const isSame = areSame(guess, await digestOf(value));
      return isSame && nowMs < untilMs;
    }),
  );
  return matches.includes(true);
};

/** Digests have equal lengths, and comparing them shows nothing of the values. */
const digestOf = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Compares every byte, whatever the earlier ones were. */
const areSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.reduce((difference, byte, index) => difference | (byte ^ (other[index] ?? 0)), 0) === 0;

/** The maximum of values in a store: the usual ones, and those announced by recent rotations. */
const most = 5;

/**
 * The values after a verified message that announces another one. The first ones stay, so that a leaked value cannot
 * lock out the right one. Of the learnt ones the oldest is removed.
 */
export const acceptedAfter = (
  announced: string,
  accepted: readonly AcceptedSignature[],
): readonly AcceptedSignature[] => {
  if (announced === '' || accepted.some(({ value }) => value === announced)) return accepted;
  const given = accepted.filter(({ isLearnt }) => isLearnt !== true);
  const learnt = [
    ...accepted.filter(({ isLearnt }) => isLearnt === true),
    { value: announced, isLearnt: true },
  ];
  return [...given, ...learnt.slice(-Math.max(1, most - given.length))];
};
