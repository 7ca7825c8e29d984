import type { Command } from 'commander';
import type { PartnerRecord } from '../types.ts';
import { clientOf } from './api.ts';
import type { CommandContext, CommandResult, RunCommand } from './context.ts';
import { ageText, columns, reasonText, timeText } from './terminal.ts';

/** `whoami`: what the service knows of the partner. */
export const addWhoamiCommand = (program: Command, run: RunCommand): void => {
  program
    .command('whoami')
    .description('Show your grants, secrets, webhook and limits.')
    .addHelpText('after', examples)
    .action(run(whoami));
};

const examples = `
Examples:
  transactions-partner whoami
  transactions-partner whoami --local --partner fleet-finance
  transactions-partner whoami --json`;

const whoami = async (context: CommandContext): Promise<CommandResult> => {
  const { data } = await clientOf(context).partner.retrieve();
  return { text: columns(factsOf(data)), json: data };
};

const factsOf = ({ name, oauthScopes, grants, secrets, webhook, limits }: PartnerRecord): string[][] => [
  ['name', name],
  ['scopes', oauthScopes.join(' ') || 'none'],
  ...rowsOf('sees', grants.map(grantText), 'nothing'),
  ...rowsOf('secret', secrets.map(secretText), 'none'),
  ['webhook', webhookText(webhook)],
  ...(webhook.lastFailure ? [['last failure', failureText(webhook.lastFailure)]] : []),
  ['signature', signatureText(webhook)],
  ...rowsOf('limits', limitTexts(limits)),
];

const rowsOf = (name: string, values: readonly string[], none = ''): string[][] =>
  (values.length === 0 ? [none] : values).map((value, index) => [index === 0 ? name : '', value]);

const listed = (parts: readonly (string | false | null)[]): string => parts.filter(Boolean).join(', ');

const grantText = ({ branches, branchCount, ...dimensions }: PartnerRecord['grants'][number]): string => {
  const narrowed = Object.entries(dimensions).map(([name, value]) => `${name} ${value}`);
  const more = branchCount - branches.length;
  const named = [...branches, more > 0 && `${more} more`];
  return `${listed(narrowed)}: ${branchCount === 0 ? 'no branch yet' : listed(named)}`;
};

const secretText = ({ id, ageDays, lastUsedOn, expiresAt }: PartnerRecord['secrets'][number]): string =>
  listed([
    ...[id, ageText(ageDays), lastUsedOn === null ? 'never used' : `last used on ${lastUsedOn}`],
    expiresAt !== null && `ends at ${timeText(expiresAt)}`,
  ]);

type OwnWebhook = PartnerRecord['webhook'];

const webhookText = ({ state, reason, pausedBy, host, since, lastChange }: OwnWebhook): string =>
  listed([
    ...[
      state,
      reason && reasonText(reason),
      pausedBy && `by ${pausedBy}`,
      host && `at ${host}`,
      since && `since ${timeText(since)}`,
    ],
    lastChange && `changed by ${lastChange.by} at ${timeText(lastChange.at)}`,
  ]);

const failureText = ({ event, at, reason }: NonNullable<OwnWebhook['lastFailure']>): string =>
  `event ${event} at ${timeText(at)}: ${reasonText(reason)}`;

const signatureText = ({ signature, nextSignature }: OwnWebhook): string =>
  listed([ageText(signature.ageDays), nextSignature && `the next one ${ageText(nextSignature.ageDays)}`]);

const limitTexts = ({ perPage, queryParameters, requests }: PartnerRecord['limits']): string[] => [
  ...requests.map(
    ({ name, quota, windowSeconds }) => `${quotaNames[name] ?? name}: ${quota} in ${windowSeconds} s`,
  ),
  `a page of a list: ${perPage.default} records, at most ${perPage.maximum}`,
  `a query: at most ${queryParameters.maximum} parameters`,
];

/** Others are shown by their name in `RateLimit`. */
const quotaNames: Readonly<Record<string, string>> = {
  partner: 'all requests',
  replay: 'replays',
  'webhook-test': 'tests of the webhook',
  'self-service': 'changes of the webhook and the secret',
};
