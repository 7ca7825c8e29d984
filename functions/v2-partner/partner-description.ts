import {
  type Partner,
  type PartnerProfile,
  type SecretFacts,
  webhookStateOf,
} from '../shared/domain/partner.ts';
import {
  defaultPerPage,
  largestPerPage,
  levelLimit,
  parameterLimit,
} from '../shared/domain/query/parameters.ts';
import type { JsonObject } from '../shared/domain/transaction/transaction.ts';

const msPerDay = 24 * 60 * 60 * 1000;

/** What a partner may know of itself (V2-6); never a hash, nor anything that could stand for a secret. */
export const describePartner = (
  { partner, secrets }: Pick<PartnerProfile, 'partner' | 'secrets'>,
  now: Date,
): JsonObject => ({
  name: partner.name,
  oauthScopes: partner.oauthScopes,
  grants: partner.grants.map(({ group, franchise, location }) => ({
    group,
    ...(franchise !== undefined && { franchise }),
    ...(location !== undefined && { location }),
  })),
  limits: {
    perPage: { default: defaultPerPage, maximum: largestPerPage },
    queryParameters: { maximum: parameterLimit, levels: levelLimit },
  },
  secrets: secrets.map((secret) => describeSecret(secret, now)),
  webhook: describeWebhook(partner, now),
});

/** Without its address, which may hold a secret of the partner's own. */
const describeWebhook = (partner: Partner, now: Date): JsonObject => ({
  state: webhookStateOf(partner),
  signature: ageOf(partner.signatureMadeAtMs ?? partner.createdAtMs, now),
  rotation:
    partner.nextSignatureMadeAtMs === undefined
      ? null
      : { announcedAt: isoTime(partner.nextSignatureMadeAtMs) },
});

const describeSecret = (secret: SecretFacts, now: Date): JsonObject => ({
  id: secret.id,
  madeBy: secret.madeBy,
  ...ageOf(secret.createdAtMs, now),
  lastUsedOn: secret.lastUsedOn ?? null,
  expiresAt: secret.expiresAtMs === undefined ? null : isoTime(secret.expiresAtMs),
});

const ageOf = (madeAtMs: number, now: Date) => ({
  createdAt: isoTime(madeAtMs),
  ageDays: Math.floor((now.getTime() - madeAtMs) / msPerDay),
});

const isoTime = (ms: number) => new Date(ms).toISOString();
