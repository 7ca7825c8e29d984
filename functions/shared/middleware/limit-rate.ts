import type { MiddlewareObj } from '@middy/core';
import type { RatePolicy } from '../domain/rate-limit.ts';
import type { HandlerResult } from '../http/problem.ts';
import { addStanding, tooManyRequests } from '../http/rate-headers.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PartnerEvent } from './authenticate-partner.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { PipelineEvent } from './respond.ts';

/** `partnerRate` is for all requests of a partner. The limiter counts other policies, too. */
export type LimitDeps = { rates: RateLimiter; partnerRate: RatePolicy; clock: Clock };

/** A request with the state of its partner's limit for the answer. */
export type LimitedEvent = PartnerEvent & PipelineEvent;

/**
 * Refuses a request above its partner's rate, with any of its tokens (S-40). Every answer from here on has the
 * remaining quota.
 */
export const limitRate = ({
  partnerRate,
  ...deps
}: LimitDeps): MiddlewareObj<LimitedEvent, HandlerResult> => ({
  before: ({ event }) => refuseBeyond(partnerRate, event, deps),
});

/** Counts a request under a policy. Returns nothing if it is accepted, else the refusal. */
export const refuseBeyond = async (
  policy: RatePolicy,
  event: PipelineEvent & { partner: { clientId: string } },
  { rates, clock }: Pick<LimitDeps, 'rates' | 'clock'>,
): Promise<HandlerResult | undefined> => {
  const standing = await rates.take(event.partner.clientId, policy, clock().getTime());
  event.responseHeaders = addStanding(event.responseHeaders, policy, standing);
  return standing.isTaken ? undefined : tooManyRequests(standing);
};
