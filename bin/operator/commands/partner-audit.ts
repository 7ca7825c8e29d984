import type { Command } from 'commander';
import type { GrantAudit } from '../../../functions/shared/store/partners/grant-audit.ts';
import type { CommandContext, CommandResult, RunCommand } from '../context.ts';
import { tableOf } from '../output/table.ts';
import { formatGrant } from '../partners/grant-text.ts';

type AuditOptions = { mend?: boolean };

/** `partner audit`: compare the index that leads from an owner to partners with their records, and mend it (GRANT-4). */
export const addAuditCommand = (partner: Command, run: RunCommand) => {
  partner
    .command('audit')
    .description(
      'Compare the index by which events find their partners with the grants of all records; the exit code is 1 where they differ',
    )
    .option('--mend', 'make the index as the records say')
    .addHelpText(
      'after',
      `
A partner that is missing in the index would not be notified; one that is left over is sent nothing and costs a read. It may be
run at any time, beside changes as well.

Example:
  partner audit --mend`,
    )
    .action(run<AuditOptions>((context, options) => audit(context, options)));
};

const audit = async (context: CommandContext, { mend = false }: AuditOptions): Promise<CommandResult> => {
  const { grants, partners } = context.deps;
  if (mend) await context.record('partner audit', { mend });
  const found = await (mend ? grants.mend() : grants.audit());
  const names = new Map((await partners.all()).map(({ clientId, name }) => [clientId, name]));
  return {
    json: { ...found, mended: mend ? found.differences.length : 0 },
    text: `${auditText(found, names)}${conclusionOf(found, mend)}`,
    exitCode: mend || found.differences.length === 0 ? 0 : 1,
  };
};

const conclusionOf = ({ differences: { length } }: GrantAudit, mend: boolean): string => {
  if (length === 0) return 'No differences.\n';
  return mend
    ? `${length} differences mended.\n`
    : `${length} differences: "partner audit --mend" mends them.\n`;
};

/** The first hundred are enough for a person. */
const mostShown = 100;

const auditText = ({ partners, grants, differences }: GrantAudit, names: ReadonlyMap<string, string>) => {
  const rows = differences
    .slice(0, mostShown)
    .map(({ clientId, grant, found }) => [names.get(clientId) ?? clientId, formatGrant(grant), found]);
  const counts = `${partners} partners, ${grants} grants in the index.\n`;
  return rows.length > 0 ? `${tableOf(['partner', 'grant', 'difference'], rows)}${counts}` : counts;
};
