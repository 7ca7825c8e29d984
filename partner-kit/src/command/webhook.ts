import type { Command } from 'commander';
import type { Webhook } from '../types.ts';
import { clientOf } from './api.ts';
import type { CommandContext, CommandResult, RunCommand } from './context.ts';
import { ageText, columns, reasonText, timeText } from './terminal.ts';
import { UserError } from './user-error.ts';

/** `webhook`: the partner's own webhook. */
export const addWebhookCommands = (program: Command, run: RunCommand): void => {
  const webhook = program.command('webhook').description('Your webhook: address, pause and signature.');
  const add = (name: string, about: string, example = name) =>
    webhook
      .command(name)
      .description(about)
      .addHelpText('after', `\nExample:\n  transactions-partner webhook ${example}`);
  add('show', 'Show its address, its state and reason, and the age of its signatures.').action(run(show));
  add('set', 'Set its address, which is checked in the background.', 'set https://hooks.acme.example/in')
    .argument('<url>')
    .action(run(set));
  add('pause', 'Keep events until you resume it.').action(run(pause));
  add('resume', 'Resume it: one event for each transaction that changed meanwhile.').action(run(resume));
  add('remove', 'Remove it, and discard kept events.', 'remove --yes')
    .option('--yes', 'confirm that kept events are discarded')
    .action(run(remove));
  add('rotate', 'Create the next signature, shown only once; --switch switches to it.')
    .option('--switch', 'switch to the next signature, which your receiver must accept by now')
    .action(run(rotate));
};

const show = async (context: CommandContext): Promise<CommandResult> =>
  shown((await clientOf(context).webhook.retrieve()).data);

const set = async (context: CommandContext, _options: object, url: string): Promise<CommandResult> =>
  shown((await clientOf(context).webhook.set(url)).data);

const pause = async (context: CommandContext): Promise<CommandResult> =>
  shown((await clientOf(context).webhook.pause()).data);

const resume = async (context: CommandContext): Promise<CommandResult> =>
  shown((await clientOf(context).webhook.resume()).data);

/** Without `nop2/read` the answer has only links. */
const shown = (webhook: Partial<Webhook>): CommandResult => ({
  text: columns(factsOf(webhook)),
  json: webhook,
});

const factsOf = ({ url, state, since, reason, pausedBy, servedUrl, ...rest }: Partial<Webhook>): string[][] =>
  [
    ['address', url ?? 'none'],
    [
      'state',
      [state, reason && reasonText(reason), pausedBy && `by ${pausedBy}`, since && `since ${timeText(since)}`]
        .filter(Boolean)
        .join(', '),
    ],
    ...(servedUrl && servedUrl !== url ? [['sent to', servedUrl]] : []),
    ['signature', rest.signature ? ageText(rest.signature.ageDays) : ''],
    ['next signature', rest.nextSignature ? ageText(rest.nextSignature.ageDays) : 'none'],
  ].map((row) => row.map(String));

const remove = async (context: CommandContext, { yes }: { yes?: true }): Promise<CommandResult> => {
  if (!yes)
    throw new UserError('This discards the events that are kept for the webhook: add --yes to confirm.');
  await clientOf(context).webhook.remove();
  return { text: 'The webhook is removed.\n', json: { removed: true } };
};

const rotate = async (context: CommandContext, options: { switch?: true }): Promise<CommandResult> => {
  const { webhook } = clientOf(context);
  if (options.switch) return shown((await webhook.switchSignature()).data);
  const { data } = await webhook.announceSignature();
  const next = `The next signature, shown only once:\n${data.signature}\n`;
  return { text: `${next}Accept it beside the present one, then run: webhook rotate --switch\n`, json: data };
};
