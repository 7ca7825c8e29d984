import type { Command } from 'commander';
import { type AttackOptions, attack, checkNames, type Score } from '../attack/attack.ts';
import type { Result } from '../attack/check.ts';
import type { AttackDeps } from '../attack/target.ts';
import { createPost } from '../samples/post.ts';
import { isHere, receiverUrl, serviceLimitMs } from './address.ts';
import type { CommandContext, CommandResult, PartnerDeps, RunCommand } from './context.ts';
import { localReceiver, needed } from './settings.ts';
import { visible } from './terminal.ts';
import { aboutSource, defaultSource } from './trigger.ts';
import { UserError } from './user-error.ts';

type Options = { state?: string; only?: string[]; yes?: boolean; local?: boolean; partner?: string };

/** `attack`: checks a receiver against the rules. */
export const addAttackCommand = (program: Command, run: RunCommand): void => {
  program
    .command('attack')
    .description(
      'Test a receiver against the rules of the interface: which it keeps, which it breaks, and what to do.',
    )
    .argument('[url]', 'of the receiver (default with --local: the demo receiver)')
    .option(
      '--state <url>',
      'address that shows what the receiver stored for the transaction {uuid}: needed to judge copies and order',
    )
    .option('--only <names...>', `of ${checkNames.join(', ')}`)
    .option('--yes', 'attack a receiver that is not on this machine')
    .option('--source <source>', aboutSource)
    .option(
      '--signature <value>',
      'instead of TRANSACTIONS_WEBHOOK_SIGNATURE; visible in the list of processes',
    )
    .addHelpText('after', examples)
    .action(run(attackCommand));
};

const examples = `
It sends about 120 messages of transactions that do not exist: the receiver should be one for trying things. What became
of copies and of order shows in its state: without --state those rules are unseen. Nobody can see from outside whether it
compares in constant time, and stores before it answers.

Exit code: 0 when no rule was broken, else 1.

Examples:
  transactions-partner attack http://localhost:3000/webhooks
  transactions-partner attack http://localhost:3000/webhooks --only duplicate replay
  transactions-partner attack --local --state http://127.0.0.1:8788/webhooks/northgate-crm/transactions/{uuid}
  transactions-partner attack https://hooks.example.com/in --yes --json`;

const attackCommand = async (
  { deps, settings, isJson }: CommandContext,
  options: Options,
  address?: string,
): Promise<CommandResult> => {
  const url = receiverUrl(address ?? usualAddress(options, deps));
  if (!isHere(url) && !options.yes)
    throw new UserError(`${url.host} is not this machine: add --yes if you may attack it.`);
  const receiver = {
    url: url.href,
    signature: needed(settings, 'webhookSignature'),
    source: settings.source ?? defaultSource,
  };
  const heard = isJson ? () => {} : (result: Result) => deps.terminal.print(lineOf(result));
  const score = await attack(receiver, attackDeps(deps, options), { heard, ...onlyKnown(options) });
  return {
    text: closingOf(score, options),
    json: { url: url.href, ...score },
    exitCode: score.broken > 0 ? 1 : 0,
  };
};

const usualAddress = ({ local, partner }: Options, deps: PartnerDeps) => {
  if (local) return localReceiver(partner, deps);
  throw new UserError('Name the address of the receiver, such as http://localhost:3000/webhooks.');
};

const onlyKnown = ({ only }: Options): Pick<AttackOptions, 'only'> => {
  const unknown = only?.find((name) => !checkNames.includes(name));
  if (unknown === undefined) return { only };
  throw new UserError(`There is no check ${unknown}: --help lists all.`);
};

const attackDeps = (deps: PartnerDeps, { state }: Options): AttackDeps => ({
  ...deps,
  post: createPost({ nowMs: deps.nowMs, limitMs: deps.limitMs ?? serviceLimitMs }),
  readState: state === undefined ? undefined : (uuid) => stateOf(state, uuid, deps),
});

const stateOf = async (state: string, uuid: string, deps: PartnerDeps): Promise<string> => {
  if (!state.includes('{uuid}')) throw new UserError('--state needs {uuid} where the transaction is named.');
  const answer = await deps.fetch(receiverUrl(state.replaceAll('{uuid}', uuid))).catch(() => undefined);
  // An empty state counts as none.
  return answer?.ok ? answer.text() : '';
};

const words = { kept: 'kept  ', broken: 'BROKEN', advice: 'advice', unseen: 'unseen' };

const lineOf = ({ verdict, name, rule, seen, advice }: Result): string =>
  visible(
    `${words[verdict]}  ${name.padEnd(23)}  ${rule} (${seen})\n${advice === undefined ? '' : `        ${advice}\n`}`,
  );

const closingOf = ({ results, kept, broken, advice, unseen }: Score, { state }: Options): string => {
  const tried = results.length;
  const counts = [
    `${kept + advice} of ${tried} rules kept`,
    broken && `${broken} broken`,
    unseen && `${unseen} unseen`,
  ];
  const first = `\n${counts.filter(Boolean).join(', ')}${advice > 0 ? `; advice on ${advice}` : ''}.\n`;
  if (state !== undefined || unseen === 0) return first;
  return `${first}Only the state of the receiver shows how it treats copies and order: name its address with --state.\n`;
};
