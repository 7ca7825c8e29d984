import type { Command } from 'commander';
import {
  defaultOAuthScopes,
  type OAuthScope,
  oauthScopeNames,
} from '../../../functions/shared/domain/partner.ts';
import { withoutWebhook } from '../../../functions/shared/domain/webhook-changes.ts';
import { collect, readGrant, readName, readWebhookUrl } from '../arguments.ts';
import { byOperator, type CommandContext, type CommandResult, type RunCommand } from '../context.ts';
import { issuedPartnerText } from '../output/partner.ts';
import { exitCodeOf, standingText } from '../output/webhook.ts';
import { checkText } from '../output/webhook-check.ts';
import { createPartner, findPartner, type IssuedPartner } from '../partners/partners.ts';
import { standingView } from '../partners/webhook-view.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';
import { addressMs, awaitEndpointSafely, messageTo, removeEndpoint } from './webhook-wait.ts';

type CreatePartnerOptions = {
  name: string;
  grant?: string[];
  oauthScopes: string;
  webhookUrl?: string;
  showPaymentTokens?: boolean;
  wait: boolean;
};

/** `partner create` and `partner delete`. */
export const addPartnerLifeCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('create')
    .description('Create a partner and show its secrets, only once')
    .requiredOption('--name <name>', 'unique name')
    .option(
      '--grant <group=G[,franchise=F][,location=L]>',
      'transactions it may see; repeat the option for more',
      collect,
    )
    .option(
      '--oauth-scopes <names>',
      'separated by spaces; "" issues no tokens; nop2/webhook lets the partner manage its webhook and its secret',
      defaultOAuthScopes.join(' '),
    )
    .option('--webhook-url <url>', 'address for its events: https, must answer within 5 s')
    .option('--no-wait', 'do not wait until its webhook is on')
    .option('--show-payment-tokens', 'include card processor tokens in payments')
    .addHelpText(
      'after',
      `
Examples:
  partner create --name acme --grant group=G1
  partner create --name acme --grant group=G1,franchise=F1 --grant group=G2,location=L7 --oauth-scopes nop2/read
  partner create --name acme --grant group=G1 --webhook-url https://hooks.acme.example/transactions

With --webhook-url, the command waits up to 60 s until the webhook is on. A receiver that does not know the signature yet fails
the check. In that case create the partner without an address, give it its signature, then use "partner set-webhook".`,
    )
    .action(run((context, options: CreatePartnerOptions) => create(context, options)));
  partner
    .command('delete <name>')
    .description('Delete a partner, its webhook and its credentials permanently')
    .addHelpText(
      'after',
      '\nIts tokens are refused from the next request on, and EventBridge stops its retries. To stop a partner temporarily, use "partner disable".\n\nExample:\n  partner delete acme',
    )
    .action(run((context, _options, name) => remove(context, name)));
};

const create = async (context: CommandContext, options: CreatePartnerOptions) => {
  const newPartner = {
    name: readName(options.name),
    grants: (options.grant ?? []).map(readGrant),
    oauthScopes: readOAuthScopes(options.oauthScopes),
    showsPaymentTokens: options.showPaymentTokens === true,
  };
  const url =
    options.webhookUrl === undefined
      ? undefined
      : readWebhookUrl(options.webhookUrl, context.deps.endpointRules).href;
  const withUrl = { ...newPartner, ...(url !== undefined && { webhookUrl: url }) };
  await warnOfUnknownGroups(context, newPartner.grants);
  await context.record('partner create', withUrl);
  const issued = valueOrUserError(
    await createPartner(withUrl, { madeBy: context.who }, context.deps),
    newPartner.name,
  );
  return url === undefined
    ? { json: issued, text: issuedPartnerText(issued) }
    : withWebhookOf(context, issued, { url, wait: options.wait });
};

/** No fault from here on may hide the secrets: they cannot be shown again. */
const withWebhookOf = async (
  context: CommandContext,
  issued: IssuedPartner,
  { url, wait }: { url: string; wait: boolean },
): Promise<CommandResult> => {
  const { name } = issued;
  const text = issuedPartnerText(issued);
  const verifying = { json: { ...issued, webhook: 'verifying' }, text };
  if (!wait) {
    // The schedule of keep-endpoints replaces a lost message.
    await context.deps.endpointRequests.send([messageTo(issued.clientId, undefined)]).catch(() => {});
    context.terminal.note(`Its webhook is verifying: "partner show ${name}" shows its state.\n`);
    return verifying;
  }
  const standing = await awaitEndpointSafely(context, issued, { mostMs: addressMs, checked: url });
  if (!standing) return { ...verifying, exitCode: 1 };
  context.terminal.note(
    `${standing.check ? checkText(standing.check) : ''}${standingText(name, standing)}${standing.step === 'failing' ? againText(name, url) : ''}`,
  );
  return {
    json: { ...issued, ...standingView(standing, context.deps) },
    text,
    exitCode: exitCodeOf([standing]),
  };
};

const againText = (name: string, url: string) =>
  `When it accepts the signature above, run "partner set-webhook ${name} --url ${url}" again.\n`;

/** Reads OAuth scopes, in the order of `oauthScopeNames`. */
export const readOAuthScopes = (text: string): OAuthScope[] => {
  const names = text.split(' ').filter((name) => name !== '');
  const unknown = names.find((name) => !oauthScopeNames.some((known) => known === name));
  if (unknown === undefined) return oauthScopeNames.filter((known) => names.includes(known));
  throw new UserError(
    `OAuth scopes are ${oauthScopeNames.join(', ')}, separated by a space; "" issues no tokens.`,
  );
};

/** Warns of a group without storefronts: a mistyped one would silently show the partner nothing (TH-22). */
export const warnOfUnknownGroups = async (
  { deps, terminal }: CommandContext,
  grants: { group: string }[],
) => {
  for (const { group } of grants) {
    if ((await deps.storefronts.ofGroup(group)).length > 0) continue;
    terminal.note(`Note: no storefront is registered for group ${group} yet.\n`);
  }
};

/** Removes the record last: until then the partner is disabled, and a command that died can be repeated. */
const remove = async (context: CommandContext, name: string) => {
  const { deps } = context;
  const partner = valueOrUserError(await findPartner(name, deps), name);
  const { clientId, name: called } = partner;
  await context.confirm(`This removes the partner "${called}" and its credentials permanently.`, called);
  await context.record('partner delete', { name: called, clientId });
  const after = { ...withoutWebhook(partner, byOperator(context)), enabled: false };
  valueOrUserError(await deps.partners.update({ before: partner, after }), `The partner "${called}"`);
  await removeEndpoint(context, after);
  valueOrUserError(await deps.partners.remove(clientId), called);
  // An invocation that had read the record may have made resources since. The schedule replaces a lost message.
  await deps.endpointRequests.send([messageTo(clientId, undefined)]).catch(() => {});
  return {
    json: { name: called, clientId, deleted: true },
    text: `The partner "${called}" is removed.\n`,
  };
};
