import { dueShards } from '../../../../functions/shared/store/debounce/debounce-row-store.ts';
import { dueShardOf } from '../../../../functions/shared/store/debounce/keys.ts';
import { claimsLost } from '../../service/history.ts';
import { type Facts, type Finding, unless } from '../facts.ts';

/** I23: one message of a due shard is worked on at a time. */
export const shardsHaveOneWorker = ({ world: { history } }: Facts): Finding[] =>
  [...Map.groupBy(history.workers, ({ shard }) => shard)].flatMap(([shard, workers]) =>
    workers.slice(1).flatMap((one, index) => {
      const before = workers[index];
      const what = `${one.by} works off shard ${shard}, as ${before?.by} does`;
      return unless(!before || before.untilMs <= one.fromMs, { invariant: 'I23', atMs: one.fromMs, what });
    }),
  );

/** I23: a worker claims only rows of its shard, and never redrives. */
export const claimsAreOfTheShard = ({ world: { history } }: Facts): Finding[] => {
  const shardOf = new Map(history.workers.map(({ by, shard }) => [by, shard]));
  return history.claims.flatMap(({ atMs, by, key: { uuid } }) => {
    const shard = shardOf.get(by) ?? dueShardOf(uuid);
    const what = `${by} claims a row that is not of shard ${shard}`;
    return unless(shard === dueShardOf(uuid), { invariant: 'I23', uuid, atMs, what });
  });
};

/** EV-26: who works on first events sends nothing again before them: redrives are of a shard of their own. */
export const resendsHaveTheirShard = ({ world: { history } }: Facts): Finding[] => {
  const shardOf = new Map(history.workers.map(({ by, shard }) => [by, shard]));
  return history.notes.flatMap(({ atMs, by, call }) => {
    const isOfFirst = (shardOf.get(by) ?? dueShards) < dueShards;
    const what = `${by} works on first events, and sends one again`;
    return unless(call.method !== 'lease' || !isOfFirst, { invariant: 'EV-26', atMs, what });
  });
};

/** Claims that were lost to another invocation. Without concurrent changes there is no other reason. */
export const lostClaims = ({ world: { history } }: Facts): number =>
  history.notes.reduce((sum, { call, answer }) => sum + claimsLost(call, answer), 0);

/** How many workers there were at the same time, at most. */
export const workersAtOnce = ({ world }: Facts): number => {
  const { workers } = world.history;
  const atOnce = ({ fromMs }: { fromMs: number }) =>
    workers.filter((one) => one.fromMs <= fromMs && one.untilMs > fromMs).length;
  return Math.max(0, ...workers.map(atOnce));
};
