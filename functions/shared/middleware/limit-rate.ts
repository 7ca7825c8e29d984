import type { MiddlewareObj } from '@middy/core';
import type { RatePolicy } from '../domain/rate-limit.ts';
import type { HandlerResult } from '../http/problem.ts';
import { addStanding, tooManyRequests } from '../http/rate-headers.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PartnerEvent } from './authenticate-partner.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { PipelineEvent } from './respond.ts';

/** `partnerRate` is for all requests of a partner; the limiter counts other policies, too. */
export type LimitDeps = { rates: RateLimiter; partnerRate: RatePolicy; clock: Clock };

/** A request whose answer says where its partner stands. */
export type LimitedEvent = PartnerEvent & PipelineEvent;

/**
 * Ends a request beyond the rate of its partner, whichever of its tokens it bears (S-40). Every answer from here on says what
 * is left.
 */
export const limitRate = ({
  partnerRate,
  ...deps
}: LimitDeps): MiddlewareObj<LimitedEvent, HandlerResult> => ({
  before: ({ event }) => refuseBeyond(partnerRate, event, deps),
});

/** Counts a request under a policy: nothing where it is taken, else its answer. */
export const refuseBeyond = async (
  policy: RatePolicy,
  event: PipelineEvent & { partner: { clientId: string } },
  { rates, clock }: Pick<LimitDeps, 'rates' | 'clock'>,
): Promise<HandlerResult | undefined> => {
  const standing = await rates.take(event.partner.clientId, policy, clock().getTime());
  event.responseHeaders = addStanding(event.responseHeaders, policy, standing);
  return standing.isTaken ? undefined : tooManyRequests(standing);
};
