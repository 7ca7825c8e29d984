import {
  makeClientId,
  makeClientSecret,
  makeWebhookSignature,
  rotateSecrets,
  toStoredSecret,
} from '../../../functions/shared/auth/client-secret.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import { covers, type Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import {
  isActive,
  type OAuthScope,
  type Partner,
  type PartnerChange,
  type SecretFacts,
  type SecretUses,
  type StoredSecret,
} from '../../../functions/shared/domain/partner.ts';
import { withWebhook } from '../../../functions/shared/domain/webhook-changes.ts';
import { randomText } from '../../../functions/shared/runtime/random-text.ts';
import type { OperatorDeps } from '../deps.ts';
import { endOfTokens } from '../service-clock.ts';
import { isSameGrant } from './grant-text.ts';
import { statusView } from './webhook-view.ts';

/** The operator's input for a new partner. */
export type NewPartner = {
  name: string;
  grants: Grant[];
  oauthScopes: OAuthScope[];
  showsPaymentTokens: boolean;
  webhookUrl?: string;
};

/** The operator who makes a secret (S-20). */
type Maker = { madeBy: string };

/** A partner with its secrets, which are returned once and stored nowhere in clear (S-18). */
export type IssuedPartner = {
  name: string;
  clientId: string;
  clientSecret: string;
  webhookSignature: string;
  grants: Grant[];
};

/** Creates a partner (RUN-5). `keep-endpoints` makes its endpoint. */
export const createPartner = async (
  { name, webhookUrl, ...newPartner }: NewPartner,
  maker: Maker,
  deps: OperatorDeps,
): Promise<Outcome<IssuedPartner, 'name-taken'>> => {
  const clientId = makeClientId(deps.random);
  const { clientSecret, stored } = await issueSecret(maker, deps);
  const webhookSignature = makeWebhookSignature(deps.random);
  const atMs = deps.now().getTime();
  const bare = { clientId, name, enabled: true, ...newPartner, createdAtMs: atMs };
  const partner =
    webhookUrl === undefined ? bare : withWebhook(bare, { url: webhookUrl }, { by: 'operator', atMs });
  const created = await deps.partners.create({ partner, secrets: [stored] }, webhookSignature);
  if (!created.ok) return created;
  return succeed({ name, clientId, clientSecret, webhookSignature, grants: newPartner.grants });
};

const issueSecret = async ({ madeBy }: Maker, deps: OperatorDeps) => {
  const clientSecret = makeClientSecret(deps.random);
  const about = {
    madeBy,
    id: randomText(deps.random, 8),
    peppers: await deps.readPeppers(),
    nowMs: deps.now().getTime(),
  };
  return { clientSecret, stored: toStoredSecret(clientSecret, about) };
};

/** Finds a partner by its name, else by its client id. */
export const findPartner = async (
  nameOrId: string,
  { partners }: OperatorDeps,
): Promise<Outcome<Partner, 'no-partner'>> => {
  const partner = (await partners.byName(nameOrId)) ?? (await partners.byClientId(nameOrId));
  return partner ? succeed(partner) : refuse('no-partner');
};

/** The address of the partner's webhook. */
export const webhookUrlOf = ({ webhookUrl }: Partner): Outcome<string, 'no-webhook'> =>
  webhookUrl === undefined ? refuse('no-webhook') : succeed(webhookUrl);

/** A partner in the tool's output, without secrets and their hashes. */
export const toPartnerView = (partner: Partner) => ({
  name: partner.name,
  clientId: partner.clientId,
  enabled: partner.enabled,
  oauthScopes: partner.oauthScopes,
  grants: partner.grants,
  showsPaymentTokens: partner.showsPaymentTokens,
  webhookUrl: partner.webhookUrl ?? null,
  webhookPausedBy: partner.webhookPaused ?? null,
  createdAt: isoTime(partner.createdAtMs),
});

/** Every partner, with the state of its webhook. */
export const listPartners = async ({ partners, webhookSwitch, now }: OperatorDeps) => {
  const [all, stopped] = await Promise.all([partners.allWithStatus(), webhookSwitch.read()]);
  const asked = { isStopped: stopped !== undefined, nowMs: now().getTime() };
  return all.map(({ partner, endpoint: status }) => ({
    ...toPartnerView(partner),
    ...statusView(partner, { ...asked, status }),
  }));
};

/** A partner with its secrets' ages, the storefronts whose transactions it sees (TH-22), and its webhook's state. */
export const inspectPartner = async (partner: Partner, deps: OperatorDeps) => {
  const [profile, stopped, uses, storefronts] = await Promise.all([
    deps.partners.profileOf(partner.clientId),
    deps.webhookSwitch.read(),
    deps.partners.usesOf(partner.clientId),
    deps.storefronts.all(),
  ]);
  const nowMs = deps.now().getTime();
  return {
    ...toPartnerView(partner),
    webhookSignature: toSignatureView(partner),
    ...statusView(partner, { status: profile?.endpoint, isStopped: stopped !== undefined, nowMs }),
    secrets: (profile?.secrets ?? []).map((secret) => toSecretView(secret, uses, nowMs)),
    sees: storefronts.filter(({ owner }) => covers(partner.grants, owner)).map(({ name }) => name),
  };
};

const toSignatureView = ({ createdAtMs, signatureMadeAtMs, nextSignatureMadeAtMs }: Partner) => ({
  createdAt: isoTime(signatureMadeAtMs ?? createdAtMs),
  nextCreatedAt: nextSignatureMadeAtMs === undefined ? null : isoTime(nextSignatureMadeAtMs),
});

const isoTime = (ms: number) => new Date(ms).toISOString();

const toSecretView = (secret: SecretFacts, uses: SecretUses, nowMs: number) => ({
  id: secret.id,
  active: isActive(secret, nowMs),
  madeBy: secret.madeBy,
  createdAt: isoTime(secret.createdAtMs),
  lastUsedOn: uses[secret.id] ?? null,
  expiresAt: secret.expiresAtMs === undefined ? null : isoTime(secret.expiresAtMs),
});

/** The change that adds a grant. */
export const withGrant = (before: Partner, grant: Grant): Outcome<PartnerChange, 'already-granted'> =>
  before.grants.some((held) => isSameGrant(held, grant))
    ? refuse('already-granted')
    : succeed({ before, after: { ...before, grants: [...before.grants, grant] } });

/** The change that takes a grant away. */
export const withoutGrant = (before: Partner, grant: Grant): Outcome<PartnerChange, 'not-granted'> => {
  const grants = before.grants.filter((held) => !isSameGrant(held, grant));
  return grants.length === before.grants.length
    ? refuse('not-granted')
    : succeed({ before, after: { ...before, grants } });
};

/** The change that enables or disables a partner. */
export const withState = (before: Partner, enabled: boolean): PartnerChange => ({
  before,
  after: { ...before, enabled },
});

/** Issues a new secret; the newest of the old ones keeps working for the overlap (TOK-2). */
export const rotateSecret = async (
  { clientId, name }: Partner,
  { overlapMs, ...maker }: Maker & { overlapMs: number },
  deps: OperatorDeps,
): Promise<
  Outcome<{ name: string; clientId: string; clientSecret: string }, 'no-partner' | 'changed-meanwhile'>
> => {
  const credentials = await deps.partners.credentialsOf(clientId);
  if (!credentials) return refuse('no-partner');
  const { clientSecret, stored } = await issueSecret(maker, deps);
  const added = await addSecret(clientId, credentials.secrets, { stored, overlapMs, attempts: 3 }, deps);
  return added.ok ? succeed({ name, clientId, clientSecret }) : added;
};

/** Tries again where only hashes have changed: the service rehashes a used secret under a new pepper at any moment. */
const addSecret = async (
  clientId: string,
  before: readonly StoredSecret[],
  adding: { stored: StoredSecret; overlapMs: number; attempts: number },
  deps: OperatorDeps,
): Promise<Outcome<undefined, 'changed-meanwhile'>> => {
  const { stored, overlapMs, attempts } = adding;
  const after = rotateSecrets(before, stored, { nowMs: deps.now().getTime(), overlapMs });
  const replaced = await deps.partners.replaceSecrets(clientId, { before, after });
  if (replaced.ok || attempts === 1) return replaced;
  const { secrets = [] } = (await deps.partners.credentialsOf(clientId)) ?? {};
  return sameButForHashes(before, secrets)
    ? addSecret(clientId, secrets, { ...adding, attempts: attempts - 1 }, deps)
    : replaced;
};

/** Every rotation adds a secret, so equal ids mean that nobody rotated. */
const sameButForHashes = (before: readonly StoredSecret[], now: readonly StoredSecret[]) => {
  const idsOf = (secrets: readonly StoredSecret[]) => secrets.map(({ id }) => id).join();
  return idsOf(before) === idsOf(now);
};

/** Refuses every token issued until now. Rounded up to a second, since tokens are dated in whole seconds. */
export const revokeTokens = ({ clientId }: Partner, { partners, now }: OperatorDeps) =>
  partners.endTokens(clientId, Math.ceil(endOfTokens(now()).getTime() / 1000) * 1000);
