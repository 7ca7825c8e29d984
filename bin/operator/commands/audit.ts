import type { Command } from 'commander';
import { readLimit } from '../arguments.ts';
import { type AuditFilter, auditPage } from '../audit/page.ts';
import type { CommandContext, CommandGroup, CommandResult, RunCommand } from '../context.ts';
import { auditText } from '../output/audit.ts';
import { readTime } from '../output/time.ts';
import { findPartner } from '../partners/partners.ts';
import { UserError } from '../user-error.ts';

type ListOptions = {
  since?: string;
  until?: string;
  by?: string;
  command?: string;
  partner?: string;
  limit: string;
  next?: string;
};

const addAuditCommands = (program: Command, run: RunCommand) => {
  program
    .command('audit')
    .description('The audit log of this tool')
    .command('list')
    .description('List audit records, newest first')
    .option('--since <time>', 'at this time or later: 2026-11-21T12:00:00Z, or 30m, 2h, 3d ago')
    .option('--until <time>', 'before this time')
    .option('--by <who>', 'only commands of this person, by name or by credentials')
    .option('--command <words>', 'only this command or group of commands: "partner disable", "keys"')
    .option('--partner <name>', 'only commands on this partner, by name or client ID')
    .option('--limit <number>', 'maximum number, up to 1000', '50')
    .option('--next <where>', 'continue after the previous page, with the value that it printed')
    .addHelpText('after', listHelp)
    .action(run((context, options: ListOptions) => list(context, options)));
};

/** `audit …`: the audit records of operators' commands (S-28). */
export const auditCommands: CommandGroup = {
  add: addAuditCommands,
  rights: {
    'Audit/AUDIT#*': ['Query'],
    'Audit/DONE#*': ['Query'],
    'Partners/PARTNER#*': ['GetItem'],
    'Partners/PARTNERS': ['GetItem'],
  },
};

const listHelp = `
A record is written before its command starts. UNFINISHED: the command failed, was interrupted or is still running, and may
have made some of its changes. Arguments are recorded as parsed, without secrets. A page can end early, after 2,000 records or
20 months: --next continues. Records are never removed.

Examples:
  audit list --since 2d
  audit list --partner acme --command "partner disable"
  audit list --by ada --json`;

/** Before the first record of any stage. */
const firstAt = '2026-01-01T00:00:00.000Z';

const list = async (context: CommandContext, options: ListOptions): Promise<CommandResult> => {
  const asked = {
    filter: await filterOf(options, context),
    since: timeOf('--since', options.since, context) ?? firstAt,
    below: whereToBegin(options, context),
    limit: readLimit(options.limit),
  };
  const page = await auditPage(asked, context.deps.auditRecords);
  const records = page.records.map(({ atMs, who, caller = null, command, arguments: given, isDone }) => ({
    at: new Date(atMs).toISOString(),
    ...{ who, caller, command, arguments: given, done: isDone },
  }));
  return { json: { records, next: page.next ?? null }, text: auditText(page) };
};

/** A record holds the partner's name, its client id, or both. A deleted partner is found by the typed text alone. */
const filterOf = async (
  { by, command, partner }: ListOptions,
  { deps }: CommandContext,
): Promise<AuditFilter> => {
  const found = partner === undefined ? undefined : await findPartner(partner, deps);
  const names = found?.ok ? [found.value.name, found.value.clientId] : [partner ?? ''];
  return {
    ...(by !== undefined && { by }),
    ...(command !== undefined && { command }),
    ...(partner !== undefined && { partner: names }),
  };
};

const timeOf = (option: string, text: string | undefined, { deps }: CommandContext): string | undefined =>
  text === undefined ? undefined : new Date(readTime(option, text, deps.now())).toISOString();

/** Records take their time from the service's clock, which is read to a second: the newest may lie ahead of `now`. */
const soonMs = 60_000;

const whereToBegin = ({ until, next }: ListOptions, context: CommandContext): string => {
  if (next === undefined)
    return timeOf('--until', until, context) ?? new Date(context.deps.now().getTime() + soonMs).toISOString();
  if (until !== undefined) throw new UserError('--next continues after a page: omit --until.');
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z(#[0-9a-f-]{36})?$/.test(next)) return next;
  throw new UserError('--next must be what the previous page printed, such as 2026-11-22T12:00:00.000Z#….');
};
