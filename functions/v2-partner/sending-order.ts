import type { Outcome } from '../shared/domain/outcome.ts';
import type { RatePolicy } from '../shared/domain/rate-limit.ts';
import { answerKept, readCommand, recordOf } from '../shared/http/idempotency.ts';
import { type HandlerResult, type Problem, problem, unavailable } from '../shared/http/problem.ts';
import type { HttpResponse } from '../shared/http/response.ts';
import { type LimitDeps, type LimitedEvent, refuseBeyond } from '../shared/middleware/limit-rate.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { PartnerLookup } from '../shared/store/partners/directory.ts';
import type { IdempotencyRecord, RequestStore } from '../shared/store/requests/request-store.ts';

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
  policy: RatePolicy;
  /** Does what is harmless when it is done twice, and returns the answer. */
  carryOut: (commandId: string | undefined) => Promise<HttpResponse>;
  /** Writes the record of the answer together with what may be done once only. */
  write?: (record: IdempotencyRecord | undefined) => Promise<Outcome<undefined, 'key-used'>>;
};

/**
 * Executes a request once for its `Idempotency-Key` (WR-1), for a webhook that takes events, and within the policy's
 * rate (V2-11).
 */
export const orderSending = async (
  event: LimitedEvent,
  { route, bytes, policy, carryOut, write }: SendingOrder,
  deps: OrderDeps,
): Promise<HandlerResult> => {
  const { clientId } = event.partner;
  const command = readCommand(event, { caller: { kind: 'partner', id: clientId }, route, bytes });
  if (!command.ok) return command.problem;
  const kept = await answerKept(command.value, deps);
  if (kept) return kept;
  const refusal = await whyNotSent(clientId, deps);
  if (refusal) return refusal;
  const tooMany = await refuseBeyond(policy, event, deps);
  if (tooMany) return tooMany;
  const response = await carryOut(command.value?.id);
  const now = deps.clock();
  const record = command.value && recordOf(command.value, response, { uuid: '', now });
  if (!write) {
    if (record) await deps.requests.remember(record, now);
    return response;
  }
  const written = await write(record);
  return written.ok ? response : ((await answerKept(command.value, deps)) ?? unavailable());
};

/** Refuses if the event would only be kept or withheld. Undefined if it can be sent. */
const whyNotSent = async (clientId: string, { directory }: OrderDeps): Promise<Problem | undefined> => {
  const partner = (await directory.byClientIds([clientId])).get(clientId);
  if (partner?.webhookUrl === undefined) return problem('webhook-missing');
  if (!partner.oauthScopes.includes('nop2/read')) return problem('read-scope-missing');
  if (partner.webhookPaused) return problem('webhook-paused');
  return undefined;
};
