import type { Command } from 'commander';
import type { CommandContext, CommandGroup, CommandResult, GlobalOptions, RunCommand } from '../context.ts';
import { progressOf } from '../output/progress.ts';
import { adoptionText, byHandLines } from '../output/restore.ts';
import { adopt } from '../restore/adopt.ts';
import { type RestorableTable, restorableTables } from '../restore/adoption.ts';
import { UserError } from '../user-error.ts';

type AdoptOptions = GlobalOptions & { dryRun?: boolean };

const addRestoreCommands = (program: Command, run: RunCommand) =>
  program
    .command('restore')
    .description('Adopt tables that were restored to a point in time')
    .command('adopt <tables>')
    .description('Make restored tables consistent with the tables that stayed')
    .option('--dry-run', 'count the changes and make none')
    .addHelpText('after', adoptHelp)
    .action(run((context, options: AdoptOptions, tables) => adoptTables(context, options, tables)));

/** `restore …`: adopts tables that were restored to a point in time (docs/recovery.md). */
export const restoreCommands: CommandGroup = {
  add: addRestoreCommands,
  // The commands that an adoption repeats declare their own rights.
  rights: {
    'Audit/AUDIT#*': ['Query'],
    'Audit/DONE#*': ['Query'],
    'Audit/ERASURES': ['GetItem', 'Query'],
    'Audit/RESTORE': ['DeleteItem', 'GetItem', 'PutItem'],
    Debounce: ['DeleteItem', 'PutItem', 'Scan', 'UpdateItem'],
    Listing: ['GetItem', 'PutItem', 'Scan', 'UpdateItem'],
    'Partners/AUDIT#*': ['Query'],
    'Partners/ESTATE#*': ['Query'],
    'Partners/GRANT#*': ['UpdateItem'],
    'Partners/PARTNER#*': ['BatchGetItem', 'UpdateItem'],
    'Partners/PARTNERS': ['Query'],
    Requests: ['Scan'],
    'Requests/IDEM#*': ['DeleteItem'],
    'Requests/SESSION#*': ['GetItem', 'UpdateItem'],
    Transactions: ['GetItem', 'PutItem', 'Scan'],
  },
};

const adoptHelp = `
Tables, separated by commas: ${restorableTables.join(', ')}. Name all restored tables and no others.

No function may use the tables meanwhile: docs/recovery.md has the steps before and after. Versions, ids and sequence numbers
continue above all that partners saw. Partners are notified again of changes that the restore undid, and of transactions that
it removed. Commands that took rights away since are repeated from the audit log. Commands that gave rights are printed under
"Do by hand" (--json: byHand): read them, and run them in their order. After an interruption, run the same command.

Examples:
  restore adopt transactions --dry-run
  restore adopt transactions,listing,partners,debounce,requests`;

const adoptTables = async (
  context: CommandContext,
  { dryRun = false, ...stage }: AdoptOptions,
  text: string,
): Promise<CommandResult> => {
  const tables = readTables(text);
  await refuseOther(tables, context);
  if (!dryRun)
    await context.confirm(
      `This raises all versions above those that ${tables.join(', ')} may have lost, and notifies partners.`,
      'adopt',
    );
  const progress = progressOf(context.terminal, { oneIn: 5_000 });
  const deps = {
    ...context.deps,
    step: (about: string, done: number) => progress.update(done, `${about} ${done}`),
  };
  const report = await adopt(tables, deps, {
    dryRun,
    record: () => context.record('restore adopt', { tables }),
  }).finally(progress.stop);
  const byHand = byHandLines(report.byHand, stage);
  return { json: { ...report, byHand, dryRun }, text: adoptionText(report, { dryRun, byHand }) };
};

const readTables = (text: string): RestorableTable[] => {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const unknown = names.find((name) => !restorableTables.some((table) => table === name));
  if (unknown !== undefined)
    throw new UserError(`"${unknown}" is not a table: name one or more of ${restorableTables.join(', ')}.`);
  return restorableTables.filter((table) => names.includes(table));
};

/** An adoption that died must end first: it continues above the version that it stored. */
const refuseOther = async (tables: readonly string[], { deps }: CommandContext): Promise<void> => {
  const underWay = await deps.recovery.underWay();
  if (!underWay || underWay.tables.join() === tables.join()) return;
  throw new UserError(
    `An adoption of ${underWay.tables.join(', ')} has not ended: "restore adopt ${underWay.tables.join(',')}" ends it.`,
  );
};
