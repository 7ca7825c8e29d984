import type { Command } from 'commander';
import { counted } from '../../../lib/counted.ts';
import type { CommandContext, CommandGroup, CommandResult, RunCommand } from '../context.ts';
import { progressOf } from '../output/progress.ts';
import { tableOf } from '../output/table.ts';
import type { ListingAudit, ListingRepair } from '../store/listing/audit.ts';

const addListingCommands = (program: Command, run: RunCommand) => {
  const listing = program.command('listing').description('The list index: audit and repair');
  listing
    .command('audit')
    .description('Compare the list index with the transactions; exits with 1 if they differ')
    .action(run((context) => audit(context)));
  listing
    .command('repair')
    .description('Audit the list index and repair differences')
    .action(run((context) => repair(context)));
};

/** `listing …`: compares the Listing table with the transactions, and repairs it (docs/listing.md). */
export const listingCommands: CommandGroup = {
  add: addListingCommands,
  rights: {
    Listing: ['DeleteItem', 'PutItem', 'Scan', 'UpdateItem'],
    Transactions: ['ConditionCheckItem', 'Scan'],
  },
};

const audit = async ({ deps, terminal }: CommandContext): Promise<CommandResult> => {
  const progress = progressOf(terminal, { oneIn: 5_000 });
  const found = await deps.listing.audit(({ phase, done }) => progress.update(done, `${phase} ${done}`));
  progress.stop();
  const drift = driftOf(found);
  const conclusion = drift === 0 ? 'No drift.\n' : `${drift} differences: "listing repair" repairs them.\n`;
  return {
    json: { ...found, drift },
    text: `${auditText(found)}${conclusion}`,
    exitCode: drift === 0 ? 0 : 1,
  };
};

const repair = async (context: CommandContext): Promise<CommandResult> => {
  await context.record('listing repair', {});
  const progress = progressOf(context.terminal, { oneIn: 5_000 });
  const mended = await context.deps.listing.repair(({ phase, done }) =>
    progress.update(done, `${phase} ${done}`),
  );
  progress.stop();
  const drift = driftOf(mended);
  const conclusion = drift === 0 ? 'Nothing was repaired.\n' : `${drift} differences repaired.\n`;
  return { json: { ...mended, mended: drift }, text: `${auditText(mended)}${conclusion}${leftText(mended)}` };
};

/** A counter that changes while it is audited is left as it is. */
const leftText = ({ countersLeft }: ListingRepair) =>
  countersLeft === 0
    ? ''
    : `${countersLeft} counters changed during the audit and were not repaired: run "listing repair" again when there are few writes.\n`;

const driftOf = ({ entryDrift, counterDrift }: ListingAudit) => entryDrift.length + counterDrift.length;

const mostShown = 100;

const auditText = ({ transactions, entries, counters, entryDrift, counterDrift }: ListingAudit) => {
  const rows = [
    ...entryDrift.map(({ key, found }) => [key, found]),
    ...counterDrift.map(({ key, attribute, difference }) => [
      `${key} ${attribute}`,
      `${difference > 0 ? '+' : ''}${difference}`,
    ]),
  ].slice(0, mostShown);
  const counts = `${counted(transactions, 'transaction')}, ${counted(entries, 'entry', 'entries')}, ${counted(counters, 'counter')}.\n`;
  return rows.length > 0 ? `${tableOf(['where', 'difference'], rows)}${counts}` : counts;
};
