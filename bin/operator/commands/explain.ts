import type { Command } from 'commander';
import type { CommandContext, CommandGroup, CommandResult, RunCommand } from '../context.ts';
import { type Explanation, explain, loadExplainFacts } from '../events/explain.ts';
import { findRecipient } from '../events/shown.ts';
import { type ExplainSubject, explanationSentence } from '../output/explain.ts';
import { valueOrUserError } from '../refusals.ts';

const addExplainCommand = (program: Command, run: RunCommand) =>
  program
    .command('explain <partner> <uuid>')
    .description('Explain why a partner was or was not notified of a transaction')
    .addHelpText(
      'after',
      `
With --json, each sentence has a stable code.

Example:
  explain acme 0f8c9f0e-6f0a-4b7e-9a53-0c1d2e3f4a5b-x7q2`,
    )
    .action(
      run((context, _options, partner: string, uuid: string) => explainPartner(context, partner, uuid)),
    );

/** `explain …`: why a partner was notified of a transaction, will be, or was not (TH-23). */
export const explainCommands: CommandGroup = {
  add: addExplainCommand,
  rights: {
    Debounce: ['BatchGetItem', 'Query'],
    'Partners/PARTNER#*': ['GetItem'],
    'Partners/PARTNERS': ['GetItem'],
    'Partners/STAGE': ['GetItem'],
    Transactions: ['GetItem'],
  },
};

const explainPartner = async (
  context: CommandContext,
  partner: string,
  uuid: string,
): Promise<CommandResult> => {
  const { deps } = context;
  const recipient = valueOrUserError(await findRecipient(partner, deps), partner);
  const explanations = explain(await loadExplainFacts(recipient, uuid, deps));
  const subject: ExplainSubject = {
    ...{ partner: recipient.name, uuid, nowMs: deps.now().getTime() },
    dormancyMs: deps.events.dormancyMs,
  };
  const findings = explanations.map((explanation) => ({
    ...toView(explanation),
    sentence: explanationSentence(explanation, subject),
  }));
  return {
    json: { partner: recipient.name, clientId: recipient.clientId, uuid, findings },
    text: findings.map(({ sentence }) => `${sentence}\n`).join(''),
    exitCode: findings.every(({ code }) => code === 'UNKNOWN_TRANSACTION') ? 1 : 0,
  };
};

/** An explanation as JSON, with times as ISO text: `atMs` becomes `at`. */
const toView = ({ code, ...facts }: Explanation) => ({
  code,
  ...Object.fromEntries(
    Object.entries(facts).map(([name, value]) =>
      name.endsWith('Ms') ? [name.slice(0, -2), new Date(value).toISOString()] : [name, value],
    ),
  ),
});
