import type { Command } from 'commander';
import type { ListingAudit } from '../../../functions/shared/store/audit/audit.ts';
import type { CommandContext, CommandResult, RunCommand } from '../context.ts';
import { progressOf } from '../output/progress.ts';
import { tableOf } from '../output/table.ts';

/** `listing …`: does the index of lists say what the transactions say (listing.md)? */
export const addListingCommands = (program: Command, run: RunCommand) => {
  const listing = program.command('listing').description('The index behind lists and totals');
  listing
    .command('audit')
    .description('Recount entries and totals from the transactions; the exit code is 1 where they differ')
    .action(run((context) => audit(context)));
  listing
    .command('repair')
    .description('Audit, and mend what differs')
    .action(run((context) => repair(context)));
};

const audit = async ({ deps, terminal }: CommandContext): Promise<CommandResult> => {
  const progress = progressOf(terminal, { oneIn: 5_000 });
  const found = await deps.listing.audit(({ phase, done }) => progress.update(done, `${phase} ${done}`));
  progress.stop();
  const drift = driftOf(found);
  const verdict = drift === 0 ? 'No drift.\n' : `${drift} differences: "listing repair" mends them.\n`;
  return { json: { ...found, drift }, text: `${auditText(found)}${verdict}`, exitCode: drift === 0 ? 0 : 1 };
};

const repair = async (context: CommandContext): Promise<CommandResult> => {
  await context.record('listing repair', {});
  const progress = progressOf(context.terminal, { oneIn: 5_000 });
  const mended = await context.deps.listing.repair(({ phase, done }) =>
    progress.update(done, `${phase} ${done}`),
  );
  progress.stop();
  const drift = driftOf(mended);
  const verdict = drift === 0 ? 'There was nothing to mend.\n' : `${drift} differences mended.\n`;
  return { json: { ...mended, mended: drift }, text: `${auditText(mended)}${verdict}` };
};

const driftOf = ({ entryDrift, counterDrift }: ListingAudit) => entryDrift.length + counterDrift.length;

/** A hundred differences tell as much as all of them. */
const shown = 100;

const auditText = ({ transactions, entries, counters, entryDrift, counterDrift }: ListingAudit) => {
  const rows = [
    ...entryDrift.map(({ key, found }) => [key, found]),
    ...counterDrift.map(({ key, attribute, difference }) => [
      `${key} ${attribute}`,
      `${difference > 0 ? '+' : ''}${difference}`,
    ]),
  ].slice(0, shown);
  const counts = `${transactions} transactions, ${entries} entries, ${counters} counters.\n`;
  return rows.length > 0 ? `${tableOf(['where', 'difference'], rows)}${counts}` : counts;
};
