import type { Command } from 'commander';
import type { PartnerChange } from '../../../functions/shared/domain/partner.ts';
import { readGrant } from '../arguments.ts';
import { type CommandContext, type RunCommand, webhookDepsOf } from '../context.ts';
import { partnerChangeText, recalledText } from '../output/partner.ts';
import { formatGrant } from '../partners/grant-text.ts';
import { findPartner, toPartnerView, withGrant, withoutGrant, withState } from '../partners/partners.ts';
import { type Recalled, recall } from '../partners/recall.ts';
import { attachEndpoint } from '../partners/webhooks.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';
import { warnOfUnknownGroups } from './partner-lifecycle.ts';

const grantForm = 'group=G[,franchise=F][,location=L]';
const dryRun = ['--dry-run', 'show the difference and change nothing'] as const;
const recallOption = [
  '--recall',
  'take back what the bus has accepted and not delivered; takes a minute or two',
] as const;

type AccessOptions = { dryRun?: boolean; recall?: boolean };
type GrantOptions = AccessOptions & { grant: string };

/** `partner grant`, `revoke-grant`, `disable`, `enable`: what a partner may see, effective at once. */
export const addPartnerChangeCommands = (partner: Command, run: RunCommand) => {
  addGrantCommands(partner, run);
  addStateCommands(partner, run);
};

const addGrantCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('grant <name>')
    .description('Let a partner see more of the estate, at once')
    .requiredOption(`--grant <${grantForm}>`, 'what it may see')
    .option(...dryRun)
    .addHelpText('after', '\nExample:\n  partner grant acme --grant group=G1,location=L7 --dry-run')
    .action(
      run(async (context, options: GrantOptions, name) => {
        const grant = readGrant(options.grant);
        const partner = valueOrUserError(await findPartner(name, context.deps), name);
        await warnOfUnknownGroups(context, [grant]);
        const change = valueOrUserError(withGrant(partner, grant), formatGrant(grant));
        return apply(context, { command: 'partner grant', change, ...options });
      }),
    );
  partner
    .command('revoke-grant <name>')
    .description('Take a grant away, at once for reads and for events not yet sent')
    .requiredOption(`--grant <${grantForm}>`, 'exactly as "partner show" lists it')
    .option(...dryRun)
    .option(...recallOption)
    .addHelpText('after', '\nExample:\n  partner revoke-grant acme --grant group=G1,location=L7 --recall')
    .action(
      run(async (context, options: GrantOptions, name) => {
        const grant = readGrant(options.grant);
        const partner = valueOrUserError(await findPartner(name, context.deps), name);
        const revoked = withoutGrant(partner, grant);
        // A grant that is gone already can still be recalled, so a recall that died can be run again.
        const change =
          options.recall && !revoked.ok
            ? { before: partner, after: partner }
            : valueOrUserError(revoked, formatGrant(grant));
        return apply(context, { command: 'partner revoke-grant', change, withdraws: true, ...options });
      }),
    );
};

const addStateCommands = (partner: Command, run: RunCommand) => {
  for (const [verb, enabled, about] of [
    ['disable', false, 'Refuse a partner from its next request on; "partner enable" takes it back'],
    ['enable', true, 'Let a disabled partner in again'],
  ] as const) {
    const command = partner
      .command(`${verb} <name>`)
      .description(about)
      .option(...dryRun);
    if (!enabled) {
      command.option(...recallOption).addHelpText('after', '\nExample:\n  partner disable acme --recall');
    }
    command.action(
      run(async (context, options: AccessOptions, name) => {
        const found = valueOrUserError(await findPartner(name, context.deps), name);
        const change = withState(found, enabled);
        return apply(context, { command: `partner ${verb}`, change, withdraws: !enabled, ...options });
      }),
    );
  }
};

type AccessChange = AccessOptions & {
  command: string;
  change: PartnerChange;
  grant?: string;
  /** Whether the bus may hold events that the partner must not receive any more. */
  withdraws?: boolean;
};

/** Shows the difference, and makes the change unless it is a dry run (TH-22). */
const apply = async (context: CommandContext, accessChange: AccessChange) => {
  const { command, change, dryRun = false, grant, withdraws = false } = accessChange;
  const { before, after } = change;
  const recalls = accessChange.recall === true;
  if (recalls && before.webhookUrl === undefined) throw noWebhook(before.name);
  const json = {
    ...toPartnerView(after),
    before: { enabled: before.enabled, grants: before.grants },
    dryRun,
  };
  const text = partnerChangeText(change, dryRun);
  if (dryRun) return { json, text };
  await context.record(command, {
    name: before.name,
    clientId: before.clientId,
    ...(grant !== undefined && { grant }),
    ...(recalls && { recall: true }),
  });
  if (after.enabled && !before.enabled) await attachEndpoint(after, webhookDepsOf(context));
  valueOrUserError(await context.deps.partners.update(change), `The partner "${before.name}"`);
  const recalled = recalls ? await recallFrom(context, change) : undefined;
  const more = withdraws && before.webhookUrl !== undefined ? recalledText(recalled, after) : '';
  return { json: { ...json, ...(recalled && { recall: recalled }) }, text: `${text}${more}` };
};

const noWebhook = (name: string) =>
  new UserError(`The partner "${name}" has no webhook: there is nothing to recall.`);

const recallFrom = async (context: CommandContext, { after }: PartnerChange): Promise<Recalled> =>
  valueOrUserError(await recall(after, webhookDepsOf(context)), `The partner "${after.name}"`);
