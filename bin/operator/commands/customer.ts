import type { Command } from 'commander';
import { readEmail } from '../../../functions/shared/domain/transaction/email-address.ts';
import { collect } from '../arguments.ts';
import type { CommandContext, CommandGroup, CommandResult, GlobalOptions, RunCommand } from '../context.ts';
import { applyErasures, eraseCustomer } from '../customers/erase.ts';
import { customerExport } from '../customers/export.ts';
import { type CustomerData, type CustomerQuery, findCustomer, uuidsOf } from '../customers/find.ts';
import { exportTo } from '../import/export-file.ts';
import { countsText, erasureText, foundText, lettersText, mentionsText } from '../output/customer.ts';
import { progressOf } from '../output/progress.ts';
import type { RecordedCommand } from '../restore/by-hand.ts';
import type { OnScan, ScanStep } from '../store/personal-data/personal-data-store.ts';
import { UserError } from '../user-error.ts';

type CustomerOptions = GlobalOptions & { email?: string; uuid?: string[] };

const addCustomerCommands = (program: Command, run: RunCommand) => {
  const customer = program.command('customer').description("Export or erase one customer's data");
  customer
    .command('export <file>')
    .description('Export all data about a customer as JSON')
    .option(...byEmail)
    .option(...byUuid)
    .addHelpText('after', `${scanHelp}\n\nExample:\n  customer export ann.json --email ann@example.org`)
    .action(run((context, options: CustomerOptions, file: string) => exportCustomer(context, options, file)));
  customer
    .command('erase')
    .description('Erase all data about a customer permanently')
    .option(...byEmail)
    .option(...byUuid)
    .addHelpText('after', `${eraseHelp}${scanHelp}\n\nExamples:${eraseExamples}`)
    .action(run((context, options: CustomerOptions) => eraseAll(context, options)));
  customer
    .command('reapply')
    .description('After a restore: erase again all customers who were erased before')
    .addHelpText(
      'after',
      '\nAn address counts for data that is older than its erasure. Newer data of the same customer stays.',
    )
    .action(run((context) => reapply(context)));
};

/** `customer …`: export and erasure of one customer's data (S-61, S-62). */
export const customerCommands: CommandGroup = {
  add: addCustomerCommands,
  rights: {
    'Audit/ERASURES': ['GetItem', 'PutItem', 'Query', 'UpdateItem'],
    Debounce: ['Query', 'Scan', 'UpdateItem'],
    'Debounce/index/byTransaction': ['Query'],
    Listing: ['DeleteItem', 'UpdateItem'],
    PartnerBusDeadLetters: ['DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'],
    'Partners/PARTNER#*': ['GetItem'],
    Requests: ['Scan'],
    'Requests/IDEM#*': ['UpdateItem'],
    Transactions: ['GetItem', 'PutItem', 'Scan'],
  },
};

const byEmail = ['--email <address>', 'e-mail address of the customer, in any case and spelling'] as const;
const byUuid = ['--uuid <uuid>', 'transaction of the customer; repeat the option for more', collect] as const;

const eraseHelp = `
The command shows what it found, and asks. It deletes and empties the customer's transactions, and partners are notified of
the deletion. It also deletes the bodies of their events, stored responses of idempotency keys and waiting dead letters. If
it was interrupted, run it again. docs/personal-data.md says what stays, and for how long.
`;

const eraseExamples = `
  customer erase --email ann@example.org
  customer erase --uuid 0f8c9f0e-6f0a-4b7e-9a53-0c1d2e3f4a5b-x7q2`;

const scanHelp = `
A transaction belongs to the customer if guestEmail or a member of "customer" has the address, or if --uuid names it. A
transaction with the address elsewhere is only reported, with the commands that show and erase it. No index has addresses,
so the command reads whole tables: one read unit per 4 kB; 1,000,000 read units cost about 0.15 USD.`;

const exportCustomer = async (
  context: CommandContext,
  options: CustomerOptions,
  file: string,
): Promise<CommandResult> => {
  const data = await find(context, options, 'customer export');
  if (isNobody(data)) throw new UserError(await nobodyText(context.deps, 'no file was written'));
  const document = await customerExport(data, context.deps);
  await exportTo(file, linesOf(document), { mayReplace: options.yes === true });
  const counts = { transactions: data.transactions.length, copies: data.copies.length };
  const { deadLettersNotSearched } = document;
  return {
    json: { ...counts, deadLettersNotSearched, file, mentionedIn: [...data.mentionedIn] },
    text: `${foundText(data)} exported to ${file}.\n${mentionsText(data)}${lettersText(deadLettersNotSearched)}`,
  };
};

async function* linesOf(document: unknown) {
  yield `${JSON.stringify(document, null, 2)}\n`;
}

const eraseAll = async (context: CommandContext, options: CustomerOptions): Promise<CommandResult> => {
  const data = await find(context, options, 'customer erase');
  context.terminal.note(mentionsText(data));
  if (isNobody(data)) throw new UserError(await nobodyText(context.deps, 'nothing was erased'));
  await context.confirm(`${foundText(data)} will be erased permanently.`, data.email ?? data.uuids.join(' '));
  const erased = await withProgress(context, (onScan) => eraseCustomer(data, context.deps, onScan));
  return { json: { ...erased, mentionedIn: [...data.mentionedIn] }, text: erasureText(erased) };
};

/** Most likely a mistyped address, for which a receipt or an empty file would be misleading. */
const isNobody = (data: CustomerData) =>
  uuidsOf(data).size + data.copies.length + data.mentionedIn.size === 0;

const nobodyText = async ({ deadLetters }: CommandContext['deps'], effect: string) =>
  `Nobody with this address was found: ${effect}. ${lettersText(await deadLetters.count())}`.trim();

const reapply = async (context: CommandContext): Promise<CommandResult> => {
  await context.record('customer reapply', {});
  const erased = await withProgress(context, (onScan) => applyErasures(context.deps, onScan));
  return { json: erased, text: `${countsText(erased)} were erased again.\n` };
};

/** The audit record holds a digest of the address, never the address itself. */
const find = async (
  context: CommandContext,
  options: CustomerOptions,
  command: RecordedCommand,
): Promise<CustomerData> => {
  const query = readQuery(options);
  const { email, uuids } = query;
  const digestOf = await context.deps.personalData.erasures.digester();
  await context.record(command, {
    ...(email !== undefined && { customer: digestOf(email) }),
    ...(uuids.length > 0 && { uuids }),
  });
  const data = await withProgress(context, (onScan) => findCustomer(query, context.deps, onScan));
  const [unknown] = data.unknown;
  if (unknown !== undefined)
    throw new UserError(`There is no transaction ${unknown}, and no copy of one: nothing was done.`);
  return data;
};

const readQuery = ({ email, uuid: uuids = [] }: CustomerOptions): CustomerQuery => {
  if (email === undefined && uuids.length === 0)
    throw new UserError('Name the customer by --email, their transactions by --uuid, or both.');
  const address = email === undefined ? undefined : readEmail(email);
  if (email !== undefined && address === undefined)
    throw new UserError('--email is one address, such as ann@example.org; --uuid needs none.');
  return { email: address, uuids };
};

const withProgress = async <Result>(
  { terminal }: CommandContext,
  work: (onScan: OnScan) => Promise<Result>,
): Promise<Result> => {
  const progress = progressOf(terminal, { oneIn: 50 });
  const total = { rows: 0, units: 0 };
  const onScan = ({ rows, units }: ScanStep) => {
    total.rows += rows;
    total.units += units;
    progress.update(total.rows, `${total.rows} rows read for ${Math.ceil(total.units)} units`);
  };
  return work(onScan).finally(progress.stop);
};
