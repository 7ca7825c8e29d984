import {
  isActive,
  makeClientId,
  makeClientSecret,
  makeWebhookSignature,
  rotateSecrets,
  toStoredSecret,
} from '../../../functions/shared/auth/client-secret.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import { covers, type Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import {
  type OAuthScope,
  type Partner,
  type PartnerChange,
  type StoredSecret,
  webhookStateOf,
} from '../../../functions/shared/domain/partner.ts';
import { randomText } from '../../../functions/shared/runtime/random-text.ts';
import type { OperatorDeps } from '../deps.ts';
import { isSameGrant } from './grant-text.ts';

export type NewPartner = {
  name: string;
  grants: Grant[];
  oauthScopes: OAuthScope[];
  showsPaymentTokens: boolean;
};

/** Secrets are in this answer and nowhere else (RUN-5, S-18). */
export type IssuedPartner = {
  name: string;
  clientId: string;
  clientSecret: string;
  webhookSignature: string;
  grants: Grant[];
};

/** RUN-5; its webhook is set afterwards. */
export const createPartner = async (
  { name, ...wanted }: NewPartner,
  deps: OperatorDeps,
): Promise<Outcome<IssuedPartner, 'name-taken'>> => {
  const clientId = makeClientId(deps.random);
  const { clientSecret, stored } = await issueSecret(deps);
  const webhookSignature = makeWebhookSignature(deps.random);
  const partner = { clientId, name, enabled: true, ...wanted, createdAtMs: deps.now().getTime() };
  const created = await deps.partners.create({ partner, secrets: [stored] }, webhookSignature);
  if (!created.ok) return created;
  return succeed({ name, clientId, clientSecret, webhookSignature, grants: wanted.grants });
};

const issueSecret = async (deps: OperatorDeps) => {
  const clientSecret = makeClientSecret(deps.random);
  const about = {
    id: randomText(deps.random, 8),
    pepper: await deps.pepper(),
    nowMs: deps.now().getTime(),
  };
  return { clientSecret, stored: toStoredSecret(clientSecret, about) };
};

/** By its name, else by its client id. */
export const findPartner = async (
  nameOrId: string,
  { partners }: OperatorDeps,
): Promise<Outcome<Partner, 'no-partner'>> => {
  const partner = (await partners.byName(nameOrId)) ?? (await partners.byClientId(nameOrId));
  return partner ? succeed(partner) : refuse('no-partner');
};

export type PartnerView = ReturnType<typeof toPartnerView>;

/** What may be shown of a partner at any time: no secret, no hash of one. */
export const toPartnerView = (partner: Partner) => ({
  name: partner.name,
  clientId: partner.clientId,
  enabled: partner.enabled,
  oauthScopes: partner.oauthScopes,
  grants: partner.grants,
  showsPaymentTokens: partner.showsPaymentTokens,
  webhookUrl: partner.webhookUrl ?? null,
  webhookState: webhookStateOf(partner),
  createdAt: isoTime(partner.createdAtMs),
});

/**
 * A partner with the age of its secrets, the storefronts whose transactions it sees (TH-22), and what differs between its
 * record and what the bus has for it.
 */
export const inspectPartner = async (partner: Partner, deps: OperatorDeps) => {
  const [credentials, storefronts, differences] = await Promise.all([
    deps.partners.credentialsOf(partner.clientId),
    deps.storefronts.all(),
    deps.endpoints.inspect(partner),
  ]);
  const nowMs = deps.now().getTime();
  return {
    ...toPartnerView(partner),
    webhookSignature: toSignatureView(partner),
    webhookDifferences: differences.map(({ sentence }) => sentence),
    secrets: (credentials?.secrets ?? []).map((secret) => toSecretView(secret, nowMs)),
    sees: storefronts.filter(({ owner }) => covers(partner.grants, owner)).map(({ name }) => name),
  };
};

const toSignatureView = ({ createdAtMs, signatureMadeAtMs, nextSignatureMadeAtMs }: Partner) => ({
  createdAt: isoTime(signatureMadeAtMs ?? createdAtMs),
  nextCreatedAt: nextSignatureMadeAtMs === undefined ? null : isoTime(nextSignatureMadeAtMs),
});

const isoTime = (ms: number) => new Date(ms).toISOString();

const toSecretView = (secret: StoredSecret, nowMs: number) => ({
  id: secret.id,
  active: isActive(secret, nowMs),
  createdAt: isoTime(secret.createdAtMs),
  expiresAt: secret.expiresAtMs === undefined ? null : isoTime(secret.expiresAtMs),
});

export const withGrant = (before: Partner, grant: Grant): Outcome<PartnerChange, 'already-granted'> =>
  before.grants.some((held) => isSameGrant(held, grant))
    ? refuse('already-granted')
    : succeed({ before, after: { ...before, grants: [...before.grants, grant] } });

export const withoutGrant = (before: Partner, grant: Grant): Outcome<PartnerChange, 'not-granted'> => {
  const grants = before.grants.filter((held) => !isSameGrant(held, grant));
  return grants.length === before.grants.length
    ? refuse('not-granted')
    : succeed({ before, after: { ...before, grants } });
};

export const withState = (before: Partner, enabled: boolean): PartnerChange => ({
  before,
  after: { ...before, enabled },
});

/** Gives a new secret; the newest of the old ones goes on working for the overlap (TOK-2). */
export const rotateSecret = async (
  { clientId, name }: Partner,
  overlapMs: number,
  deps: OperatorDeps,
): Promise<Outcome<{ name: string; clientId: string; clientSecret: string }, 'no-partner'>> => {
  const credentials = await deps.partners.credentialsOf(clientId);
  if (!credentials) return refuse('no-partner');
  const { clientSecret, stored } = await issueSecret(deps);
  const secrets = rotateSecrets(credentials.secrets, stored, { nowMs: deps.now().getTime(), overlapMs });
  const replaced = await deps.partners.replaceSecrets(clientId, secrets);
  return replaced.ok ? succeed({ name, clientId, clientSecret }) : refuse('no-partner');
};
