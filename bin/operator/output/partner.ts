import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { Partner, PartnerChange } from '../../../functions/shared/domain/partner.ts';
import { formatGrant, isSameGrant } from '../partners/grant-text.ts';
import type { inspectPartner, listPartners } from '../partners/partners.ts';
import { factsOf, tableOf } from './table.ts';
import { reasonSentence } from './webhook.ts';

type IssuedSecrets = {
  name: string;
  clientId: string;
  clientSecret: string;
  webhookSignature?: string;
  grants?: Grant[];
};

/** New credentials, which are shown once. */
export const issuedPartnerText = ({
  name,
  clientId,
  clientSecret,
  webhookSignature,
  grants,
}: IssuedSecrets) =>
  `${factsOf([
    ['name', name],
    ['client id', clientId],
    ['client secret', clientSecret],
    ...(webhookSignature === undefined
      ? []
      : ([['webhook signature', webhookSignature]] as [string, string][])),
    ...(grants === undefined ? [] : ([['grants', grantsText(grants)]] as [string, string][])),
  ])}\nThis is the only time that secrets are shown: hand them over now.\n`;

/** The table of `partner list`. */
export const partnerListText = (partners: Awaited<ReturnType<typeof listPartners>>) =>
  partners.length === 0
    ? 'There is no partner yet: "partner create --help" shows how to create one.\n'
    : tableOf(
        ['name', 'client id', 'state', 'webhook', 'grants'],
        partners.map(({ name, clientId, enabled, grants, webhookUrl, webhook }) => [
          name,
          clientId,
          stateText(enabled),
          webhookUrl === null ? 'none' : webhook,
          grantsText(grants),
        ]),
      );

/** The facts of `partner show`. */
export const partnerText = (partner: Awaited<ReturnType<typeof inspectPartner>>) =>
  factsOf([
    ['name', partner.name],
    ['client id', partner.clientId],
    ['state', stateText(partner.enabled)],
    ['OAuth scopes', partner.oauthScopes.join(' ') || 'none: no tokens are issued'],
    ['grants', grantsText(partner.grants)],
    ['sees', partner.sees.join('\n') || 'nothing'],
    ['payment tokens', partner.showsPaymentTokens ? 'shown' : 'hidden'],
    ['webhook', webhookText(partner)],
    ['secrets', partner.secrets.map(secretText).join('\n')],
    ['created', partner.createdAt],
  ]);

const webhookText = ({
  webhookUrl,
  webhookPausedBy,
  webhookSignature: { createdAt, nextCreatedAt },
  ...status
}: Awaited<ReturnType<typeof inspectPartner>>) =>
  [
    webhookUrl ?? 'none',
    `${status.webhook}${status.webhookSince === null ? '' : ` since ${status.webhookSince}`}${webhookPausedBy === null ? '' : `, paused by the ${webhookPausedBy}`}`,
    ...(status.webhookReason === null
      ? []
      : [`! ${reasonSentence(status.webhookReason, webhookUrl ?? undefined)}`]),
    ...(isOtherServed(webhookUrl, status) ? [`served: ${status.webhookServedUrl}`] : []),
    `signature of ${createdAt}${nextCreatedAt === null ? '' : `, next announced at ${nextCreatedAt}`}`,
  ].join('\n');

const isOtherServed = (
  webhookUrl: string | null,
  { webhookServedUrl }: { webhookServedUrl: string | null },
) => webhookServedUrl !== null && webhookServedUrl !== webhookUrl;

const secretText = ({ id, active, madeBy, createdAt, lastUsedOn, expiresAt }: PartnerSecret) =>
  `${id} of ${createdAt} by ${madeBy}, ${lastUsedOn === null ? 'never used' : `last used on ${lastUsedOn}`}, ${stateOf(active, expiresAt)}`;

type PartnerSecret = Awaited<ReturnType<typeof inspectPartner>>['secrets'][number];

const stateOf = (isActive: boolean, expiresAt: string | null) => {
  if (!isActive) return `ended ${expiresAt}`;
  return expiresAt === null ? 'active' : `active until ${expiresAt}`;
};

const grantsText = (grants: Grant[]) => grants.map(formatGrant).join('\n') || 'none: it sees nothing';

const stateText = (enabled: boolean) => (enabled ? 'enabled' : 'disabled');

/** The difference between two records, a line for each change: `-` before, `+` after. */
export const partnerChangeText = ({ before, after }: PartnerChange, dryRun: boolean) => {
  const gone = before.grants.filter((grant) => !after.grants.some((kept) => isSameGrant(kept, grant)));
  const fresh = after.grants.filter((grant) => !before.grants.some((held) => isSameGrant(held, grant)));
  const lines = [
    ...gone.map((grant) => `  - ${formatGrant(grant)}`),
    ...fresh.map((grant) => `  + ${formatGrant(grant)}`),
    ...scopeLines(before, after),
    ...(before.enabled === after.enabled
      ? []
      : [`  - ${stateText(before.enabled)}`, `  + ${stateText(after.enabled)}`]),
  ];
  const difference =
    lines.length > 0 ? `${lines.join('\n')}\n` : `  it is ${stateText(after.enabled)} already\n`;
  return `Partner "${before.name}":\n${difference}${dryRun ? 'Nothing was changed (--dry-run).\n' : 'Done.\n'}`;
};

const scopeLines = (before: Partner, after: Partner): string[] => [
  ...before.oauthScopes.filter((scope) => !after.oauthScopes.includes(scope)).map((scope) => `  - ${scope}`),
  ...after.oauthScopes.filter((scope) => !before.oauthScopes.includes(scope)).map((scope) => `  + ${scope}`),
];

/** A next webhook signature and its partner. */
export type AnnouncedSignature = { name: string; clientId: string; nextWebhookSignature: string };

/** A next webhook signature, which is shown once. */
export const announcedText = ({ name, clientId, nextWebhookSignature }: AnnouncedSignature) =>
  `${factsOf([
    ['name', name],
    ['client id', clientId],
    ['next webhook signature', nextWebhookSignature],
  ])}
This is the only time that it is shown: hand it over now. No message carries it yet. When the partner has configured
its receiver to accept both values, run "partner rotate-signature --finish".
`;
