import type { Command } from 'commander';
import { type OAuthScope, oauthScopeNames } from '../../../functions/shared/domain/partner.ts';
import type { EndpointQuota } from '../../../functions/shared/outbound/endpoint/quota.ts';
import type { Reached } from '../../../functions/shared/outbound/probe/probe.ts';
import { collect, readGrant, readName, readWebhookUrl } from '../arguments.ts';
import { type CommandContext, type RunCommand, webhookDepsOf } from '../context.ts';
import { issuedPartnerText } from '../output/partner.ts';
import { faultSentence, wrongSignatureSentence } from '../output/webhook.ts';
import { createPartner, findPartner, type IssuedPartner } from '../partners/partners.ts';
import { removeWebhook, setWebhook } from '../partners/webhooks.ts';
import { quotaSentence, valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';

type CreatePartnerOptions = {
  name: string;
  grant?: string[];
  oauthScopes: string;
  webhookUrl?: string;
  showPaymentTokens?: boolean;
};

/** `partner create` and `partner delete`. */
export const addPartnerLifeCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('create')
    .description('Register a partner; its secrets are shown once, in this answer')
    .requiredOption('--name <name>', 'unique name')
    .option('--grant <group=G[,franchise=F][,location=L]>', 'what it may see; repeat it for more', collect)
    .option(
      '--oauth-scopes <names>',
      'separated by spaces; "" for a partner that gets no token',
      oauthScopeNames.join(' '),
    )
    .option('--webhook-url <url>', 'where its events go: https, and answering within 5 s')
    .option('--show-payment-tokens', 'show it the card processor tokens of payments')
    .addHelpText(
      'after',
      `
Examples:
  partner create --name acme --grant group=G1
  partner create --name acme --grant group=G1,franchise=F1 --grant group=G2,location=L7 --oauth-scopes nop2/read
  partner create --name acme --grant group=G1 --webhook-url https://hooks.acme.example/transactions`,
    )
    .action(run((context, options: CreatePartnerOptions) => create(context, options)));
  partner
    .command('delete <name>')
    .description('Remove a partner, its webhook and its credentials for good')
    .addHelpText(
      'after',
      '\nIts tokens are refused from the next request on, and the bus gives up what it still tries to deliver. To stop it for a while use "partner disable".',
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
  const webhook = await reachWebhook(options.webhookUrl, context);
  await warnOfUnknownGroups(context, newPartner.grants);
  await context.record('partner create', { ...newPartner, ...(webhook && { webhookUrl: webhook.url }) });
  const issued = valueOrUserError(
    await createPartner(newPartner, { madeBy: context.who }, context.deps),
    newPartner.name,
  );
  const isWhole = !webhook || (await addWebhook(issued, webhook, context));
  return { json: issued, text: issuedPartnerText(issued), exitCode: isWhole ? 0 : 1 };
};

const readOAuthScopes = (text: string): OAuthScope[] => {
  const names = text.split(' ').filter((name) => name !== '');
  const unknown = names.find((name) => !oauthScopeNames.some((known) => known === name));
  if (unknown === undefined) return oauthScopeNames.filter((known) => names.includes(known));
  throw new UserError(
    `OAuth scopes are ${oauthScopeNames.join(' and ')}, separated by a space; "" is none: it gets no token.`,
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

type ReachedWebhook = { url: string; reached: Reached };

/** Checks that the endpoint answers at all; the partner cannot know its signature yet. */
const reachWebhook = async (
  text: string | undefined,
  { deps }: CommandContext,
): Promise<ReachedWebhook | undefined> => {
  if (text === undefined) return undefined;
  const url = readWebhookUrl(text, deps.endpointRules);
  const reached = await deps.probe.reach(url);
  if (!reached.ok) throw new UserError(faultSentence(reached.reason, url.href));
  return { url: url.href, reached: reached.value };
};

/**
 * A failure only prints a note: the secrets must still be shown, as they cannot be shown later. But where the account may have
 * no more webhooks the partner is taken back, since nobody knows its secrets yet (EV-22).
 */
const addWebhook = async (
  issued: IssuedPartner,
  { url, reached }: ReachedWebhook,
  context: CommandContext,
): Promise<boolean> => {
  const { terminal, deps } = context;
  const { quota, fault } = await trySetting(issued, url, context);
  if (quota) {
    await deps.partners.remove(issued.clientId);
    throw new UserError(`The partner "${issued.name}" is not made. ${quotaSentence(quota)}`);
  }
  if (fault) {
    terminal.note(
      `The partner is made, but not its webhook (${fault.message}): "partner set-webhook" makes it.\n`,
    );
    return false;
  }
  terminal.note(
    `The webhook answers. ${wrongSignatureSentence(reached)}\nOnce the partner knows its signature: "partner check-webhook ${issued.name}".\n`,
  );
  return true;
};

const trySetting = async (
  { clientId, name }: IssuedPartner,
  url: string,
  context: CommandContext,
): Promise<{ quota?: EndpointQuota; fault?: Error }> => {
  try {
    const partner = valueOrUserError(await findPartner(clientId, context.deps), name);
    const set = await setWebhook(partner, url, webhookDepsOf(context));
    if (!set.ok && set.reason !== 'changed-meanwhile') return { quota: set.reason };
    valueOrUserError(set, `The partner "${name}"`);
    return {};
  } catch (error) {
    return { fault: error as Error };
  }
};

/** The endpoint goes first and the record last, so that a run that died in between can be repeated. */
const remove = async (context: CommandContext, name: string) => {
  const { deps } = context;
  const partner = valueOrUserError(await findPartner(name, deps), name);
  await context.confirm(
    `This removes the partner "${partner.name}" and its credentials for good.`,
    partner.name,
  );
  await context.record('partner delete', { name: partner.name, clientId: partner.clientId });
  const without = await removeWebhook(partner, webhookDepsOf(context));
  if (!without.ok && without.reason !== 'no-webhook')
    valueOrUserError(without, `The partner "${partner.name}"`);
  valueOrUserError(await deps.partners.remove(partner.clientId), partner.name);
  return {
    json: { name: partner.name, clientId: partner.clientId, deleted: true },
    text: `The partner "${partner.name}" is removed.\n`,
  };
};
