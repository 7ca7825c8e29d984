import type { Answer } from '../samples/post.ts';
import type { Target } from './target.ts';

/** The result for a rule. `advice`: kept, but not as well as it could be. `unseen`: cannot be seen from outside. */
type Verdict = 'kept' | 'broken' | 'advice' | 'unseen';

/** What was seen, and what to do about it. */
export type Finding = { verdict: Verdict; seen: string; advice?: string };

/** A rule for receivers, and how it is tried. */
export type Check = {
  name: string;
  /** A sentence about the receiver: "It …". */
  rule: string;
  run: (target: Target) => Promise<Finding>;
};

/** The outcome of a check. */
export type Result = Pick<Check, 'name' | 'rule'> & Finding;

export const kept = (seen: string): Finding => ({ verdict: 'kept', seen });
export const broken = (seen: string, advice: string): Finding => ({ verdict: 'broken', seen, advice });
export const advise = (seen: string, advice: string): Finding => ({ verdict: 'advice', seen, advice });
export const unseen = (seen: string, advice: string): Finding => ({ verdict: 'unseen', seen, advice });

/** An answer in words: "204", "silence for 5 s", "ECONNRESET". */
export const inWords = (answer: Answer): string => {
  if (!('failure' in answer)) return String(answer.status);
  return answer.failure === 'silence' ? `silence for ${seconds(answer.tookMs)} s` : answer.failure;
};

const seconds = (ms: number) => Math.round(ms / 1000);

export const isTaken = ({ status }: Answer): boolean => status >= 200 && status < 300;
/** Only these statuses report a wrong signature. A 404 or 500 may have any cause. */
export const isRefused = ({ status }: Answer): boolean => status === 401 || status === 403;
/** After these, the service sends the message again for a day. */
export const isTriedAgain = ({ status }: Answer): boolean =>
  status === 0 || status >= 500 || [401, 407, 409, 429].includes(status);
