/** A value that is taken for the operator's; one that was replaced counts until then. */
export type AcceptedSignature = { readonly value: string; readonly untilMs?: number };

/** Where the accepted values are kept, the usual one first. A receiver that learns must keep them over a restart. */
export type SignatureBook = {
  accepted(): Promise<readonly AcceptedSignature[]> | readonly AcceptedSignature[];
  keep(accepted: readonly AcceptedSignature[]): Promise<void> | void;
};

/** Values in memory alone. */
export const memorySignatures = (values: string | readonly string[]): SignatureBook => {
  let kept: readonly AcceptedSignature[] = [values].flat().map((value) => ({ value }));
  if (kept.length === 0 || kept.some(({ value }) => value === ''))
    throw new TypeError('There must be a webhook signature, and none may be empty.');
  return {
    accepted: () => kept,
    keep: (accepted) => {
      kept = accepted;
    },
  };
};

/** Whether a message is the operator's. The time that it takes tells nothing of how much of a guess was right. */
export const isAccepted = async (
  presented: string,
  accepted: readonly AcceptedSignature[],
  nowMs: number,
): Promise<boolean> => {
  const guess = await digestOf(presented);
  const matches = await Promise.all(
    accepted.map(async ({ value, untilMs = Number.POSITIVE_INFINITY }) => {
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

/** What was under way when the value changed may still carry the former one. */
const overlapMs = 10 * 60_000;

/**
 * The values that count after a message that was the operator's. It may announce the next one, which counts from then on;
 * the first event that is signed with it ends the former ones. A test of the endpoint does not: it only asks.
 */
export const acceptedAfter = (
  { signature, announced, isTest }: { signature: string; announced: string; isTest: boolean },
  accepted: readonly AcceptedSignature[],
  nowMs: number,
): readonly AcceptedSignature[] => {
  const used = accepted.find(({ value }) => value === signature);
  const isFirstUse = used !== undefined && used !== accepted[0] && used.untilMs === undefined && !isTest;
  const now = isFirstUse ? [used, ...ended(accepted, used, nowMs)] : accepted;
  const isNew = announced !== '' && !now.some(({ value }) => value === announced);
  return isNew ? [...now, { value: announced }] : now;
};

const ended = (accepted: readonly AcceptedSignature[], used: AcceptedSignature, nowMs: number) =>
  accepted.filter((one) => one !== used).map((one) => ({ untilMs: nowMs + overlapMs, ...one }));
