import { createHash, timingSafeEqual } from 'node:crypto';

/** A value that a partner takes for the operator's; one that was replaced counts until then. */
export type AcceptedSignature = { value: string; untilMs?: number };

/** What was under way when the value changed may still carry the former one, and is sent again if it is refused. */
const overlapMs = 10 * 60_000;

/** Whether a message is the operator's (interface 5). */
export const isAccepted = (
  signature: string,
  accepted: readonly AcceptedSignature[],
  nowMs: number,
): boolean =>
  accepted.some(
    ({ value, untilMs = Number.POSITIVE_INFINITY }) => isSame(signature, value) && nowMs < untilMs,
  );

/**
 * The values that count after a message that was the operator's, the usual one first. It may announce the next value in
 * `X-Webhook-Signature-Next`, which counts from then on. The first event that is signed with it ends the former ones; a
 * test of the endpoint does not, since it only asks whether the value is known.
 */
export const acceptedAfter = (
  { signature, announced, isTest }: { signature: string; announced: string; isTest: boolean },
  accepted: readonly AcceptedSignature[],
  nowMs: number,
): readonly AcceptedSignature[] => {
  const used = accepted.find(({ value }) => value === signature);
  const isFirstUse = used !== accepted[0] && used?.untilMs === undefined && !isTest;
  const now = used && isFirstUse ? [used, ...ended(accepted, used, nowMs)] : accepted;
  const isNew = announced !== '' && !now.some(({ value }) => value === announced);
  return isNew ? [...now, { value: announced }] : now;
};

const ended = (accepted: readonly AcceptedSignature[], used: AcceptedSignature, nowMs: number) =>
  accepted.filter((one) => one !== used).map((one) => ({ untilMs: nowMs + overlapMs, ...one }));

/** Hashes have one length, so the time taken says nothing of how much of a guess was right. */
const isSame = (presented: string, known: string): boolean =>
  timingSafeEqual(sha256(presented), sha256(known));

const sha256 = (text: string) => createHash('sha256').update(text).digest();
