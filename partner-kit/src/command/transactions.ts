import { type Command, Option } from 'commander';
import type { ListFilter } from '../client/list.ts';
import { largestPerPage } from '../wire.ts';
import { clientOf } from './api.ts';
import type { CommandContext, CommandResult, RunCommand } from './context.ts';
import { columns, recordText } from './terminal.ts';
import { UserError } from './user-error.ts';
import { wholeNumber } from './whole-number.ts';

type Selected = { expand?: string; fields?: string };
type ListOptions = Selected & {
  uuid?: string;
  status?: string;
  stockId?: string;
  externalId?: string;
  page?: string;
  perPage?: string;
  all?: boolean;
};

/** `list` and `get`: transactions within the partner's grants. */
export const addTransactionCommands = (program: Command, run: RunCommand): void => {
  program
    .command('list')
    .description('List transactions, oldest first.')
    .addOption(new Option('--status <status>', '1 complete, 0 incomplete').choices(['0', '1']))
    .option('--uuid <uuid>', 'the one with this uuid')
    .option('--stock-id <id>', 'only those whose vehicle has this stock id')
    .option('--external-id <id>', 'only those whose vehicle has this external id')
    .option('--expand <names>', 'related records, separated by commas: payments,customer')
    .option('--fields <names>', 'only these properties: uuid,payments.value')
    .option('--page <number>', 'which page')
    .option('--per-page <number>', `from 1 to ${largestPerPage}`)
    .option('--all', 'all pages, by their links')
    .addHelpText('after', listExamples)
    .action(run(list));
  program
    .command('get')
    .description('Show one transaction.')
    .argument('<uuid>')
    .option('--expand <names>', 'related records, with commas')
    .option('--fields <names>', 'only these properties')
    .addHelpText('after', getExamples)
    .action(run(get));
};

const listExamples = `
With --expand or --fields each transaction is shown whole.

Examples:
  transactions-partner list --status 1 --all
  transactions-partner list --fields uuid,payments.value --per-page 25
  transactions-partner list --all --json > transactions.json`;

const getExamples = `
Examples:
  transactions-partner get 6c7a500d-4f21-409f-8e20-71ec7209a670-1h27
  transactions-partner get 6c7a500d-4f21-409f-8e20-71ec7209a670-1h27 --expand payments,customer`;

const list = async (context: CommandContext, options: ListOptions): Promise<CommandResult> => {
  const { transactions } = clientOf(context);
  const query = { ...selectionOf(options), ...placeOf(options), filter: filterOf(options) };
  if (!options.all) {
    const page = await transactions.list(query);
    return { text: `${linesOf(page.data, options)}${placeText(page._meta)}`, json: page };
  }
  const rows: object[] = [];
  for await (const row of transactions.list(query)) rows.push(row);
  return { text: linesOf(rows, options), json: { data: rows } };
};

const selectionOf = ({ expand, fields }: Selected) => ({
  ...(expand !== undefined && { expand }),
  ...(fields !== undefined && { fields }),
});

const placeOf = ({ page, perPage }: ListOptions) => ({
  ...(page !== undefined && { page: numberOf('--page', page) }),
  ...(perPage !== undefined && { perPage: numberOf('--per-page', perPage) }),
});

/** The service knows no later page (PAGE-1). */
const numberOf = (option: string, text: string): number =>
  wholeNumber(option, text, { least: 1, most: 1_000_000_000 });

const filterOf = ({ uuid, status, stockId, externalId }: ListOptions): ListFilter => ({
  ...(uuid !== undefined && { uuid }),
  ...(status !== undefined && { status: status === '1' ? 1 : 0 }),
  ...((stockId ?? externalId) !== undefined && {
    identifiers: {
      ...(stockId !== undefined && { ndstockid: stockId }),
      ...(externalId !== undefined && { salesmasterid: externalId }),
    },
  }),
});

type Row = { uuid?: string; status?: number; guestEmail?: string | null; preselectedPaymentMethod?: string };

const linesOf = (rows: readonly object[], { expand, fields }: Selected): string => {
  if (expand !== undefined || fields !== undefined) return rows.map((row) => `${recordText(row)}\n`).join('');
  return columns((rows as readonly Row[]).map(cellsOf));
};

const cellsOf = ({ uuid = '', status, preselectedPaymentMethod, guestEmail }: Row): string[] => [
  uuid,
  status === 1 ? 'complete' : 'incomplete',
  preselectedPaymentMethod || '-',
  guestEmail ?? '-',
];

const placeText = (meta: { totalCount: number; pageCount: number; currentPage: number }) =>
  `Page ${meta.currentPage} of ${meta.pageCount}, total: ${meta.totalCount}.\n`;

const get = async (context: CommandContext, options: Selected, uuid: string): Promise<CommandResult> => {
  if (uuid === '') throw new UserError('Name a transaction by its uuid: "transactions list" shows them.');
  const { data } = await clientOf(context).transactions.retrieve(uuid, selectionOf(options));
  return { text: recordText(data), json: data };
};
