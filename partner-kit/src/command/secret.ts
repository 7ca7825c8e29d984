import type { Command } from 'commander';
import { clientOf } from './api.ts';
import type { CommandContext, CommandResult, RunCommand } from './context.ts';
import { wholeNumber } from './whole-number.ts';

/** `secret`: the partner's client secret. */
export const addSecretCommands = (program: Command, run: RunCommand): void => {
  program
    .command('secret')
    .description('Your client secret.')
    .command('rotate')
    .description('Create a second secret, shown only once; the present one works until the overlap ends.')
    .option('--overlap-hours <hours>', 'hours until the present secret ends, 1 to 168', '24')
    .addHelpText('after', '\nExample:\n  transactions-partner secret rotate --overlap-hours 48')
    .action(run(rotate));
};

const rotate = async (
  context: CommandContext,
  { overlapHours }: { overlapHours: string },
): Promise<CommandResult> => {
  const hours = wholeNumber('--overlap-hours', overlapHours, { least: 1, most: 168 });
  const { data: secret } = await clientOf(context).secret.rotate({ overlapHours: hours });
  const endsAt = new Date(secret.former_secret_expires_at * 1000).toISOString();
  return {
    text: `The new client secret, shown only once:\n${secret.client_secret}\nThe present one ends at ${endsAt}.\n`,
    json: secret,
  };
};
