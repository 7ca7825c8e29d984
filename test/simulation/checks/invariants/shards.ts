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
