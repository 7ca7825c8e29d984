import { type Delivery, isGivenUp, isOfChain } from '../shared/domain/event/delivery.ts';
import { testEventType } from '../shared/domain/event/event.ts';
import type { Partner } from '../shared/domain/partner.ts';
import { replayPolicy } from '../shared/domain/rate-limit.ts';
import type { JsonObject } from '../shared/domain/transaction/transaction.ts';
import { type CursorSeal, cursorSealOf, type SealDeps } from '../shared/http/cursor-seal.ts';
import { type HandlerResult, notFound, problem } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { queryProblem } from '../shared/http/request-problems.ts';
import { type HttpResponse, json } from '../shared/http/response.ts';
import { mayUse, type PartnerEvent } from '../shared/middleware/authenticate-partner.ts';
import type { LimitedEvent } from '../shared/middleware/limit-rate.ts';
import { type Leaders, type SentAgain, sendAgain } from '../shared/replay/send-again.ts';
import { type StandaloneDeps, type StandaloneReplay, sendStandalone } from '../shared/replay/standalone.ts';
import { chunksOf } from '../shared/runtime/chunks.ts';
import { findOwn } from './events.ts';
import { type EventReadDeps, judge, matching, pagesAskedOf, readableOf } from './readable-events.ts';
import {
  type ReplayBody,
  type ReplayPlace,
  readReplay,
  readReplayQuery,
  writePlace,
} from './replay-request.ts';
import { type OrderDeps, orderSending } from './sending-order.ts';

export type ReplayEndpointDeps = EventReadDeps & OrderDeps & SealDeps & StandaloneDeps;

/** Replays one event with its id and bytes, even if newer ones were sent since (V2-9). */
export const replayEvent = async (
  event: LimitedEvent,
  id: string,
  deps: ReplayEndpointDeps,
): Promise<HandlerResult> => {
  const { partner } = event;
  const delivery = await findOwn(partner, id, deps);
  if (!delivery) return notFound();
  if (delivery.type === testEventType) return problem('test-not-replayable');
  return shownTo(
    event,
    await orderSending(
      event,
      {
        ...{ route: `v2/event/${id}/replay`, bytes: bytesOf(event), policy: replayPolicy },
        uuid: delivery.uuid,
        carryOut: async () => accepted([await sendStandalone(delivery, deps)]),
      },
      deps,
    ),
  );
};

const bytesOf = ({ body }: HttpEvent) => Buffer.from(body ?? '');

/**
 * Replays everything since a time as one event for each transaction, so that no older state arrives last (V2-10). One
 * request processes a hundred events, the oldest first. `next` is the body of the next request.
 */
export const replaySince = async (event: LimitedEvent, deps: ReplayEndpointDeps): Promise<HandlerResult> => {
  const { partner } = event;
  const query = readReplayQuery(event);
  if (!query.ok) return queryProblem(query);
  const seal = cursorSealOf(partner.clientId, deps);
  const body = await readReplay(event, seal);
  if (!body.ok) return body.problem;
  return shownTo(
    event,
    await orderSending(
      event,
      {
        ...{ route: 'v2/event/replay', bytes: body.value.bytes, policy: replayPolicy, uuid: '' },
        carryOut: () => carryOut(partner, body.value, { ...deps, seal }),
        asOfNow: (kept) => stillReadable(partner, kept, deps),
      },
      deps,
    ),
  );
};

const rowsInRequest = 100;

const carryOut = async (
  partner: Partner,
  { filter, place, members }: ReplayBody,
  deps: ReplayEndpointDeps & { seal: CursorSeal },
): Promise<HttpResponse> => {
  const asked = await pagesAskedOf(partner, filter, deps);
  if (!asked) return accepted([]);
  const untilMs = place?.untilMs ?? deps.clock().getTime() + 1;
  const after = place?.position;
  const page = await deps.deliveryLog.deliveryPage({
    ...{ ...asked, untilMs, limit: rowsInRequest, oldestFirst: true, ...(after && { after }) },
  });
  const { readable, stored } = await judge(partner, page.deliveries.filter(matching(filter)), deps);
  const again = readable.filter(({ type }) => type !== testEventType);
  const transactions = { byUuid: async (uuid: string) => stored.get(uuid) };
  const sent = await sendAgain(again, { ...deps, transactions }, await leadersOf(again, place, deps));
  const next = page.next && {
    ...members,
    after: await writePlace({ position: page.next, untilMs }, members, deps.seal),
  };
  return accepted(sent, next);
};

const transactionsAtOnce = 10;

/** For each transaction, the event that an earlier request of this replay has caused. It is among the newest. */
const leadersOf = async (
  deliveries: readonly Delivery[],
  place: ReplayPlace | undefined,
  { deliveryLog }: ReplayEndpointDeps,
): Promise<Leaders> => {
  const leaders: Leaders = new Map();
  if (!place) return leaders;
  const sinceMs = place.untilMs - 1;
  const ofTransactions = new Map(deliveries.filter(isOfChain).map((one) => [one.uuid, one]));
  const find = async ({ uuid, clientId }: Delivery) => {
    const { deliveries: newest } = await deliveryLog.deliveryPage({ clientId, uuid, sinceMs, limit: 10 });
    const made = newest.filter((one) => isOfChain(one) && one.state !== 'SUPPRESSED' && !isGivenUp(one));
    const [widest] = made.toSorted((one, other) => one.from - other.from);
    if (widest) leaders.set(uuid, widest);
  };
  for (const some of chunksOf([...ofTransactions.values()], transactionsAtOnce))
    await Promise.all(some.map(find));
  return leaders;
};

/** 202: the next tick sends what is scheduled, within ten seconds. */
const accepted = (
  sent: readonly (SentAgain | StandaloneReplay)[],
  next: JsonObject | null = null,
): HttpResponse => json(202, { data: sent.map(presentSent), next });

const presentSent = ({ outcome, delivery, covers, ...more }: SentAgain | StandaloneReplay): JsonObject => ({
  id: delivery.eventId,
  type: delivery.type,
  transaction: delivery.uuid === '' ? null : delivery.uuid,
  fromVersion: delivery.from,
  toVersion: Math.max(...[delivery, ...covers].map(({ to }) => to)),
  outcome,
  standsFor: covers.map(({ eventId }) => eventId),
  newerVersion: 'newerVersion' in more ? more.newerVersion : null,
});

/** A stored answer shows only what its caller may read now, and nothing that has left its scope since (GRANT-2). */
const stillReadable = async (
  partner: Partner,
  kept: HttpResponse,
  deps: EventReadDeps,
): Promise<HttpResponse> => {
  const { data, next } = JSON.parse(kept.body) as { data: KeptEvent[]; next: unknown };
  const rows = data.map((one) => ({ one, type: one.type, uuid: one.transaction ?? '', to: one.toVersion }));
  const left = await readableOf(partner, rows, deps);
  return { ...kept, body: JSON.stringify({ data: left.map(({ one }) => one), next }) };
};

type KeptEvent = { type: Delivery['type']; transaction: string | null; toVersion: number };

/** Without `nop2/read` the answer to a write shows nothing (S-11). */
const shownTo = (event: PartnerEvent, result: HandlerResult): HandlerResult =>
  'problem' in result || mayUse('nop2/read', event)
    ? result
    : { ...result, body: JSON.stringify({ ...JSON.parse(result.body), data: [] }) };
