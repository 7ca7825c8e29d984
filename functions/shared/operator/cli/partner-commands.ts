import type { Command } from 'commander';
import { type OAuthScope, oauthScopeNames, type PartnerChange } from '../../domain/partner.ts';
import { formatGrant, parseGrant } from '../grant-text.ts';
import { OperatorRefusal } from '../operator-refusal.ts';
import {
  createPartner,
  findPartner,
  inspectPartner,
  rotateSecret,
  toPartnerView,
  withGrant,
  withoutGrant,
  withState,
} from '../partners.ts';
import { readName, readWebhookUrl } from './arguments.ts';
import { issuedPartnerText, partnerChangeText, partnerListText, partnerText } from './partner-text.ts';
import { valueOrRefusal } from './sentences.ts';
import type { RunCommand, Session } from './session.ts';

type CreateOptions = {
  name: string;
  grant?: string[];
  oauthScopes: string;
  webhookUrl?: string;
  showPaymentTokens?: boolean;
};

const collect = (value: string, former: string[] = []) => [...former, value];

const grantForm = 'group=G[,franchise=F][,location=L]';

/** `partner …`: who may read what, and with which credentials (RUN-4, RUN-5). */
export const addPartnerCommands = (program: Command, run: RunCommand) => {
  const partner = program.command('partner').description('V2 partners: credentials, grants and state');
  addLifeCommands(partner, run);
  addGrantCommands(partner, run);
  addStateCommands(partner, run);
};

const addLifeCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('create')
    .description('Register a partner; its secrets are shown once, in this answer')
    .requiredOption('--name <name>', 'unique name')
    .option(`--grant <${grantForm}>`, 'what it may see; repeat it for more', collect)
    .option('--oauth-scopes <names>', 'separated by spaces', oauthScopeNames.join(' '))
    .option('--webhook-url <url>', 'where its events go')
    .option('--show-payment-tokens', 'show it the card processor tokens of payments')
    .addHelpText(
      'after',
      `
Examples:
  partner create --name acme --grant group=G1
  partner create --name acme --grant group=G1,franchise=F1 --grant group=G2,location=L7 --oauth-scopes nop2/read`,
    )
    .action(run((session, options: CreateOptions) => create(session, options)));
  partner
    .command('list')
    .description('All partners')
    .action(
      run(async ({ deps }) => {
        const partners = (await deps.partners.all()).map(toPartnerView);
        return { json: partners, text: partnerListText(partners) };
      }),
    );
  partner
    .command('show <name>')
    .description('One partner, by name or client id: grants, age of its secrets, storefronts it sees')
    .action(
      run(async ({ deps }, _options, name) => {
        const view = await inspectPartner(valueOrRefusal(await findPartner(name, deps), name), deps);
        return { json: view, text: partnerText(view) };
      }),
    );
  partner
    .command('delete <name>')
    .description('Remove a partner and its credentials for good')
    .addHelpText(
      'after',
      '\nIts tokens are refused from the next request on. To stop it for a while use "partner disable".',
    )
    .action(run((session, _options, name) => remove(session, name)));
};

const create = async (session: Session, options: CreateOptions) => {
  const wanted = {
    name: readName(options.name),
    grants: (options.grant ?? []).map(readGrant),
    oauthScopes: readOAuthScopes(options.oauthScopes),
    showsPaymentTokens: options.showPaymentTokens === true,
    ...(options.webhookUrl !== undefined && { webhookUrl: readWebhookUrl(options.webhookUrl) }),
  };
  await warnOfUnknownGroups(session, wanted.grants);
  await session.record('partner create', wanted);
  const issued = valueOrRefusal(await createPartner(wanted, session.deps), wanted.name);
  return { json: issued, text: issuedPartnerText(issued) };
};

const readGrant = (text: string) => valueOrRefusal(parseGrant(text), text);

const readOAuthScopes = (text: string): OAuthScope[] => {
  const names = text.split(' ').filter((name) => name !== '');
  const unknown = names.find((name) => !oauthScopeNames.some((known) => known === name));
  if (unknown === undefined && names.length > 0)
    return oauthScopeNames.filter((known) => names.includes(known));
  throw new OperatorRefusal(`OAuth scopes are ${oauthScopeNames.join(' and ')}, separated by a space.`);
};

/** A mistyped group sees nothing, silently: say so (TH-22). */
const warnOfUnknownGroups = async ({ deps, terminal }: Session, grants: { group: string }[]) => {
  for (const { group } of grants) {
    if ((await deps.estate.ofGroup(group)).length > 0) continue;
    terminal.note(`Note: no storefront is registered for group ${group} yet.\n`);
  }
};

const remove = async (session: Session, name: string) => {
  const partner = valueOrRefusal(await findPartner(name, session.deps), name);
  await session.confirm(
    `This removes the partner "${partner.name}" and its credentials for good.`,
    partner.name,
  );
  await session.record('partner delete', { name: partner.name, clientId: partner.clientId });
  valueOrRefusal(await session.deps.partners.remove(partner.clientId), partner.name);
  return {
    json: { name: partner.name, clientId: partner.clientId, deleted: true },
    text: `The partner "${partner.name}" is removed.\n`,
  };
};

const addGrantCommands = (partner: Command, run: RunCommand) => {
  partner
    .command('grant <name>')
    .description('Let a partner see more of the estate, at once')
    .requiredOption(`--grant <${grantForm}>`, 'what it may see')
    .option('--dry-run', 'show the difference and change nothing')
    .addHelpText('after', '\nExample:\n  partner grant acme --grant group=G1,location=L7 --dry-run')
    .action(
      run(async (session, options: { grant: string; dryRun?: boolean }, name) => {
        const grant = readGrant(options.grant);
        const partner = valueOrRefusal(await findPartner(name, session.deps), name);
        await warnOfUnknownGroups(session, [grant]);
        const change = valueOrRefusal(withGrant(partner, grant), formatGrant(grant));
        return apply(session, { command: 'partner grant', change, ...options });
      }),
    );
  partner
    .command('revoke-grant <name>')
    .description('Take a grant away, at once for reads and for events not yet sent')
    .requiredOption(`--grant <${grantForm}>`, 'exactly as "partner show" lists it')
    .option('--dry-run', 'show the difference and change nothing')
    .action(
      run(async (session, options: { grant: string; dryRun?: boolean }, name) => {
        const grant = readGrant(options.grant);
        const partner = valueOrRefusal(await findPartner(name, session.deps), name);
        const change = valueOrRefusal(withoutGrant(partner, grant), formatGrant(grant));
        return apply(session, { command: 'partner revoke-grant', change, ...options });
      }),
    );
};

const addStateCommands = (partner: Command, run: RunCommand) => {
  for (const [verb, enabled, about] of [
    ['disable', false, 'Refuse a partner from its next request on; "partner enable" takes it back'],
    ['enable', true, 'Let a disabled partner in again'],
  ] as const) {
    partner
      .command(`${verb} <name>`)
      .description(about)
      .option('--dry-run', 'show the difference and change nothing')
      .action(
        run(async (session, options: { dryRun?: boolean }, name) => {
          const found = valueOrRefusal(await findPartner(name, session.deps), name);
          return apply(session, {
            command: `partner ${verb}`,
            change: withState(found, enabled),
            ...options,
          });
        }),
      );
  }
  partner
    .command('rotate-secret <name>')
    .description('Issue a new client secret, shown once; the former one goes on working for the overlap')
    .option('--overlap-hours <hours>', 'how long the former secret still works; 0 ends it now', '168')
    .addHelpText(
      'after',
      '\nTwo secrets work at most: rotating again ends the oldest.\n\nAfter a leak:\n  partner rotate-secret acme --overlap-hours 0',
    )
    .action(run((session, options: { overlapHours: string }, name) => rotate(session, options, name)));
};

/** Shows the difference, and makes it unless it is a dry run (TH-22). */
const apply = async (
  session: Session,
  {
    command,
    change,
    dryRun = false,
    grant,
  }: { command: string; change: PartnerChange; dryRun?: boolean; grant?: string },
) => {
  const { before, after } = change;
  const json = {
    ...toPartnerView(after),
    before: { enabled: before.enabled, grants: before.grants },
    dryRun,
  };
  const text = partnerChangeText(change, dryRun);
  if (dryRun) return { json, text };
  await session.record(command, {
    name: before.name,
    clientId: before.clientId,
    ...(grant !== undefined && { grant }),
  });
  valueOrRefusal(await session.deps.partners.update(change), `The partner "${before.name}"`);
  return { json, text };
};

const rotate = async (session: Session, { overlapHours }: { overlapHours: string }, name: string) => {
  const hours = Number(overlapHours);
  if (!(hours >= 0 && hours <= 8760))
    throw new OperatorRefusal('--overlap-hours is a number from 0 to 8760.');
  const partner = valueOrRefusal(await findPartner(name, session.deps), name);
  if (hours === 0) await session.confirm(`This ends every secret of "${partner.name}" now.`, partner.name);
  await session.record('partner rotate-secret', {
    name: partner.name,
    clientId: partner.clientId,
    overlapHours: hours,
  });
  const issued = valueOrRefusal(await rotateSecret(partner, hours * 3_600_000, session.deps), partner.name);
  return { json: issued, text: issuedPartnerText(issued) };
};
