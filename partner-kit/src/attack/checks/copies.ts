import { broken, type Check, type Finding } from '../check.ts';
import { allTaken, byAnswers, inOrder, settle, showsSoon, worstOf } from '../judge.ts';
import type { Letter, Target } from '../target.ts';

const copyAdvice =
  'An id that you have is answered 2xx and changes nothing: it is the same event, sent again.';

/** With a view of the state: whether a copy of the first message is applied again. */
const changesNothing = async (
  target: Target,
  letter: Letter,
  sendCopies: () => Promise<Finding>,
): Promise<Finding> => {
  const { seenInState } = target;
  if (!seenInState) return byAnswers(await sendCopies());
  const first = allTaken([await target.post(letter)], copyAdvice);
  await showsSoon(target, letter);
  const before = await seenInState(letter);
  const finding = worstOf([first, await sendCopies()]);
  await settle(target, letter, { from: 1, to: 2 });
  if (finding.verdict !== 'kept' || (await seenInState(letter)) <= before) return finding;
  return broken(`${finding.seen}, and applied again`, copyAdvice);
};

/** Delivery is at least once. */
export const copyChecks: readonly Check[] = [
  {
    name: 'duplicate',
    rule: 'It takes a copy of a message without applying it again.',
    run: async (target) => {
      const letter = target.letter();
      const twice = async () => allTaken(await inOrder(target, [letter, letter]), copyAdvice);
      return changesNothing(target, letter, twice);
    },
  },
  {
    name: 'duplicates-at-once',
    rule: 'It takes copies that come at the same moment, and applies one.',
    run: async (target) => {
      const letter = target.letter();
      const atOnce = () => Promise.all(Array.from({ length: 5 }, () => target.post(letter)));
      const advice = `${copyAdvice} Two copies at once must not fail at your unique key.`;
      return changesNothing(target, letter, async () => allTaken(await atOnce(), advice));
    },
  },
  {
    name: 'replay',
    rule: 'It takes an old message that is replayed after newer ones, without going back to it.',
    run: async (target) => {
      const old = target.letter();
      const newer = target.letter({ uuid: old.uuid, range: { from: 1, to: 2 } });
      const finding = allTaken(await inOrder(target, [old, newer, old]), copyAdvice);
      return notUndone(target, { older: old, newer }, finding);
    },
  },
];

export const olderAdvice =
  'Compare X-Transaction-Version with the highest that you have applied, and pass over what is older.';

/** With a view of the state: the newer of two values of one element must stay, in any order of arrival. */
export const notUndone = async (
  target: Target,
  { older, newer }: { older: Letter; newer: Letter },
  finding: Finding,
): Promise<Finding> => {
  if (!target.seenInState || finding.verdict !== 'kept') return byAnswers(finding);
  await settle(target, older, { from: 2, to: 3 });
  if ((await target.seenInState(newer)) > 0) return finding;
  return broken(`${finding.seen}, and the older value stands`, olderAdvice);
};
