/** A value that is taken for the operator's: for good, or until a time; given by you, or learnt of a message. */
export type AcceptedSignature = {
  readonly value: string;
  readonly untilMs?: number;
  readonly isLearnt?: boolean;
};

/** Where the accepted values are kept, the usual one first. A receiver that learns must keep them over a restart. */
export type SignatureBook = {
  accepted(): Promise<readonly AcceptedSignature[]> | readonly AcceptedSignature[];
  keep(accepted: readonly AcceptedSignature[]): Promise<void> | void;
};

/** Values in memory alone. */
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

/** The book of what a partner named. */
export const bookOf = (signatures: string | readonly string[] | SignatureBook): SignatureBook =>
  typeof signatures === 'object' && 'accepted' in signatures ? signatures : memorySignatures(signatures);

/** Without types an unset variable gets this far, and an empty value would be that of every message without a signature. */
const isOfUse = ({ value }: AcceptedSignature) => typeof value === 'string' && value !== '';

/** Whether a message is the operator's. The time that it takes says nothing of how much of a guess was right. */
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

/** Digests have one length; what they are compared by is not what was presented. */
const digestOf = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Every byte is looked at, whatever the ones before it were. */
const areSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.reduce((difference, byte, index) => difference | (byte ^ (other[index] ?? 0)), 0) === 0;

/** How many values a book holds by itself: the usual ones, and what rotations of some time announced. */
const most = 5;

/**
 * The values that count after a message that was the operator's and announces another. The first ones stay, whatever is
 * announced: a value that leaked must not be able to shut out the right one. Of those that were learnt the oldest goes.
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
