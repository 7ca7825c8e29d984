import type { Command } from 'commander';
import type { PartnerRecord } from '../types.ts';
import { clientOf } from './api.ts';
import type { CommandContext, CommandResult, RunCommand } from './context.ts';
import { columns } from './terminal.ts';

/** `whoami`: what the service knows of the partner. */
export const addWhoamiCommand = (program: Command, run: RunCommand): void => {
  program
    .command('whoami')
    .description('Show what the service knows of you: what you see, your secrets, your webhook.')
    .addHelpText('after', examples)
    .action(run(whoami));
};

const examples = `
Examples:
  transactions-partner whoami
  transactions-partner whoami --local --partner southgate-dms
  transactions-partner whoami --json`;

const whoami = async (context: CommandContext): Promise<CommandResult> => {
  const { data } = await clientOf(context).partner();
  return { text: columns(factsOf(data)), json: data };
};

const factsOf = ({ name, oauthScopes, grants, secrets, webhook, limits }: PartnerRecord): string[][] => [
  ['name', name],
  ['scopes', oauthScopes.join(' ') || 'none'],
  ...rowsOf('sees', grants.map(membersOf), 'nothing'),
  ...rowsOf('secret', secrets.map(membersOf), 'none'),
  ['webhook', membersOf(webhook)],
  ['limits', membersOf(limits)],
];

const rowsOf = (name: string, values: readonly string[], none: string): string[][] =>
  (values.length === 0 ? [none] : values).map((value, index) => [index === 0 ? name : '', value]);

/** `state active, signature.ageDays 3`: whatever the record has, it is shown. */
const membersOf = (value: object): string =>
  flat(value)
    .map(([name, one]) => `${name} ${one}`)
    .join(', ');

const flat = (value: object, above = ''): [string, string][] =>
  Object.entries(value).flatMap(([name, one]): [string, string][] => {
    if (one === null || one === undefined) return [];
    return typeof one === 'object' ? flat(one, `${above}${name}.`) : [[`${above}${name}`, String(one)]];
  });
