import { judge } from '../oracle/oracle.ts';
import type { World } from '../worlds/world.ts';
import { evidenceOf } from './evidence-of.ts';
import { type Facts, type Finding, factsOf, lostOf } from './facts.ts';
import * as content from './invariants/content.ts';
import * as endpoints from './invariants/endpoints.ts';
import { foldsAreTheApi } from './invariants/folding.ts';
import * as ranges from './invariants/ranges.ts';
import * as sending from './invariants/sending.ts';
import * as shards from './invariants/shards.ts';
import * as timing from './invariants/timing.ts';

/** Who is notified of what, and when, judged apart from the product's code: I1 to I3, I5, I8 to I11, I13, I14, I17, I18, I20. */
const oracle = (facts: Facts): Finding[] => judge(evidenceOf(facts));

/**
 * What must hold of the inside of the protocol after every world (docs/rules.md), one function a statement, and what the
 * oracle says. Elsewhere: I15, I21 and S-54 in `pairs.ts`, I12 with the stores, I22 with the rotation of signatures.
 */
const checks: ((facts: Facts) => Finding[])[] = [
  ranges.rangesJoin,
  ranges.rowsAreRight,
  timing.claimsFindRest,
  ranges.oneInFlight,
  ranges.sendersHoldALease,
  ranges.flightsKeepTheirLease,
  content.rangesHaveOneId,
  sending.duplicatesFollowFaults,
  sending.redrivesAreSentOnce,
  content.limitsAreKept,
  shards.shardsHaveOneWorker,
  shards.claimsAreOfTheShard,
  shards.resendsHaveTheirShard,
  sending.rowsEnd,
  sending.nothingOlderArrives,
  timing.endIsQuiet,
  foldsAreTheApi,
  endpoints.nothingIsDropped,
  endpoints.endpointsAreAsRecorded,
  endpoints.endpointsFollowInTime,
  oracle,
];

/** What is wrong with a world, and how late its events were. */
export const evaluate = (world: World) => {
  const facts = factsOf(world);
  const worst = (delays: readonly timing.Delay[]) => Math.max(0, ...delays.map(({ delayMs }) => delayMs));
  const updated = timing.delaysOf(facts, facts.updated);
  // The reconciler finds them, at its own pace (I20).
  const isRepaired = ({ claim }: timing.Delay) => lostOf(facts, claim.key.uuid).length > 0;
  return {
    facts,
    findings: checks.flatMap((check) => check(facts)),
    worstUpdatedMs: worst(updated.filter((delay) => !isRepaired(delay))),
    worstRepairedMs: worst(updated.filter(isRepaired)),
    worstCompletedMs: worst(timing.delaysOf(facts, facts.completed)),
  };
};
