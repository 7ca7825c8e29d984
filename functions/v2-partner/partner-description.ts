import type { Grant } from '../shared/domain/ownership/grant.ts';
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
import { type RatePolicy, replayPolicy, webhookTestPolicy } from '../shared/domain/rate-limit.ts';
import type { JsonObject } from '../shared/domain/transaction/transaction.ts';
import type { PartnerState } from './partner-state.ts';

const msPerDay = 24 * 60 * 60 * 1000;

/** What a partner may know of itself (V2-6); never a hash, nor anything that could stand for a secret. */
export const describePartner = (
  { partner, secrets }: Pick<PartnerProfile, 'partner' | 'secrets'>,
  { partnerRate, ...state }: PartnerState & { partnerRate: RatePolicy },
  now: Date,
): JsonObject => ({
  name: partner.name,
  oauthScopes: partner.oauthScopes,
  grants: partner.grants.map((grant) => describeGrant(grant, state.branches.get(grant) ?? [])),
  limits: {
    perPage: { default: defaultPerPage, maximum: largestPerPage },
    queryParameters: { maximum: parameterLimit, levels: levelLimit },
    requests: [partnerRate, replayPolicy, webhookTestPolicy].map(({ name, quota, windowSeconds }) => ({
      name,
      quota,
      windowSeconds,
    })),
  },
  secrets: secrets.map((secret) => describeSecret(secret, { lastUsedOn: state.uses[secret.id], now })),
  webhook: describeWebhook(partner, state, now),
});

/** So many names of branches are shown; a whole group may have thousands. */
const mostBranches = 20;

const describeGrant = ({ group, franchise, location }: Grant, branches: readonly string[]): JsonObject => ({
  group,
  ...(franchise !== undefined && { franchise }),
  ...(location !== undefined && { location }),
  branches: branches.slice(0, mostBranches),
  branchCount: branches.length,
});

/** Of its address the host alone: path and query may hold a secret of the partner's own. */
const describeWebhook = (
  partner: Partner,
  { isStopped, lastFailure }: PartnerState,
  now: Date,
): JsonObject => ({
  state: isStopped && partner.webhookUrl !== undefined ? 'stopped' : webhookStateOf(partner),
  host: partner.webhookUrl === undefined ? null : new URL(partner.webhookUrl).host,
  lastFailure,
  signature: ageOf(partner.signatureMadeAtMs ?? partner.createdAtMs, now),
  rotation:
    partner.nextSignatureMadeAtMs === undefined
      ? null
      : { announcedAt: isoTime(partner.nextSignatureMadeAtMs) },
});

const describeSecret = (
  secret: SecretFacts,
  { lastUsedOn, now }: { lastUsedOn: string | undefined; now: Date },
): JsonObject => ({
  id: secret.id,
  ...ageOf(secret.createdAtMs, now),
  lastUsedOn: lastUsedOn ?? null,
  expiresAt: secret.expiresAtMs === undefined ? null : isoTime(secret.expiresAtMs),
});

const ageOf = (madeAtMs: number, now: Date) => ({
  createdAt: isoTime(madeAtMs),
  ageDays: Math.floor((now.getTime() - madeAtMs) / msPerDay),
});

const isoTime = (ms: number) => new Date(ms).toISOString();
