import { createHash, timingSafeEqual } from 'node:crypto';

/** The values that a partner takes for its own, as the operator has told it; `next` is one announced for later. */
export type Signatures = { current: string; next?: string };

/**
 * Whether a message is the operator's (interface 5), and which values count from then on. A right message may announce
 * the next value in `X-Webhook-Signature-Next`; the first message signed with that one retires the old value. What was
 * under way with the old one is then refused with 401, which the sender tries again, with the new one.
 */
export const judgeSignature = (
  { signature, announced }: { signature: string; announced?: string },
  known: Signatures,
): { isRight: boolean; signatures: Signatures } => {
  if (isSame(signature, known.current)) {
    return { isRight: true, signatures: announced ? { ...known, next: announced } : known };
  }
  const { next } = known;
  if (next === undefined || !isSame(signature, next)) return { isRight: false, signatures: known };
  return { isRight: true, signatures: { current: next, ...(announced && { next: announced }) } };
};

/** Hashes have one length, so the time taken tells nothing of how much of a guess was right. */
const isSame = (presented: string, known: string): boolean =>
  timingSafeEqual(sha256(presented), sha256(known));

const sha256 = (text: string) => createHash('sha256').update(text).digest();
