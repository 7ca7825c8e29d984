import type { Grant } from '../shared/domain/ownership/grant.ts';
import type { PartnerProfile, SecretFacts } from '../shared/domain/partner.ts';
import {
  defaultPerPage,
  largestPerPage,
  levelLimit,
  parameterLimit,
} from '../shared/domain/query/parameters.ts';
import {
  type RatePolicy,
  replayPolicy,
  selfServicePolicy,
  webhookTestPolicy,
} from '../shared/domain/rate-limit.ts';
import type { JsonObject } from '../shared/domain/transaction/transaction.ts';
import { isoTime } from './events.ts';
import type { PartnerState } from './partner-state.ts';
import {
  ageOf,
  presentLastChange,
  presentSignatures,
  presentState,
  type WebhookFacts,
} from './webhook-view.ts';

/** What a partner may know of itself (V2-6). Never a hash, or anything that could replace a secret. */
export const describePartner = (
  { partner, secrets, endpoint }: Pick<PartnerProfile, 'partner' | 'secrets' | 'endpoint'>,
  { partnerRate, ...state }: PartnerState & { partnerRate: RatePolicy },
  now: Date,
): JsonObject => ({
  name: partner.name,
  oauthScopes: partner.oauthScopes,
  grants: partner.grants.map((grant) => describeGrant(grant, state.branches.get(grant) ?? [])),
  limits: {
    perPage: { default: defaultPerPage, maximum: largestPerPage },
    queryParameters: { maximum: parameterLimit, levels: levelLimit },
    requests: [partnerRate, replayPolicy, webhookTestPolicy, selfServicePolicy].map(
      ({ name, quota, windowSeconds }) => ({ name, quota, windowSeconds }),
    ),
  },
  secrets: secrets.map((secret) => describeSecret(secret, { lastUsedOn: state.uses[secret.id], now })),
  webhook: describeWebhook(
    { partner, ...(endpoint && { endpoint }), isStopped: state.isStopped },
    state,
    now,
  ),
});

/** The number of branch names that are shown. A group may have thousands. */
const mostBranches = 20;

const describeGrant = ({ group, franchise, location }: Grant, branches: readonly string[]): JsonObject => ({
  group,
  ...(franchise !== undefined && { franchise }),
  ...(location !== undefined && { location }),
  branches: branches.slice(0, mostBranches),
  branchCount: branches.length,
});

/** Shows only the host of its address, because path and query may contain a secret of the partner's own. */
const describeWebhook = (facts: WebhookFacts, { lastFailure }: PartnerState, now: Date): JsonObject => ({
  ...presentState(facts, now),
  host: facts.partner.webhookUrl === undefined ? null : new URL(facts.partner.webhookUrl).host,
  lastFailure,
  ...presentSignatures(facts.partner, now),
  lastChange: presentLastChange(facts.partner),
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
