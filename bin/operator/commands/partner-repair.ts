import type { Command } from 'commander';
import { endpointWishOf, isReached } from '../../../functions/shared/domain/endpoint-wish.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { CommandContext, CommandResult, RunCommand } from '../context.ts';
import { reasonSentence } from '../output/webhook.ts';
import { findPartner, webhookUrlOf } from '../partners/partners.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';
import { awaitPartners, type PartnersStanding, withWebhooks } from './webhook-wait-all.ts';

type RepairOptions = { all?: boolean; dryRun?: boolean };

/** `partner repair`: has rules, targets, destinations and connections made as the records say (D-09). */
export const addRepairCommand = (partner: Command, run: RunCommand) => {
  partner
    .command('repair [name]')
    .description('Have what the bus has for a partner, or for all, made as their records say')
    .option('--all', 'every partner with a webhook')
    .option('--dry-run', 'say what is known to differ; nobody looks at the bus')
    .addHelpText(
      'after',
      `
After the bus, the delivery role or the dead-letter queue was made anew: the service finds it by itself, and at once with this
command. Each endpoint that is on gets two test messages, by which its repair is known to be through. It may be run again at
any time.

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
  const found = dryRun
    ? await asKnown(context, partners)
    : await awaitPartners(context, partners, { areChecked: true });
  const { failing, waiting } = found;
  return {
    json: { partners: partners.length, ...found, dryRun },
    text: repairText(partners, found),
    exitCode: failing.length + waiting.length > 0 ? 1 : 0,
  };
};

const chosen = async ({ deps }: CommandContext, name: string | undefined): Promise<Partner[]> => {
  if (name === undefined) return withWebhooks(deps);
  const partner = valueOrUserError(await findPartner(name, deps), name);
  valueOrUserError(webhookUrlOf(partner), `The partner "${partner.name}"`);
  return [partner];
};

/** What the statuses say, without a look at the bus: the tool has no right to it. */
const asKnown = async ({ deps }: CommandContext, partners: readonly Partner[]): Promise<PartnersStanding> => {
  const isStopped = (await deps.webhookSwitch.read()) !== undefined;
  const found: PartnersStanding = { failing: [], waiting: [] };
  for (const { clientId, name } of partners) {
    const { partner, endpoint } = (await deps.partners.profileOf(clientId)) ?? {};
    if (endpoint?.state === 'failing') found.failing.push({ name, reason: endpoint.reason ?? null });
    else if (!isReached(endpoint, endpointWishOf(partner, isStopped))) found.waiting.push(name);
  }
  return found;
};

const repairText = (partners: readonly Partner[], { failing, waiting }: PartnersStanding): string => {
  const urlOf = (name: string) => partners.find((partner) => partner.name === name)?.webhookUrl;
  return [
    ...failing.map(
      ({ name, reason }) => `Failing: ${name}. ${reasonSentence(reason ?? undefined, urlOf(name))}\n`,
    ),
    ...waiting.map(
      (name) => `Not as its record says yet: ${name}. "partner show ${name}" says how it stands.\n`,
    ),
    `Partners with a webhook: ${partners.length}; as they should be: ${partners.length - failing.length - waiting.length}.\n`,
  ].join('');
};
