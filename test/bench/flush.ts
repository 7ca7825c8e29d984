import { Command, Option } from 'commander';
import type { Call } from '../simulation/kernel/process.ts';
import { progressOver } from '../simulation/report.ts';
import { printWeight } from './events-weight.ts';
import { printProcessorTime } from './flush/processor-time.ts';
import { printRedrives } from './flush/redrives.ts';
import { type FlushPlan, runFlushWorld } from './flush/world.ts';
import { wholeNumberFrom } from './options.ts';
import { type Print, print } from './print.ts';

const asked = new Command('bench -- flush')
  .description(
    'Prints how fast what is due is published: by one run and by eight on a virtual clock, at 1,000 changes a second with the units of the busiest partitions, for 1,000 partners, for first events behind 10,000 redrives, and the processor time of one run over the engine. Goals stand beside.',
  )
  .addOption(
    new Option('--only <part>', 'one part alone').choices(['runs', 'load', 'weight', 'redrives', 'cpu']),
  )
  .option('--rows <n>', 'due at once for each run that works on them', wholeNumberFrom(1), 3_000)
  .option('--seconds <n>', 'of 1,000 changes each', wholeNumberFrom(1), 600)
  .option('--seed <n>', 'of the worlds', wholeNumberFrom(1), 1)
  .parse()
  .opts<{ only?: string; rows: number; seconds: number; seed: number }>();

const production = 8;
const groups = 20;

/** There and back: eight milliseconds to a table, fifty to the bus. */
const wayOfAws = ({ port, method }: Call) => (method === 'putEvents' ? 50 : port === 'queue' ? 20 : 8);

const common: Pick<FlushPlan, 'seed' | 'groups' | 'ownMs'> = { seed: asked.seed, groups, ownMs: 0.5 };

const printRuns = async (print: Print): Promise<void> => {
  const due = (workers: number) =>
    runFlushWorld({
      ...common,
      workers,
      changesPerSecond: asked.rows * workers,
      seconds: 1,
      wayMs: wayOfAws,
    });
  const [one, eight] = [await due(1), await due(production)];
  const row = (name: string, { events, perSecond, lostClaims, runs }: typeof one, goal: string) => [
    ...[name, events, perSecond.toFixed(0), `${(perSecond / one.perSecond).toFixed(1)} ×`],
    ...[`${lostClaims} (${((100 * lostClaims) / events).toFixed(1)} %)`, runs, goal],
  ];
  print(
    ['due in one second', 'events', 'a second', 'of one', 'lost claims', 'runs', 'goal'],
    [row('1 worker', one, '≤ 1 %'), row('8 workers at once', eight, '≥ 6 ×, ≤ 1 %')],
  );
};

const printLoad = async (print: Print): Promise<void> => {
  const progress = progressOver(asked.seconds + 120, 'seconds');
  const figures = await runFlushWorld({
    ...{ ...common, workers: production, changesPerSecond: 1_000, seconds: asked.seconds, wayMs: () => 10 },
    onSecond: () => progress.step(),
  });
  progress.stop();
  const { read, write } = figures.peaks;
  print(
    [`1,000 changes a second for ${asked.seconds} s`, 'measured', 'goal'],
    [
      ['events', figures.events, asked.seconds * 1_000],
      ['from the change until it is sent, at worst', `${(figures.worstMs / 1_000).toFixed(1)} s`, '≤ 180 s'],
      [`read units a second: ${read.partition}`, read.unitsPerSecond, '≤ 3,000'],
      [`write units a second: ${write.partition}`, write.unitsPerSecond, '≤ 1,000'],
      ['lost claims', figures.lostClaims, '≤ 1 %'],
      ['runs', figures.runs, ''],
    ],
  );
};

const parts = {
  runs: printRuns,
  load: printLoad,
  weight: printWeight,
  redrives: printRedrives,
  cpu: printProcessorTime,
};
for (const [name, printPart] of Object.entries(parts))
  if ((asked.only ?? name) === name) await printPart(print);
process.exit(0);
