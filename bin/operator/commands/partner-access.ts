import type { Command } from 'commander';
import type { OAuthScope, Partner, PartnerChange } from '../../../functions/shared/domain/partner.ts';
import { readGrant } from '../arguments.ts';
import type { CommandContext, CommandResult, RunCommand } from '../context.ts';
import { partnerChangeText } from '../output/partner.ts';
import { exitCodeOf, mayStillArrive, standingText } from '../output/webhook.ts';
import { formatGrant } from '../partners/grant-text.ts';
import { findPartner, toPartnerView, withGrant, withoutGrant, withState } from '../partners/partners.ts';
import { standingView } from '../partners/webhook-view.ts';
import { valueOrUserError } from '../refusals.ts';
import type { RecordedCommand } from '../restore/by-hand.ts';
import { readOAuthScopes, warnOfUnknownGroups } from './partner-lifecycle.ts';
import { awaitEndpoint } from './webhook-wait.ts';

const grantForm = 'group=G[,franchise=F][,location=L]';
const dryRun = ['--dry-run', 'show the difference and change nothing'] as const;
type AccessOptions = { dryRun?: boolean };
type GrantOptions = AccessOptions & { grant: string };
type ScopeOptions = AccessOptions & { oauthScopes: string };

/** `partner grant`, `revoke-grant`, `set-oauth-scopes`, `disable`, `enable`: a partner's rights, effective at once. */
export const addPartnerChangeCommands = (partner: Command, run: RunCommand) => {
  addGrantCommands(partner, run);
  addScopeCommand(partner, run);
  addStateCommands(partner, run);
};

const addGrantCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('grant <name>')
    .description('Add a grant; it counts from the next request on')
    .requiredOption(`--grant <${grantForm}>`, 'transactions it may see')
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
    .description('Revoke a grant; it stops reads and unsent events immediately')
    .requiredOption(`--grant <${grantForm}>`, 'exactly as "partner show" lists it')
    .option(...dryRun)
    .addHelpText('after', '\nExample:\n  partner revoke-grant acme --grant group=G1,location=L7')
    .action(
      run(async (context, options: GrantOptions, name) => {
        const grant = readGrant(options.grant);
        const partner = valueOrUserError(await findPartner(name, context.deps), name);
        const change = valueOrUserError(withoutGrant(partner, grant), formatGrant(grant));
        return apply(context, { command: 'partner revoke-grant', change, ...options });
      }),
    );
};

const addScopeCommand = (partner: Command, run: RunCommand) => {
  partner
    .command('set-oauth-scopes <name>')
    .description('Set the OAuth scopes of a partner; a removed scope no longer counts, even in issued tokens')
    .requiredOption('--oauth-scopes <names>', 'all of them, separated by spaces')
    .option(...dryRun)
    .addHelpText(
      'after',
      '\nTo use an added scope, the partner requests a new token.\n\nExample, to let a partner manage its webhook and its secret:\n  partner set-oauth-scopes acme --oauth-scopes "nop2/read nop2/write nop2/webhook"',
    )
    .action(
      run(async (context, options: ScopeOptions, name) => {
        const oauthScopes = readOAuthScopes(options.oauthScopes);
        const before = valueOrUserError(await findPartner(name, context.deps), name);
        const change = { before, after: { ...before, oauthScopes } };
        return apply(context, { ...options, command: 'partner set-oauth-scopes', change, oauthScopes });
      }),
    );
};

const addStateCommands = (partner: Command, run: RunCommand) => {
  for (const [verb, enabled, about, more] of [
    [
      'disable',
      false,
      'Refuse all requests of a partner, end the retries of its events, and withhold what waits',
      '\n"partner enable" does not send what was withheld. Use "events resend".\n',
    ],
    ['enable', true, 'Enable a disabled partner', ''],
  ] as const) {
    partner
      .command(`${verb} <name>`)
      .description(about)
      .option(...dryRun)
      .addHelpText('after', `${more}\nExample:\n  partner ${verb} acme`)
      .action(
        run(async (context, options: AccessOptions, name) => {
          const found = valueOrUserError(await findPartner(name, context.deps), name);
          return apply(context, {
            command: `partner ${verb}`,
            change: withState(found, enabled),
            ...options,
          });
        }),
      );
  }
};

type AccessChange = AccessOptions & {
  command: RecordedCommand;
  change: PartnerChange;
  grant?: string;
  oauthScopes?: OAuthScope[];
};

/** Shows the difference, and makes the change unless it is a dry run (TH-22). */
const apply = async (
  context: CommandContext,
  { command, change, dryRun = false, grant, oauthScopes }: AccessChange,
): Promise<CommandResult> => {
  const { before, after } = change;
  const { name, clientId } = before;
  const json = {
    ...toPartnerView(after),
    before: {
      ...{ enabled: before.enabled, grants: before.grants },
      ...(oauthScopes && { oauthScopes: before.oauthScopes }),
    },
    dryRun,
  };
  const text = partnerChangeText(change, dryRun);
  if (dryRun) return { json, text };
  await context.record(command, {
    ...{ name, clientId },
    ...(grant !== undefined && { grant }),
    ...(oauthScopes && { oauthScopes }),
  });
  valueOrUserError(await context.deps.partners.update(change), `The partner "${name}"`);
  if (after.webhookUrl === undefined || oauthScopes) return { json, text };
  if (grant === undefined) return withStanding(context, after, { json, text });
  const more = command === 'partner revoke-grant' ? mayStillArrive(name) : '';
  return { json, text: `${text}${more}` };
};

/** Waits until keep-endpoints has removed the partner's resources at the bus, or made them. */
const withStanding = async (
  context: CommandContext,
  partner: Partner,
  { json, text }: { json: object; text: string },
): Promise<CommandResult> => {
  const standing = await awaitEndpoint(context, partner);
  return {
    json: { ...json, ...standingView(standing, context.deps) },
    text: `${text}${standingText(partner.name, standing)}`,
    exitCode: exitCodeOf([standing]),
  };
};
