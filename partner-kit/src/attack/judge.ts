import { sampleVehicle } from '../samples/detail.ts';
import type { Answer } from '../samples/post.ts';
import { broken, type Finding, inWords, isTaken, isTriedAgain, kept } from './check.ts';
import type { Letter, Target } from './target.ts';

/** The effect of a wrong answer, in the words of the webhook guide. */
export const consequenceOf = (answer: Answer): string => {
  if ('failure' in answer && answer.failure === 'silence')
    return 'Silence for 5 s counts as a failure and is tried again for 24 hours: store, answer 2xx, and work afterwards.';
  const { status } = answer;
  if (status >= 300 && status < 400)
    return `Redirects are not followed, and the event is not sent again: give the operator the final address${locationOf(answer)}.`;
  if (status === 416)
    return '416 is never tried again, and every message has a Range: ignore it, because only a GET has ranges (RFC 9110, 14.2).';
  if (isTriedAgain(answer)) return `${inWords(answer)} is tried again for 24 hours, at most 185 times.`;
  if ([403, 404, 408, 410].includes(status)) return `${status} is tried again only five times.`;
  return `${status} is never tried again: the event is lost.`;
};

const locationOf = (answer: Answer) => ('location' in answer ? `, perhaps ${answer.location}` : '');

/** All must be accepted. The first refused one decides. */
export const allTaken = (answers: readonly Answer[], advice: string): Finding => {
  const wrong = answers.find((one) => !isTaken(one));
  const seen = [...new Set(answers.map(inWords))].join(', ');
  return wrong ? broken(seen, `${advice} ${consequenceOf(wrong)}`) : kept(seen);
};

/** Answers alone do not show what became of a message. */
export const byAnswers = (finding: Finding): Finding =>
  finding.verdict === 'kept' ? { verdict: 'unseen', seen: finding.seen } : finding;

/** Sends messages one after the other. */
export const inOrder = async (target: Target, letters: readonly Letter[]): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (const letter of letters) answers.push(await target.post(letter));
  return answers;
};

/** A receiver may work after its answer. */
const looks = 25;
const pauseMs = 100;

/** Waits until the receiver's state shows a message. Returns whether it did. */
export const showsSoon = async (target: Target, letter: Letter): Promise<boolean> => {
  const { seenInState, deps } = target;
  for (let look = 0; seenInState && look < looks; look += 1) {
    if ((await seenInState(letter)) > 0) return true;
    await deps.pause(pauseMs);
  }
  return false;
};

/** A later update of the same transaction. When the state shows it, earlier messages have been processed. */
export const settle = async (
  target: Target,
  { uuid }: Letter,
  range: { from: number; to: number },
): Promise<void> => {
  const marker = `Fence${target.deps.randomText(12)}`;
  const fence = target.letter({ uuid, range, marker, elements: { vehicle: sampleVehicle(marker) } });
  await target.post(fence);
  await showsSoon(target, fence);
};

/** The first finding that is not "kept" counts. */
export const worstOf = (findings: readonly Finding[]): Finding =>
  findings.find(({ verdict }) => verdict === 'broken') ??
  findings.find(({ verdict }) => verdict !== 'kept') ??
  findings[0] ??
  kept('');
