import { defaultPerPage, largestPerPage } from '../shared/domain/paging.ts';
import { levelLimit, parameterLimit } from '../shared/domain/parameters.ts';
import type { Partner, StoredSecret } from '../shared/domain/partner.ts';
import type { JsonObject } from '../shared/domain/transaction.ts';

const msPerDay = 24 * 60 * 60 * 1000;

/** What a partner may know of itself (V2-6); never a hash, nor anything that could stand for a secret. */
export const describePartner = (
  partner: Partner,
  secrets: readonly StoredSecret[],
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
  webhook: { state: partner.webhookUrl === undefined ? 'none' : 'registered' },
});

const describeSecret = ({ createdAtMs, expiresAtMs }: StoredSecret, now: Date): JsonObject => ({
  createdAt: isoTime(createdAtMs),
  ageDays: Math.floor((now.getTime() - createdAtMs) / msPerDay),
  expiresAt: expiresAtMs === undefined ? null : isoTime(expiresAtMs),
});

const isoTime = (ms: number) => new Date(ms).toISOString();
