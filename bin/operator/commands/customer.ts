import type { Command } from 'commander';
import type { OnScan, ScanStep } from '../../../functions/shared/store/personal-data/personal-data-store.ts';
import type { CommandContext, CommandResult, GlobalOptions, RunCommand } from '../context.ts';
import { applyErasures, eraseCustomer } from '../customers/erase.ts';
import { customerExport } from '../customers/export.ts';
import { type CustomerData, findCustomer } from '../customers/find.ts';
import { exportTo } from '../import/export-file.ts';
import { countsText, erasureText, foundText, lettersText, mentionsText } from '../output/customer.ts';
import { progressOf } from '../output/progress.ts';
import { UserError } from '../user-error.ts';

type CustomerOptions = GlobalOptions & { email: string };

/** `customer …`: what a person may ask for about their data (S-61, S-62). */
export const addCustomerCommands = (program: Command, run: RunCommand) => {
  const customer = program.command('customer').description("Export or erase one customer's data");
  customer
    .command('export <file>')
    .description('Save everything that is held about a customer, as JSON')
    .requiredOption('--email <address>', "the customer's; upper and lower case are the same")
    .addHelpText('after', `${scanHelp}\n\nExample:\n  customer export ann.json --email ann@example.org`)
    .action(run((context, options: CustomerOptions, file: string) => exportCustomer(context, options, file)));
  customer
    .command('erase')
    .description('Erase everything that is held about a customer, for good')
    .requiredOption('--email <address>', "the customer's; upper and lower case are the same")
    .addHelpText('after', `${eraseHelp}${scanHelp}\n\nExample:\n  customer erase --email ann@example.org`)
    .action(run((context, options: CustomerOptions) => eraseAll(context, options)));
  customer
    .command('reapply')
    .description(
      'After a table was restored: erase again what it brought back of everybody who was ever erased',
    )
    .addHelpText(
      'after',
      '\nAn address counts for what is older than its erasure: who came back since stays.',
    )
    .action(run((context) => reapply(context)));
};

const eraseHelp = `
The customer's transactions are deleted, as partners are told, and emptied; the bodies of events and the answers kept for
repeated requests go with them, and dead letters that nobody has collected. It shows what it found, and asks. Run it again where it was stopped. What AWS keeps by itself,
and for how long, is in docs/personal-data.md.
`;

const scanHelp = `
A customer is known by guestEmail, and by any address within "customer". No index has addresses, so whole tables are read:
a unit for 4 kB, and 1,000,000 units are about 0.15 USD.`;

const exportCustomer = async (
  context: CommandContext,
  { email, yes }: CustomerOptions,
  file: string,
): Promise<CommandResult> => {
  const data = await find(context, email, 'customer export');
  const document = await customerExport(data, context.deps);
  await exportTo(file, linesOf(document), { mayReplace: yes === true });
  const counts = { transactions: data.transactions.length, copies: data.copies.length };
  const { deadLettersNotSearched } = document;
  return {
    json: { ...counts, deadLettersNotSearched, file, mentionedIn: data.mentionedIn },
    text: `${foundText(data)} exported to ${file}.\n${mentionsText(data)}${lettersText(deadLettersNotSearched)}`,
  };
};

async function* linesOf(document: unknown) {
  yield `${JSON.stringify(document, null, 2)}\n`;
}

const eraseAll = async (context: CommandContext, { email }: CustomerOptions): Promise<CommandResult> => {
  const data = await find(context, email, 'customer erase');
  context.terminal.note(mentionsText(data));
  await context.confirm(`${foundText(data)} will be erased for good.`, data.email);
  const erased = await withProgress(context, (onScan) => eraseCustomer(data, context.deps, onScan));
  return { json: { ...erased, mentionedIn: data.mentionedIn }, text: erasureText(erased) };
};

const reapply = async (context: CommandContext): Promise<CommandResult> => {
  await context.record('customer reapply', {});
  const erased = await withProgress(context, (onScan) => applyErasures(context.deps, onScan));
  return { json: erased, text: `${countsText(erased)} were erased again.\n` };
};

/** The record says whose data was looked for by a digest: who reads it learns no address. */
const find = async (context: CommandContext, text: string, command: string): Promise<CustomerData> => {
  const email = readEmail(text);
  const digestOf = await context.deps.personalData.erasures.digester();
  await context.record(command, { customer: digestOf(email) });
  return withProgress(context, (onScan) => findCustomer(email, context.deps, onScan));
};

const readEmail = (text: string): string => {
  const email = text.trim();
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new UserError('--email is one address, such as ann@example.org.');
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
