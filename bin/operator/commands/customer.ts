import type { Command } from 'commander';
import { sessionOfUser } from '../../../functions/shared/domain/session.ts';
import { readEmail } from '../../../functions/shared/domain/transaction/email-address.ts';
import { collect } from '../arguments.ts';
import type { CommandContext, CommandGroup, CommandResult, GlobalOptions, RunCommand } from '../context.ts';
import { applyErasures, eraseCustomer } from '../customers/erase.ts';
import { customerExport } from '../customers/export.ts';
import { type CustomerData, type CustomerQuery, findCustomer, uuidsOf } from '../customers/find.ts';
import { exportTo } from '../import/export-file.ts';
import {
  countsText,
  erasureText,
  foundText,
  leftToPerson,
  leftToPersonText,
  lettersText,
} from '../output/customer.ts';
import { progressOf } from '../output/progress.ts';
import type { RecordedCommand } from '../restore/by-hand.ts';
import type { OnScan, ScanStep } from '../store/personal-data/personal-data-store.ts';
import { UserError } from '../user-error.ts';

type CustomerOptions = GlobalOptions & {
  email?: string;
  uuid?: string[];
  issuer?: string;
  subject?: string;
  sameUser?: boolean;
};

const addCustomerCommands = (program: Command, run: RunCommand) => {
  const customer = program.command('customer').description("Export or erase one customer's data");
  namedCustomer(customer.command('export <file>'))
    .description('Export all data about a customer as JSON')
    .addHelpText('after', `${scanHelp}\n\nExample:\n  customer export ann.json --email ann@example.org`)
    .action(run((context, options: CustomerOptions, file: string) => exportCustomer(context, options, file)));
  namedCustomer(customer.command('erase'))
    .description('Erase all data about a customer permanently')
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
    Debounce: ['Query'],
    Listing: ['DeleteItem', 'UpdateItem'],
    PartnerBusDeadLetters: ['DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'],
    // For the id of a user's session (V1-10). The key opens no session.
    'Partners/KEYS': ['GetItem'],
    'Partners/PARTNER#*': ['GetItem'],
    Requests: ['Scan'],
    'Requests/IDEM#*': ['UpdateItem'],
    Transactions: ['GetItem', 'PutItem', 'Scan'],
  },
};

const namedCustomer = (command: Command): Command =>
  command
    .option('--email <address>', 'e-mail address of the customer, in any case and spelling')
    .option('--uuid <uuid>', 'transaction of the customer; repeat the option for more', collect)
    .option('--issuer <url>', 'identity provider of a signed-in customer: `iss` of the ID tokens')
    .option('--subject <subject>', 'the customer at that identity provider: `sub` of the ID tokens')
    .option('--same-user', 'include all transactions of the signed-in user of those found');

const eraseHelp = `
The command shows what it found, and asks. It deletes and empties the customer's transactions, and partners are notified of
the deletion. It also deletes stored responses of idempotency keys and waiting dead letters. If it was interrupted, run it
again. docs/personal-data.md says what stays, and for how long.
`;

const eraseExamples = `
  customer erase --email ann@example.org
  customer erase --uuid 0f8c9f0e-6f0a-4b7e-9a53-0c1d2e3f4a5b-x7q2 --same-user
  customer erase --issuer https://id.example --subject 248289761001`;

const scanHelp = `
A transaction belongs to the customer if guestEmail or a member of "customer" has the address, if --uuid names it, or if it is
of the user that --issuer and --subject name. Two kinds of transactions are only reported, with the commands that show and
erase them: those with the address elsewhere, and the others of the same sessions. --same-user includes those of a signed-in
user; an anonymous session may be of several persons. No index has addresses or deleted transactions, so the command reads
whole tables: one read unit per 4 kB; 1,000,000 read units cost about 0.15 USD.`;

const exportCustomer = async (
  context: CommandContext,
  options: CustomerOptions,
  file: string,
): Promise<CommandResult> => {
  const data = await find(context, options, 'customer export');
  if (isNobody(data)) throw new UserError(await nobodyText(data, context.deps, 'no file was written'));
  const document = await customerExport(data, context.deps);
  await exportTo(file, linesOf(document), { mayReplace: options.yes === true });
  const counts = { transactions: data.transactions.length, copies: data.copies.length };
  const { deadLettersNotSearched } = document;
  return {
    json: { ...counts, deadLettersNotSearched, file, ...leftToPerson(data) },
    text: `${foundText(data)} exported to ${file}.\n${leftToPersonText(data)}${lettersText(deadLettersNotSearched)}`,
  };
};

async function* linesOf(document: unknown) {
  yield `${JSON.stringify(document, null, 2)}\n`;
}

const eraseAll = async (context: CommandContext, options: CustomerOptions): Promise<CommandResult> => {
  const data = await find(context, options, 'customer erase');
  // Before the question: the sessions of what is erased are not known any more afterwards.
  context.terminal.note(leftToPersonText(data));
  if (isNobody(data)) throw new UserError(await nobodyText(data, context.deps, 'nothing was erased'));
  const name = data.email ?? options.subject ?? data.uuids.join(' ');
  await context.confirm(`${foundText(data)} will be erased permanently.`, name);
  const erased = await withProgress(context, (onScan) => eraseCustomer(data, context.deps, onScan));
  return { json: { ...erased, ...leftToPerson(data) }, text: erasureText(erased) };
};

/** Most likely a mistyped name, for which a receipt or an empty file would be misleading. */
const isNobody = (data: CustomerData) =>
  uuidsOf(data).size + data.copies.length + data.mentionedIn.size === 0;

const nobodyText = async (
  { email, userSession }: CustomerData,
  { deadLetters }: CommandContext['deps'],
  effect: string,
) => {
  const names = [
    ...(email === undefined ? [] : ['this address']),
    ...(userSession === undefined ? [] : ['this issuer and subject']),
  ].join(' or ');
  return `Nobody with ${names} was found: ${effect}. ${lettersText(await deadLetters.count())}`.trim();
};

const reapply = async (context: CommandContext): Promise<CommandResult> => {
  await context.record('customer reapply', {});
  const erased = await withProgress(context, (onScan) => applyErasures(context.deps, onScan));
  return { json: erased, text: `${countsText(erased)} were erased again.\n` };
};

/** The audit record holds digests of the address and of the user's session, never the address or the user. */
const find = async (
  context: CommandContext,
  options: CustomerOptions,
  command: RecordedCommand,
): Promise<CustomerData> => {
  const query = await readQuery(options, context.deps);
  const { email, uuids, userSession, sameUser } = query;
  const digestOf = await context.deps.personalData.erasures.digester();
  await context.record(command, {
    ...(email !== undefined && { customer: digestOf(email) }),
    ...(userSession !== undefined && { user: digestOf(userSession) }),
    ...(uuids.length > 0 && { uuids }),
    ...(sameUser && { sameUser }),
  });
  const data = await withProgress(context, (onScan) => findCustomer(query, context.deps, onScan));
  const [unknown] = data.unknown;
  if (unknown !== undefined)
    throw new UserError(`There is no transaction ${unknown}, and no copy of one: nothing was done.`);
  return data;
};

const readQuery = async (
  { email, uuid: uuids = [], issuer, subject, sameUser = false }: CustomerOptions,
  { readUserKey }: CommandContext['deps'],
): Promise<CustomerQuery> => {
  if (email === undefined && uuids.length === 0 && issuer === undefined && subject === undefined)
    throw new UserError(
      'Name the customer by --email or by --issuer and --subject, their transactions by --uuid, or several of these.',
    );
  if ((issuer === undefined) !== (subject === undefined))
    throw new UserError('--issuer and --subject belong together: give both, or neither.');
  const address = email === undefined ? undefined : readEmail(email);
  if (email !== undefined && address === undefined)
    throw new UserError('--email is one address, such as ann@example.org; --uuid needs none.');
  const userSession =
    issuer === undefined || subject === undefined
      ? undefined
      : sessionOfUser({ issuer, subject }, await readUserKey());
  return { email: address, uuids, userSession, sameUser };
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
