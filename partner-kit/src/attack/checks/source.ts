import { broken, type Check, type Finding, inWords, isTaken, isTriedAgain, kept } from '../check.ts';
import { consequenceOf, worstOf } from '../judge.ts';
import type { Target } from '../target.ts';

const sourceAdvice = 'Compare `source` with the one of your environment, exactly, and answer 400.';

const otherSourceThan = (source: string) =>
  source === 'svc.production.online-payments'
    ? 'svc.staging.online-payments'
    : 'svc.production.online-payments';

const refusedFrom = async (target: Target, source: string): Promise<Finding> => {
  const answer = await target.post(target.letter({ source }));
  const seen = inWords(answer);
  if (isTaken(answer))
    return broken(
      seen,
      `A message of ${source} was taken; discarding it silently looks the same from outside. ${sourceAdvice}`,
    );
  return isTriedAgain(answer) ? broken(seen, `${sourceAdvice} ${consequenceOf(answer)}`) : kept(seen);
};

/** Environments must not mix, even if their signatures are equal. */
export const sourceChecks: readonly Check[] = [
  {
    name: 'other-environment',
    rule: "It refuses a message of another environment, signed with the partner's value.",
    run: (target) => refusedFrom(target, otherSourceThan(target.receiver.source)),
  },
  {
    name: 'near-source',
    rule: 'It refuses a source that merely begins or ends like its own.',
    run: async (target) => {
      const { source } = target.receiver;
      return worstOf([await refusedFrom(target, `${source}-2`), await refusedFrom(target, `x${source}`)]);
    },
  },
];
