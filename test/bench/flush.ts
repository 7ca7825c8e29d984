import { type FlushFigures, runFlushWorld } from './flush-world.ts';
import { print } from './measuring.ts';

export const run = async ({ rows, seed }: { rows: number; seed: number }) => {
  const one = await runFlushWorld({ seed, workers: 1, changes: rows });
  const eight = await runFlushWorld({ seed, workers: 8, changes: 8 * rows });
  const row = (name: string, { events, perSecond, lostClaims }: FlushFigures, goal: string) => [
    ...[name, events, perSecond.toFixed(0), `${(perSecond / one.perSecond).toFixed(1)} ×`],
    ...[`${lostClaims} (${((100 * lostClaims) / events).toFixed(1)} %)`, goal],
  ];
  print(
    ['due in one second', 'events', 'a second', 'of one', 'lost claims', 'goal'],
    [row('1 worker', one, '≤ 1 %'), row('8 workers at once', eight, '≥ 6 ×, ≤ 1 %')],
  );
};
