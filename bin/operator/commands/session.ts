import type { Command } from 'commander';
import type { CommandContext, CommandGroup, CommandResult, RunCommand } from '../context.ts';
import { endOfTokens } from '../service-clock.ts';
import { UserError } from '../user-error.ts';

const addSessionCommands = (program: Command, run: RunCommand) => {
  program
    .command('session')
    .description('Sessions of buyers: revoke')
    .command('revoke <uuid>')
    .description('Revoke all tokens of the session that a transaction belongs to')
    .addHelpText(
      'after',
      `
Use it if somebody else may have a session token. The transactions stay, and partners see them as before. A buyer without an
account starts a new session without them; a buyer who signs in again sees them. You cannot undo it.

Example:
  session revoke 0f8c9f0e-6f0a-4b7e-9a53-0c1d2e3f4a5b-x7q2`,
    )
    .action(run((context, _options, uuid: string) => revoke(context, uuid)));
};

/** `session …`: revokes buyers' sessions (V1-5). */
export const sessionCommands: CommandGroup = {
  add: addSessionCommands,
  rights: {
    'Requests/SESSION#*': ['UpdateItem'],
    Transactions: ['GetItem'],
  },
};

const revoke = async (context: CommandContext, uuid: string): Promise<CommandResult> => {
  const { transactions, sessions, now } = context.deps;
  const stored = await transactions.byUuid(uuid);
  if (!stored) throw new UserError(`There is no transaction ${uuid}.`);
  const { session } = stored;
  if (session === undefined)
    throw new UserError(`The transaction ${uuid} belongs to no session: it was imported or erased.`);
  await context.record('session revoke', { uuid, session });
  await sessions.revoke(session, endOfTokens(now()));
  return {
    json: { uuid, revoked: true },
    text: `The session of ${uuid} has ended: its tokens are refused everywhere.\n`,
  };
};
