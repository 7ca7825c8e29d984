import { shardsOf } from '../../../../functions/shared/domain/event/lane.ts';
import { allShards } from '../../../../functions/shared/publish/flush.ts';
import { dueShardOf } from '../../../../functions/shared/store/debounce/keys.ts';
import { claimsLost, type LaneTaken } from '../../service/history.ts';
import { type Facts, type Finding, skewMs } from '../facts.ts';

/** When a run left a lane: when it gave it back, or when its lease had ended. */
const endOf = ({ givenBackAtMs, untilMs }: LaneTaken) => Math.min(givenBackAtMs ?? untilMs, untilMs);

/** I23: no run takes a lane that another has. */
export const lanesHaveOneRun = (facts: Facts): Finding[] =>
  [...Map.groupBy(facts.world.history.lanes, ({ lane }) => lane)].flatMap(([lane, taken]) =>
    taken.flatMap((one, index) => {
      const other = taken.slice(0, index).find((before) => {
        const isHeld = endOf(before) - skewMs(facts) > one.atMs;
        return before.by !== one.by && isHeld;
      });
      const what = `${one.by} takes lane ${lane}, which ${other?.by} has`;
      return other ? [{ invariant: 'I23', atMs: one.atMs, what }] : [];
    }),
  );

/** I23: a run that has a lane claims nothing of another. */
export const claimsAreOfTheLane = ({ world: { history } }: Facts): Finding[] => {
  const lanesBy = Map.groupBy(history.lanes, ({ by }) => by);
  return history.claims.flatMap(({ atMs, by, key: { uuid } }) => {
    const held = lanesBy.get(by)?.filter((one) => one.atMs <= atMs) ?? [];
    const isOfLane = held.some((one) => shardsOf(one, allShards).includes(dueShardOf(uuid)));
    const what = `${by} claims a row of another lane`;
    return held.length === 0 || isOfLane ? [] : [{ invariant: 'I23', uuid, atMs, what }];
  });
};

/** Claims that another run was faster with; where nothing is changed in between, there is no other reason. */
export const lostClaims = ({ world: { history } }: Facts): number =>
  history.notes.reduce((sum, { call, answer }) => sum + claimsLost(call, answer), 0);

/** Runs that never gave back their lane. */
export const keptLanes = ({ world: { history } }: Facts): number =>
  history.lanes.filter(({ givenBackAtMs }) => givenBackAtMs === undefined).length;

/** How many runs had a lane at the same time, at most. */
export const runsAtOnce = ({ world: { history } }: Facts): number =>
  Math.max(
    0,
    ...history.lanes.map(
      ({ atMs }) => history.lanes.filter((one) => one.atMs <= atMs && endOf(one) > atMs).length,
    ),
  );

/** How long a lane with work left waited for its next run, at worst. */
export const longestPauseMs = ({ world: { history } }: Facts): number =>
  Math.max(
    0,
    ...[...Map.groupBy(history.lanes, ({ lane }) => lane).values()].flatMap((taken) =>
      taken.slice(1).map((one, index) => {
        const hasWork = history.claims.some(({ by }) => by === one.by);
        const before = taken[index];
        return before && hasWork ? one.atMs - endOf(before) : 0;
      }),
    ),
  );
