import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { counted } from '../../../lib/counted.ts';
import type { CommandContext, CommandGroup, CommandResult, GlobalOptions, RunCommand } from '../context.ts';
import { exportTo } from '../import/export-file.ts';
import { linesOf } from '../import/import-file.ts';
import { type ImportSummary, importTransactions } from '../import/import-transactions.ts';
import { restoreTransaction, toExportLine } from '../import/restore.ts';
import { progressOf } from '../output/progress.ts';
import { tableOf } from '../output/table.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';

const addTransactionsCommands = (program: Command, run: RunCommand) => {
  const transactions = program.command('transactions').description('Import, export and restore transactions');
  transactions
    .command('import <file>')
    .description('Import transactions from a file: one JSON object per line, oldest first')
    .addHelpText('after', importHelp)
    .action(run((context, _options, file) => importFile(context, file)));
  transactions
    .command('export [file]')
    .description('Export transactions that are not deleted, in the format and order of import')
    .option('--with-deleted', 'include deleted transactions, with "isDeleted":1')
    .addHelpText('after', exportHelp)
    .action(
      run((context, options: ExportOptions, file: string | undefined) => exportFile(context, options, file)),
    );
  transactions
    .command('restore <uuid>')
    .description('Restore a deleted transaction to its former position in lists')
    .action(run((context, _options, uuid) => restore(context, uuid)));
};

/** `transactions …`: import, export and restore of transactions (RUN-6). */
export const transactionsCommands: CommandGroup = {
  add: addTransactionsCommands,
  rights: {
    Listing: ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    'Partners/ESTATE#*': ['GetItem', 'PutItem', 'Query'],
    'Partners/STAGE': ['GetItem'],
    'Partners/STOREFRONTS': ['PutItem'],
    Transactions: ['BatchGetItem', 'GetItem', 'PutItem', 'Scan'],
  },
};

const importHelp = `
A line is a transaction as the API returns it, with its elements. Example:
  {"uuid":"0f8c9f0e-6f0a-4b7e-9a53-0c1d2e3f4a5b-x7q2","status":0,"ndMeta":{"group":"G1","franchise":"F1","branch":"Leeds","location":"L1"},"vehicle":{...}}

Required: uuid, status and ndMeta. Optional: createdAt (ISO 8601 or Unix seconds; default now).
A uuid that exists is not changed. It counts as unchanged, or as differing if the line has other values. So you can start a
broken import again. A payment without an id gets one; a payment id of another transaction is refused.
Invalid lines are reported by number, the others are imported, and the exit code is 1. What is imported can be found by
its identifiers, and sent back by a write: an identifier that is no text, a date that does not exist and a text that is
too long are refused. A zero date (0000-00-00) becomes null and counts as cleared. Negative amounts, and types of members
of open elements, stay as they are.
A location without a storefront gets one without origins. Ctrl-C ends the import after the current lines, a thousand at
most; the same command continues.`;

const exportHelp = `
Without a file, the lines go to standard output. An existing file is replaced only with --yes.
With --with-deleted, the whole table is read. An import of that file keeps deleted transactions deleted, and "transactions
restore" restores them.`;

const importFile = async (context: CommandContext, file: string): Promise<CommandResult> => {
  const { size } = await sizeOf(file);
  await context.record('transactions import', { file });
  const progress = progressOf(context.terminal, { total: size, oneIn: 1 });
  const interruption = stopOnInterrupt();
  try {
    const summary = await importTransactions(linesOf(createReadStream(file)), context.deps, {
      signal: interruption.signal,
      onProgress: ({ read }, bytesRead) => progress.update(bytesRead, `${counted(read, 'line')} read`),
    });
    return importResult(summary, interruption.signal.aborted);
  } finally {
    progress.stop();
    interruption.forget();
  }
};

const sizeOf = async (file: string) => {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return found;
  throw new UserError(`${file} cannot be read.`);
};

/** The first Ctrl-C ends the import after the batch under way; a second one ends the process at once. */
const stopOnInterrupt = () => {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort);
  return { signal: controller.signal, forget: () => process.off('SIGINT', abort) };
};

/** By convention a program that Ctrl-C ended exits with 130. */
const importResult = (summary: ImportSummary, isInterrupted: boolean): CommandResult => {
  const { read, imported, unchanged, differs, cleared, refused, storefrontsRegistered } = summary;
  const counts = `${counted(read, 'line')} read: ${imported} imported, ${unchanged} unchanged, ${counted(differs, 'differs', 'differ')}, ${refused.length} refused.\n`;
  const dates = cleared > 0 ? `${counted(cleared, 'zero date')} cleared: they are null.\n` : '';
  const storefronts =
    storefrontsRegistered > 0
      ? `${counted(storefrontsRegistered, 'storefront')} registered without origins.\n`
      : '';
  const refusedTable =
    refused.length > 0
      ? tableOf(
          ['line', 'reason'],
          refused.map(({ line, reason }) => [`${line}`, reason]),
        )
      : '';
  const end = isInterrupted ? 'Interrupted: import the same file again to continue.\n' : '';
  return {
    json: { ...summary, ...(isInterrupted && { interrupted: true }) },
    text: `${refusedTable}${counts}${dates}${storefronts}${end}`,
    exitCode: isInterrupted ? 130 : refused.length > 0 ? 1 : 0,
  };
};

type ExportOptions = GlobalOptions & { withDeleted?: boolean };

const exportFile = async (
  context: CommandContext,
  options: ExportOptions,
  file: string | undefined,
): Promise<CommandResult> => {
  const withDeleted = options.withDeleted === true;
  if (file === undefined && options.json) throw new UserError('--json needs a file to export to.');
  await context.record('transactions export', { file: file ?? null, withDeleted });
  const { lines, counts } = exportOf(context, withDeleted);
  if (file !== undefined) {
    await exportTo(file, lines, { mayReplace: options.yes === true });
    return { json: { ...counts(), file }, text: `${exportedText(counts())} to ${file}.\n` };
  }
  await context.terminal.printEach(lines);
  context.terminal.note(`${exportedText(counts())}.\n`);
  return { json: counts(), text: '' };
};

type ExportCounts = { exported: number; deleted?: number };

const exportedText = ({ exported, deleted }: ExportCounts) =>
  `${counted(exported, 'transaction')} ${deleted === undefined ? '' : `(${deleted} deleted) `}exported`;

/** The lines of an export; `counts` counts those that were read so far. */
const exportOf = ({ deps: { transactions }, terminal }: CommandContext, withDeleted: boolean) => {
  let exported = 0;
  let deleted = 0;
  const scan = progressOf(terminal, { oneIn: 20 });
  const onFound = (count: number) => scan.update(count, `${counted(count, 'transaction')} found`);
  const lines = async function* () {
    const all = withDeleted ? transactions.withDeleted(onFound) : transactions.inCreationOrder();
    for await (const stored of all) {
      yield toExportLine(stored);
      exported += 1;
      deleted += stored.transaction.isDeleted;
    }
  };
  const counts = (): ExportCounts => (withDeleted ? { exported, deleted } : { exported });
  return { lines: lines(), counts };
};

const restore = async (context: CommandContext, uuid: string): Promise<CommandResult> => {
  await context.record('transactions restore', { uuid });
  const { version } = valueOrUserError(await restoreTransaction(uuid, context.deps), uuid);
  return { json: { uuid, isDeleted: 0, version }, text: `The transaction ${uuid} is back.\n` };
};
