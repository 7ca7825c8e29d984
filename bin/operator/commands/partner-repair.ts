import type { Command } from 'commander';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { type CommandContext, type CommandResult, type RunCommand, webhookDepsOf } from '../context.ts';
import { progressOf } from '../output/progress.ts';
import { findPartner } from '../partners/partners.ts';
import { type Repaired, repairWebhooks } from '../partners/repair-webhooks.ts';
import { withWebhooks } from '../partners/stage-webhooks.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';

type RepairOptions = { all?: boolean; dryRun?: boolean };

/** `partner repair`: rules, targets, destinations and connections made again, as the records say (D-09). */
export const addRepairCommand = (partner: Command, run: RunCommand) => {
  partner
    .command('repair [name]')
    .description('Make what the bus has for a partner, or for all, as their records say')
    .option('--all', 'every partner with a webhook')
    .option('--dry-run', 'say what differs and change nothing')
    .addHelpText(
      'after',
      `
After the bus, the delivery role or the dead-letter queue was made anew, and when the alarm "EndpointDiffers" rings. It sends
nothing, and may be run again at any time.

Example:
  partner repair --all`,
    )
    .action(
      run<RepairOptions, string | undefined>((context, options, name) => repair(context, options, name)),
    );
};

const repair = async (
  context: CommandContext,
  { all = false, dryRun = false }: RepairOptions,
  name: string | undefined,
): Promise<CommandResult> => {
  if (all === (name !== undefined)) throw new UserError('Name one partner, or say --all.');
  const partners = await chosen(context, name);
  if (!dryRun) await context.record('partner repair', { partners: name ?? 'all' });
  const repaired = await withProgress(context, partners, dryRun);
  return {
    json: { partners: partners.length, ...repaired, dryRun },
    text: repairText(partners.length, repaired, dryRun),
    exitCode: repaired.failed.length > 0 || (dryRun && repaired.differing.length > 0) ? 1 : 0,
  };
};

const chosen = async ({ deps }: CommandContext, name: string | undefined): Promise<Partner[]> => {
  if (name === undefined) return withWebhooks(deps);
  const partner = valueOrUserError(await findPartner(name, deps), name);
  if (partner.webhookUrl !== undefined) return [partner];
  throw new UserError(`The partner "${partner.name}" has no webhook: "partner set-webhook" sets one.`);
};

const withProgress = async (context: CommandContext, partners: Partner[], isDry: boolean) => {
  const progress = progressOf(context.terminal, { total: partners.length, oneIn: 10 });
  try {
    return await repairWebhooks(partners, { ...webhookDepsOf(context), step: progress.update, isDry });
  } finally {
    progress.stop();
  }
};

const repairText = (partners: number, { differing, failed }: Repaired, isDry: boolean): string => {
  const mended = differing.filter(({ name }) => !failed.includes(name));
  const verb = isDry ? 'Differs' : 'Made again';
  return [
    ...mended.map(({ name, differences }) => `${verb}: ${name} (${differences.join(', ')})\n`),
    ...failed.map((name) => `Failed: ${name}; run the command again, or see "partner show ${name}".\n`),
    `Partners with a webhook: ${partners}; as they should be: ${partners - mended.length - failed.length}.\n`,
  ].join('');
};
