import { advise, broken, type Check, type Finding, inWords, isRefused, isTaken, kept } from '../check.ts';
import { consequenceOf, worstOf } from '../judge.ts';
import type { Target } from '../target.ts';

const verifyAdvice =
  'Compare X-Webhook-Signature with your value, in constant time, before anything else, and answer 401 when it differs.';

/**
 * The required answer to a message without the right signature: 401, or 403, after which the service tries only five
 * more times.
 */
const refused = (answer: Awaited<ReturnType<Target['post']>>): Finding => {
  const seen = inWords(answer);
  if (isTaken(answer)) return broken(seen, `A stranger's message was taken. ${verifyAdvice}`);
  if (answer.status === 403)
    return advise(
      seen,
      'Answer 401, not 403: 403 is tried again only five times, so a late change of the value loses events.',
    );
  if (isRefused(answer)) return kept(seen);
  return broken(
    seen,
    `Only 401 and 403 say that the signature is wrong. ${verifyAdvice} ${consequenceOf(answer)}`,
  );
};

const refusedAll = async (
  target: Target,
  signatures: readonly (string | undefined)[],
  letter = target.letter(),
) => {
  const findings: Finding[] = [];
  for (const signature of signatures) findings.push(refused(await target.post(letter, { signature })));
  return worstOf(findings);
};

/** Values near the right one, which inexact comparisons accept. */
const nearValues = (value: string): string[] =>
  [value.slice(0, -1), value.slice(0, Math.ceil(value.length / 2)), `${value}x`, otherCase(value)].filter(
    (one) => one !== value && one !== '',
  );

const otherCase = (text: string) =>
  [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');

/** The signature is checked first, and by itself. */
export const signatureChecks: readonly Check[] = [
  {
    name: 'wrong-value',
    rule: 'It refuses a wrong value of X-Webhook-Signature.',
    run: (target) => refusedAll(target, [target.strangeSignature()]),
  },
  {
    name: 'near-value',
    rule: 'It refuses a value that is nearly right: a part of it, more than it, other letter case.',
    run: (target) => refusedAll(target, nearValues(target.receiver.signature)),
  },
  {
    name: 'missing-value',
    rule: 'It refuses a message without a value, or with an empty one.',
    run: (target) => refusedAll(target, [undefined, '']),
  },
  {
    name: 'wrong-value-of-a-test',
    rule: 'It refuses a WebhookTest with a wrong value: the operator asks exactly that.',
    run: (target) =>
      refusedAll(target, [target.strangeSignature()], target.letter({ type: 'WebhookTest', detail: {} })),
  },
  {
    name: 'verify-first',
    rule: 'It verifies before it reads: a wrong value over nonsense is 401, too.',
    run: async (target) => {
      const nonsense = { ...target.letter(), body: '{"detail-type":' };
      const answer = await target.post(nonsense, { signature: target.strangeSignature() });
      const finding = refused(answer);
      if (finding.verdict !== 'broken' || answer.status < 400 || answer.status >= 500) return finding;
      return advise(
        inWords(answer),
        'Verify the signature before you parse the body: a stranger learns nothing then, and costs less.',
      );
    },
  },
];
