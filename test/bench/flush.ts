import { Command } from 'commander';
import { type FlushFigures, runFlushWorld } from './flush/world.ts';
import { wholeNumberFrom } from './options.ts';
import { print } from './print.ts';

const { rows, seed } = new Command('bench -- flush')
  .description(
    'Prints how fast what is due is published, by one worker and by eight on a virtual clock. Goals stand beside.',
  )
  .option('--rows <n>', 'due at once for each worker', wholeNumberFrom(1), 3_000)
  .option('--seed <n>', 'of the worlds', wholeNumberFrom(1), 1)
  .parse()
  .opts<{ rows: number; seed: number }>();

const [one, eight] = [
  await runFlushWorld({ seed, workers: 1, changes: rows }),
  await runFlushWorld({ seed, workers: 8, changes: 8 * rows }),
];
const row = (name: string, { events, perSecond, lostClaims, runs }: FlushFigures, goal: string) => [
  ...[name, events, perSecond.toFixed(0), `${(perSecond / one.perSecond).toFixed(1)} ×`],
  ...[`${lostClaims} (${((100 * lostClaims) / events).toFixed(1)} %)`, runs, goal],
];
print(
  ['due in one second', 'events', 'a second', 'of one', 'lost claims', 'runs', 'goal'],
  [row('1 worker', one, '≤ 1 %'), row('8 workers at once', eight, '≥ 6 ×, ≤ 1 %')],
);
process.exit(0);
