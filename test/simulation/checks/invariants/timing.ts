import type { ClaimMade, Commit } from '../../service/history.ts';
import type { Everything } from '../../service/stores.ts';
import { type Facts, type Finding, lostOf, unless } from '../facts.ts';

const dormancyMs = 120_000;

/** I2: no write in the 120 s before a claim, and none between what it covers and itself. */
export const claimsFindRest = (facts: Facts): Finding[] =>
  [...facts.updated].flatMap(([uuid, claims]) => {
    const states = facts.commits.get(uuid) ?? [];
    return claims.flatMap(({ event, atMs }) => {
      const made = states.filter((commit) => commit.atMs <= atMs);
      const last = made.at(-1);
      const restMs = Math.min(...made.map((commit) => restOf(facts, event.claimedAtMs, commit, atMs)));
      const what = `claimed ${restMs} ms after the last change (version ${last?.after.version}), notified up to ${event.to}`;
      const isRested = last?.after.version === event.to && restMs >= dormancyMs;
      return unless(isRested, { invariant: 'I2', uuid, atMs, what });
    });
  });

/** By the clocks that wrote the two times; where all clocks are right, by the world's own, but for a request under way. */
const restOf = ({ world }: Facts, claimedAtMs: number, change: Commit, atMs: number) => {
  const byClocks = claimedAtMs - change.after.updatedAtMs;
  const underWayMs = 2_000;
  return world.plan.mode === 'none' ? Math.min(byClocks, atMs - change.atMs + underWayMs) : byClocks;
};

/** A claim, and how long after its last change the bus had it for the last of its partners. */
export type Delay = { claim: ClaimMade; delayMs: number };

/** How late each event was; a partner refused for good, paused or no longer authorised counts with the claim. */
export const delaysOf = (facts: Facts, claims: Map<string, ClaimMade[]>): Delay[] =>
  [...claims].flatMap(([uuid, made]) =>
    made.flatMap((claim) => {
      const last = facts.commits.get(uuid)?.find(({ after }) => after.version === claim.event.to);
      if (!last) return [];
      const firstOf = (clientId: string) =>
        facts.accepted.get(claim.event.eventId)?.find((one) => one.clientId === clientId)?.atMs;
      const sent = claim.event.recipients.map((clientId) => firstOf(clientId) ?? claim.atMs);
      return [{ claim, delayMs: Math.max(claim.atMs, ...sent) - last.atMs }];
    }),
  );

/** I17, I18: goals without a fault, and promises with one. */
export const limits = {
  updated: { none: 140_000, one: 180_000 },
  completed: { none: 2_000, one: 30_000 },
} as const;
/** I20: a reconciler period and three minutes. */
export const repairedWithinMs = 13 * 60_000;

/** I19: quiet end. Ten minutes after the last fault nothing is scheduled or in flight, and all versions are notified. */
export const endIsQuiet = (facts: Facts): Finding[] => {
  const { atTenMinutes, left, plan } = facts.world;
  const lately = plan.activeMs - 60_000;
  const isLost = (uuid: string) => lostOf(facts, uuid).some(({ atMs }) => atMs > lately);
  return [...restless(atTenMinutes).filter(({ uuid }) => !isLost(uuid)), ...restless(left)].map(
    (finding) => ({ invariant: 'I19', ...finding }),
  );
};

const restless = ({ dueRows, transactions }: Everything) => {
  const debounceRows = dueRows.filter((row) => row.kind === 'NOTIFY');
  return [
    ...dueRows.flatMap(({ uuid, kind, dueAtMs, inflight }) => [
      ...(dueAtMs === undefined ? [] : [{ uuid, what: `${kind} is still scheduled` }]),
      ...(inflight ? [{ uuid, what: `${kind} is still in flight` }] : []),
    ]),
    ...transactions.flatMap(({ transaction: { uuid }, version, notifyFromVersion }) => {
      const row = debounceRows.find((one) => one.uuid === uuid);
      const notified = row?.notifiedVersion ?? notifyFromVersion - 1;
      return notified === version
        ? []
        : [{ uuid, what: `partners are not notified of version ${version}, only of ${notified}` }];
    }),
  ];
};
