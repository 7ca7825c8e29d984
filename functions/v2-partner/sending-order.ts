import type { RatePolicy } from '../shared/domain/rate-limit.ts';
import { answerKept, readCommand, recordOf } from '../shared/http/idempotency.ts';
import { type HandlerResult, type Problem, problem } from '../shared/http/problem.ts';
import type { HttpResponse } from '../shared/http/response.ts';
import { type LimitDeps, type LimitedEvent, refuseBeyond } from '../shared/middleware/limit-rate.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { PartnerLookup } from '../shared/store/partners/directory.ts';
import type { RequestStore } from '../shared/store/requests/request-store.ts';

export type OrderDeps = {
  requests: RequestStore;
  rates: LimitDeps['rates'];
  /** The partner as events are sent to it: paused while all webhooks are stopped. */
  directory: PartnerLookup;
  clock: Clock;
};

/** A request that sends something to its caller's own webhook. */
export type SendingOrder = {
  route: string;
  bytes: Buffer;
  /** The transaction of the answer. Empty if there is none, or if there are several. */
  uuid: string;
  policy: RatePolicy;
  /** Schedules what is to be sent, and returns the answer. */
  carryOut: (commandId: string | undefined) => Promise<HttpResponse>;
  /** The part of the stored answer that the caller may see. */
  asOfNow?: (kept: HttpResponse) => Promise<HttpResponse>;
};

/**
 * Executes a request once for its `Idempotency-Key` (WR-1), for a webhook that takes events, and within the policy's
 * rate (V2-11). A second execution is harmless, because a scheduled delivery stays scheduled. Therefore its record
 * needs no common atomic write.
 */
export const orderSending = async (
  event: LimitedEvent,
  order: SendingOrder,
  deps: OrderDeps,
): Promise<HandlerResult> => {
  const { clientId } = event.partner;
  const { route, bytes, uuid, policy } = order;
  const command = readCommand(event, { caller: { kind: 'partner', id: clientId }, route, bytes });
  if (!command.ok) return command.problem;
  const kept = await answerKept(command.value, deps);
  if (kept) return again(kept, order);
  const refusal = await whyNotSent(clientId, deps);
  if (refusal) return refusal;
  const tooMany = await refuseBeyond(policy, event, deps);
  if (tooMany) return tooMany;
  const response = await order.carryOut(command.value?.id);
  const now = deps.clock();
  if (command.value) await deps.requests.remember(recordOf(command.value, response, { uuid, now }), now);
  return response;
};

const again = async (kept: HandlerResult, { asOfNow }: SendingOrder): Promise<HandlerResult> =>
  'problem' in kept || !asOfNow ? kept : asOfNow(kept);

/** Refuses if the event would only be kept or withheld. Undefined if it can be sent. */
const whyNotSent = async (clientId: string, { directory }: OrderDeps): Promise<Problem | undefined> => {
  const partner = (await directory.byClientIds([clientId])).get(clientId);
  if (partner?.webhookUrl === undefined) return problem('webhook-missing');
  if (!partner.oauthScopes.includes('nop2/read')) return problem('read-scope-missing');
  if (partner.webhookPaused) return problem('webhook-paused');
  return undefined;
};
