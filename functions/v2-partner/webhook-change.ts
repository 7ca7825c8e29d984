import { randomUUID } from 'node:crypto';
import { isBeingRemoved } from '../shared/domain/endpoint-wish.ts';
import { settingsOf } from '../shared/domain/event/timing.ts';
import { type Outcome, refuse, succeed } from '../shared/domain/outcome.ts';
import type { Partner, PartnerChange, PartnerProfile, SignatureStep } from '../shared/domain/partner.ts';
import { selfServicePolicy } from '../shared/domain/rate-limit.ts';
import { afterOrder, type WebhookOrder, type WebhookOrderRefusal } from '../shared/domain/webhook-order.ts';
import { newPass } from '../shared/events/passes.ts';
import type { Pass } from '../shared/events/rows.ts';
import { answerKept, type Command, recordOf } from '../shared/http/idempotency.ts';
import { type HandlerResult, problem, unavailable } from '../shared/http/problem.ts';
import type { HttpResponse } from '../shared/http/response.ts';
import { mayUse } from '../shared/middleware/authenticate-partner.ts';
import { type LimitDeps, type LimitedEvent, refuseBeyond } from '../shared/middleware/limit-rate.ts';
import type { EndpointRequests } from '../shared/outbound/endpoint-requests.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { SelfServiceLog } from '../shared/runtime/logger.ts';
import type { AuditStore, NoteDone } from '../shared/store/partners/audit-log.ts';
import type { PartnerReader } from '../shared/store/partners/reader.ts';
import type { IdempotencyRecord, RequestStore } from '../shared/store/requests/request-store.ts';

export type WebhookChangeDeps = {
  requests: RequestStore;
  rates: LimitDeps['rates'];
  partners: Pick<PartnerReader, 'profileOf'>;
  /**
   * Writes record, signature, pass and the record of the `Idempotency-Key` in one atomic write (S-27, WR-1). `isSet`: it is
   * refused while what a removed address was owed is still to be withheld.
   */
  replaceWebhook: (
    change: PartnerChange,
    more: { signature?: SignatureStep; record?: IdempotencyRecord; pass?: Pass; isSet?: boolean },
  ) => Promise<Outcome<undefined, 'changed-meanwhile' | 'key-used'>>;
  audit: AuditStore;
  /** Wakes `keep-endpoints`, which makes the bus match the record. */
  endpointRequests: EndpointRequests;
  clock: Clock;
  log: SelfServiceLog;
};

type Profile = Pick<PartnerProfile, 'partner' | 'endpoint'>;

/** A partner's change of its own webhook. */
export type WebhookChange = {
  orders: readonly WebhookOrder[];
  /** Absent without an `Idempotency-Key`, and for every DELETE (WR-1). */
  command: Command | undefined;
  answer: (changed: Profile) => HttpResponse;
  /** The answer to store for a repetition, if it must show less than the first answer. */
  keptAnswer?: (changed: Profile) => HttpResponse;
};

/**
 * Executes a change once for its `Idempotency-Key` (WR-1) and within the policy's rate: first the audit record (S-28),
 * then the partner's record on the condition that it is as it was read, then the message to `keep-endpoints`. If the
 * operator or another request of the partner was faster, it is decided once more.
 */
export const changeWebhook = async (
  event: LimitedEvent & Profile,
  change: WebhookChange,
  deps: WebhookChangeDeps,
): Promise<HandlerResult> => {
  const kept = await answerKept(change.command, deps);
  if (kept) return kept;
  const planned = afterOrders(event, change.orders, deps.clock());
  if (!planned.ok) return problem(planned.reason);
  const tooMany = await refuseBeyond(selfServicePolicy, event, deps);
  if (tooMany) return tooMany;
  const notes = await record(event.partner, planned.value.made, deps);
  const written = await writeTwice(event, change, deps);
  if (written === 'key-used') return (await answerKept(change.command, deps)) ?? unavailable();
  if (notes.length > 0 && 'body' in written) await follow(event.partner, notes, deps);
  return written;
};

type Planned = Outcome<{ after: Partner; made: WebhookOrder[] }, WebhookOrderRefusal | 'changed-meanwhile'>;

/** The record after these changes, one after the other, and those that changed it. */
const afterOrders = (profile: Profile, orders: readonly WebhookOrder[], now: Date): Planned => {
  if (isBeingRemoved(profile.partner, profile.endpoint) && orders.some(({ kind }) => kind === 'set'))
    return refuse('changed-meanwhile');
  let after = profile.partner;
  const made: WebhookOrder[] = [];
  for (const order of orders) {
    const changed = afterOrder(after, order, now.getTime());
    if (!changed.ok) return changed;
    if (changed.value !== after) made.push(order);
    after = changed.value;
  }
  return succeed({ after, made });
};

/** Recorded in the same form as the operator's commands with this effect, so that an adoption finds them (DR-2). */
const record = async (
  { clientId, name }: Partner,
  orders: readonly WebhookOrder[],
  { audit, clock }: WebhookChangeDeps,
): Promise<NoteDone[]> => {
  const notes: NoteDone[] = [];
  for (const order of orders) {
    const { command, ...more } = recorded(order);
    const about = { who: name, caller: `partner/${clientId}`, atMs: clock().getTime() };
    notes.push(
      await audit.append({ ...about, command, arguments: { name, clientId, by: 'partner', ...more } }),
    );
  }
  return notes;
};

const recorded = (order: WebhookOrder) => {
  switch (order.kind) {
    case 'set':
      return { command: 'partner set-webhook', url: order.url };
    case 'remove':
      return { command: 'partner remove-webhook' };
    case 'pause':
    case 'resume':
      return { command: `partner ${order.kind}` };
    default:
      // No record contains a signature.
      return { command: 'partner rotate-signature', step: order.step === 'finish' ? 'finish' : 'announce' };
  }
};

/** If the record changed meanwhile, the partner may be disabled or may not do this any more (S-08). */
const writeTwice = async (
  event: LimitedEvent & Profile,
  change: WebhookChange,
  deps: WebhookChangeDeps,
): Promise<HandlerResult | 'key-used'> => {
  const first = await write(event, change, deps);
  if (first !== 'changed-meanwhile') return first;
  const fresh = await deps.partners.profileOf(event.partner.clientId);
  const may = fresh?.partner.enabled && mayUse('nop2/webhook', { ...event, ...fresh });
  const second = may ? await write(fresh, change, deps) : 'changed-meanwhile';
  return second === 'changed-meanwhile' ? problem('changed-meanwhile') : second;
};

const write = async (
  profile: Profile,
  { orders, command, answer, keptAnswer = answer }: WebhookChange,
  { replaceWebhook, requests, clock }: WebhookChangeDeps,
): Promise<HandlerResult | 'changed-meanwhile' | 'key-used'> => {
  const now = clock();
  const planned = afterOrders(profile, orders, now);
  if (!planned.ok) return problem(planned.reason);
  const { after, made } = planned.value;
  const changed = { ...profile, partner: after };
  const kept = command && recordOf(command, keptAnswer(changed), { uuid: '', now });
  if (made.length === 0) {
    const remembered = kept && (await requests.remember(kept, now));
    return remembered?.ok === false ? remembered.reason : answer(changed);
  }
  const signature = made.flatMap((order) => (order.kind === 'rotate' ? [order.step] : [])).at(-1);
  const does = made.flatMap(({ kind }) => passOf[kind as keyof typeof passOf] ?? []).at(-1);
  const pass = does && newPass({ clientId: after.clientId, does }, now.getTime(), passSettings);
  const more = {
    ...(signature && { signature }),
    ...(kept && { record: kept }),
    ...(pass && { pass }),
    isSet: made.some(({ kind }) => kind === 'set'),
  };
  const written = await replaceWebhook({ before: profile.partner, after }, more);
  return written.ok ? answer(changed) : written.reason;
};

/** What was owed is sent after a resume, and never after a removal. */
const passOf = { resume: 'wake', remove: 'withhold' } as const;
const passSettings = { newId: randomUUID, leaseMs: settingsOf(0).leaseMs };

/**
 * The change is made, so a fault here refuses nothing: the schedule of `keep-endpoints` makes up for a lost message.
 */
const follow = async (
  { clientId }: Partner,
  notes: readonly NoteDone[],
  { endpointRequests, log }: WebhookChangeDeps,
): Promise<void> => {
  await endpointRequests.send([{ clientId }]).catch((fault) => log('endpointNotWoken', { clientId }, fault));
  await Promise.all(notes.map((note) => note())).catch((fault) => log('changeNotNoted', { clientId }, fault));
};
