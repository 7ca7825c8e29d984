import { judge } from '../oracle/oracle.ts';
import type { World } from '../worlds/world.ts';
import { evidenceOf } from './evidence-of.ts';
import { type Facts, type Finding, factsOf, lostOf } from './facts.ts';
import * as backlog from './invariants/backlog.ts';
import * as duplicates from './invariants/duplicates.ts';
import * as end from './invariants/end.ts';
import * as endpoints from './invariants/endpoints.ts';
import * as leases from './invariants/leases.ts';
import * as ranges from './invariants/ranges.ts';
import * as sending from './invariants/sending.ts';
import * as shards from './invariants/shards.ts';
import * as timing from './invariants/timing.ts';

/** Who is notified of what, and when, judged apart from the product's code. */
const oracle = (facts: Facts): Finding[] => judge(evidenceOf(facts));

const checks: ((facts: Facts) => Finding[])[] = [
  ranges.nothingOlderIsSent,
  ranges.rangesJoin,
  ranges.rangesHaveOneId,
  sending.limitsAreKept,
  end.endIsQuiet,
  end.sendingsAreLogged,
  sending.backlogHasItsShard,
  leases.leasesAreApart,
  ranges.backlogTellsWhatWasTold,
  duplicates.duplicatesHaveReasons,
  backlog.debtsAreKept,
  sending.completionsAgainKeepScope,
  backlog.passesEnd,
  sending.stopIsKept,
  end.sendingsAreLoggedByTransaction,
  backlog.waitingRowsStay,
  backlog.nothingIsForgotten,
  backlog.replaysAreDone,
  backlog.passesWriteAsTheirs,
  backlog.firstTellingsStayFirst,
  backlog.nothingIsOwedToAnotherAddress,
  shards.shardsHaveOneWorker,
  endpoints.nothingIsDropped,
  endpoints.endpointsAreAsRecorded,
  endpoints.endpointsFollowInTime,
  oracle,
];

/** What is wrong with a world, and how late its events were. */
export const evaluate = (world: World) => {
  const facts = factsOf(world);
  const worst = (delays: readonly timing.Delay[]) => Math.max(0, ...delays.map(({ delayMs }) => delayMs));
  const updated = timing.delaysOf(facts, 'TransactionUpdated');
  // The reconciler finds them, at its own pace (I20).
  const isRepaired = ({ uuid }: timing.Delay) => lostOf(facts, uuid).length > 0;
  return {
    facts,
    findings: checks.flatMap((check) => check(facts)),
    worstUpdatedMs: worst(updated.filter((delay) => !isRepaired(delay))),
    worstRepairedMs: worst(updated.filter(isRepaired)),
    worstCompletedMs: worst(timing.delaysOf(facts, 'TransactionCompleted')),
  };
};
