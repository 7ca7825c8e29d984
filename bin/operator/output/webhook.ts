import type { EndpointWish } from '../../../functions/shared/domain/endpoint.ts';
import type { Standing } from '../partners/endpoint-wait.ts';
import { isQuota, quotaSentence } from '../refusals.ts';
import { faultSentence } from './webhook-check.ts';

/** 1 where an endpoint has not reached the state that its record wants. */
export const exitCodeOf = (standings: readonly (Pick<Standing, 'step'> | undefined)[]): number =>
  standings.every((standing) => standing?.step === 'reached') ? 0 : 1;

/** Says what a command is about to wait for (RUN-5). */
export const awaitedText = (name: string, { wanted }: EndpointWish, mostMs: number): string => {
  const awaited = {
    on: `the webhook of "${name}" is on`,
    kept: `the bus has stopped all retries to "${name}"`,
    none: `the bus has no resources of "${name}" any more`,
  }[wanted];
  return `Waiting until ${awaited} (${mostMs / 1000} s at most) …\n`;
};

/** The state of a webhook after the wait, in sentences. */
export const standingText = (name: string, standing: Standing): string =>
  `${{ reached: reachedText, failing: failingText, waiting: waitingText }[standing.step](name, standing)}\n`;

const reachedText = (name: string, { wish, partner, status, isAhead }: Standing): string => {
  if (isAhead)
    return `Events for "${name}" are sent to ${wish.url} from ${new Date(status?.sinceMs ?? 0).toISOString()}: EventBridge needs a minute to apply it.`;
  if (wish.wanted === 'on') return `Events for "${name}" are sent to ${wish.url}.`;
  if (wish.wanted === 'kept')
    return `Events for "${name}" are kept until "${partner?.webhookPaused ? `partner resume ${name}` : 'webhooks start'}", and EventBridge has stopped its retries.`;
  return partner?.enabled === false
    ? `"${name}" is disabled: nothing is sent or kept until "partner enable ${name}".`
    : `"${name}" has no webhook: nothing is sent to it.`;
};

const failingText = (name: string, { wish, status }: Standing): string => {
  const isFormerServed = status?.servedUrl !== undefined && status.servedUrl !== wish.url;
  const former = isFormerServed ? ` Events still go to its former address ${status.servedUrl}.` : '';
  return `The webhook of "${name}" is failing: ${reasonSentence(status?.reason, wish.url)}${former}`;
};

const waitingText = (name: string, { wish }: Standing): string => {
  const awaited = {
    on: `The webhook of "${name}" is still verifying`,
    kept: `Events for "${name}" are kept, but EventBridge may still retry some`,
    none: `EventBridge still has resources of the webhook of "${name}"`,
  }[wish.wanted];
  return `${awaited}: the service continues, and "partner show ${name}" shows its state.`;
};

/** A sentence that says why an endpoint is failing (EV-22 for quotas). */
export const reasonSentence = (reason = 'unknown', url = 'Its endpoint'): string => {
  if (isQuota(reason)) return quotaSentence(reason);
  if (/^HTTP_\d+$/.test(reason)) return `${url} answers ${reason.slice('HTTP_'.length)}.`;
  return /^[A-Z_]+$/.test(reason) ? `EventBridge reports ${reason}.` : faultSentence(reason, url);
};

/** What a revoked grant does not stop: the bus retries for a day. */
export const mayStillArrive = (name: string): string =>
  `Events that EventBridge has accepted may still arrive for up to 24 h: "partner pause ${name}" stops that, and "partner resume ${name}" sends them again if the partner may still see them.\n`;
