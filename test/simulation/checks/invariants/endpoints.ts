import type { EndpointStatus } from '../../../../functions/shared/domain/endpoint.ts';
import { endpointWishOf, isReached } from '../../../../functions/shared/domain/endpoint-wish.ts';
import type { Partner } from '../../../../functions/shared/domain/partner.ts';
import { type Facts, type Finding, unless } from '../facts.ts';

/** I1: nothing is put on the bus for a partner whose rule has no target that the bus knows: it would be dropped without a sign. */
export const nothingIsDropped = ({ world: { history } }: Facts): Finding[] =>
  history.dropped.map(({ clientId, eventId, atMs }) => ({
    ...{ invariant: 'I1', atMs },
    what: `${eventId} meets no target of ${clientId}`,
  }));

/** D-09: in the end the bus has for each partner what its record says, and nothing of one that is gone. */
export const endpointsAreAsRecorded = (facts: Facts): Finding[] =>
  facts.world.endpoints.flatMap(({ clientId, status, address, parts }) => {
    const partner = facts.partnerAt(clientId, Number.POSITIVE_INFINITY);
    const wish = endpointWishOf(partner, false);
    const isDone = partner ? status === undefined || isReached(status, wish) : true;
    const isThere =
      wish.wanted === 'none' ? parts.length === 0 : isFor(wish.wanted, { address, wish, status });
    const isExcused = wish.wanted === 'on' && mayFail(facts, clientId);
    const what = `${clientId} is to be ${wish.wanted}, and the bus has ${parts} for ${address}: ${JSON.stringify(status)}`;
    return unless((isDone && isThere) || isExcused, { invariant: 'D-09', what });
  });

type Left = {
  address: string | undefined;
  wish: ReturnType<typeof endpointWishOf>;
  status: EndpointStatus | undefined;
};

const isFor = (wanted: 'on' | 'kept', { address, wish, status }: Left): boolean =>
  wanted === 'on' ? address === wish.url && status?.servesFromMs !== undefined : address === undefined;

/** An address that is set while the endpoint is unwell does not serve. */
const mayFail = ({ world: { plan } }: Facts, clientId: string): boolean =>
  plan.partners.some(({ partner, spells }) => partner.clientId === clientId && spells.length > 0);

/** How soon the bus follows a record that does not change again; a lost message is found by the schedule. */
const limitMs = { none: 95_000, one: 13 * 60_000 };

/** D-09: and it does so in time: `on` serves a minute after the target is there, and what ends has its target for one lease. */
export const endpointsFollowInTime = (facts: Facts): Finding[] => {
  const { mode, activeMs, restMs } = facts.world.plan;
  if (mode === 'many') return [];
  const withinMs = limitMs[mode];
  return facts.clientIds.flatMap((clientId) =>
    wishesOf(facts, clientId)
      .filter(({ atMs }) => atMs > 0)
      .filter(({ atMs, untilMs }) => Math.min(untilMs, activeMs + restMs) - atMs > withinMs)
      .filter(({ wish }) => !(wish.wanted === 'on' && mayFail(facts, clientId)))
      .filter(({ atMs, wish }) => !isReachedBy(facts, { clientId, wish, byMs: atMs + withinMs }))
      .map(({ atMs, wish }) => ({
        ...{ invariant: 'D-09', atMs },
        what: `${clientId} is to be ${wish.wanted}, and is not within ${withinMs} ms`,
      })),
  );
};

/** What the records of a partner have wanted, each for how long. */
const wishesOf = ({ world: { history } }: Facts, clientId: string) => {
  const states = history.partnerStates.filter((one) => one.clientId === clientId);
  const wishes = states
    .filter((one): one is typeof one & { partner: Partner } => one.partner !== undefined)
    .map(({ atMs, partner }) => ({ atMs, wish: endpointWishOf(partner, false) }))
    .filter(({ wish }, index, all) => JSON.stringify(wish) !== JSON.stringify(all[index - 1]?.wish));
  return wishes.map((one, index) => ({
    ...one,
    untilMs: wishes[index + 1]?.atMs ?? Number.POSITIVE_INFINITY,
  }));
};

type Awaited = { clientId: string; wish: ReturnType<typeof endpointWishOf>; byMs: number };

const isReachedBy = ({ world: { history } }: Facts, { clientId, wish, byMs }: Awaited): boolean =>
  history.statuses.some(
    ({ atMs, status, ...one }) =>
      one.clientId === clientId &&
      atMs <= byMs &&
      isReached(status, wish) &&
      (wish.wanted !== 'on' || (status.servesFromMs ?? Number.POSITIVE_INFINITY) <= history.epochMs + byMs),
  );
