import { broken, type Check, inWords, isTaken, kept, type Result } from './check.ts';
import { contentChecks } from './checks/content.ts';
import { copyChecks } from './checks/copies.ts';
import { loadChecks } from './checks/load.ts';
import { orderChecks } from './checks/order.ts';
import { signatureChecks } from './checks/signature.ts';
import { sourceChecks } from './checks/source.ts';
import { consequenceOf, showsSoon } from './judge.ts';
import { type AttackDeps, openTarget, type Receiver, type Target } from './target.ts';

/** The result of an attack. */
export type Score = { results: Result[]; kept: number; broken: number; advice: number; unseen: number };

/** Without this rule, nothing else can be judged. */
const takesOurs: Check = {
  name: 'takes-ours',
  rule: 'It takes a message as the service sends it.',
  run: async (target) => {
    const answer = await target.post(target.letter());
    const seen = inWords(answer);
    if (isTaken(answer)) return kept(seen);
    if (answer.status === 401 || answer.status === 403)
      return broken(
        seen,
        'Give this command the same signature as the receiver has, or mend how it compares: nothing else can be judged before.',
      );
    if (answer.status === 400)
      return broken(
        seen,
        `Is ${target.receiver.source} the receiver's environment (--source)? Nothing else can be judged before.`,
      );
    return broken(seen, `${consequenceOf(answer)} Nothing else can be judged before.`);
  },
};

/** Whether the address of `--state` shows anything. */
const showsState: Check = {
  name: 'shows-state',
  rule: 'Its state, at the address of --state, shows what it has taken.',
  run: async (target) => {
    const letter = target.letter();
    await target.post(letter);
    if (await showsSoon(target, letter)) return kept('a surname that was sent');
    return broken(
      'not what was sent',
      'Show the transaction named by {uuid} with its elements; until then answers alone are judged.',
    );
  },
};

/** The checks after a message was accepted, in this order. */
const checks: readonly Check[] = [
  ...signatureChecks,
  ...sourceChecks,
  ...copyChecks,
  ...orderChecks,
  ...contentChecks,
  ...loadChecks,
];

/** The names that `--only` accepts. */
export const checkNames: readonly string[] = checks.map(({ name }) => name);

/** The checks to run, and a callback for each result. */
export type AttackOptions = { only?: readonly string[] | undefined; heard?: (result: Result) => void };

/** Tries each rule on a receiver, one after the other, so that each result has one cause. */
export const attack = async (
  receiver: Receiver,
  deps: AttackDeps,
  { only, heard = () => {} }: AttackOptions = {},
): Promise<Score> => {
  const results: Result[] = [];
  const isKept = async ({ name, rule, run }: Check, target: Target): Promise<boolean> => {
    const result = { name, rule, ...(await run(target)) };
    results.push(result);
    heard(result);
    return result.verdict === 'kept';
  };

  const blind = openTarget(receiver, { ...deps, readState: undefined });
  if (!(await isKept(takesOurs, blind))) return scoreOf(results);
  const seeing = openTarget(receiver, deps);
  const target = deps.readState && (await isKept(showsState, seeing)) ? seeing : blind;
  for (const check of checks) if (!only || only.includes(check.name)) await isKept(check, target);
  return scoreOf(results);
};

const scoreOf = (results: Result[]): Score => {
  const count = (verdict: Result['verdict']) => results.filter((one) => one.verdict === verdict).length;
  return {
    results,
    ...{ kept: count('kept'), broken: count('broken'), advice: count('advice'), unseen: count('unseen') },
  };
};
