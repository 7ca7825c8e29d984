import { Command, Option } from 'commander';
import { Report } from '../deploy/report.ts';
import { numberOption } from '../support/run/numbers.ts';
import { evaluate } from './checks/checks.ts';
import type { Finding } from './checks/facts.ts';
import { historyText } from './checks/history-text.ts';
import { repairedWithinMs } from './checks/invariants/timing.ts';
import { explore } from './explorer/explore.ts';
import { scenarios } from './explorer/scenarios.ts';
import { type FaultMode, faultModes } from './kernel/faults.ts';
import { directedWorlds, evaluateDirected } from './worlds/directed-worlds.ts';
import { comparePair, pairs } from './worlds/pairs.ts';
import { runWorld } from './worlds/world.ts';
import { randomWorld, transactionsInWorld } from './worlds/worlds.ts';

type Asked = { seed: number; runs: number; faults: FaultMode | 'all'; directed: boolean; orders: boolean };

/** Seeds have 32 bits. */
const number = numberOption({ least: 0, most: 2 ** 32 - 1 });

const readArguments = (): Asked =>
  new Command('npm run simulate --')
    .description(
      'Runs the production functions in random worlds of 20 transactions and an hour under a virtual clock and checks the invariants I1 to I23 of docs/rules.md after each, but I12 and I22. The same seed always comes to the same.',
    )
    .option('--seed <n>', 'of the first world; each further one has the next', number, 1)
    .option('--runs <n>', 'worlds of each kind', number, 100)
    .addOption(
      new Option('--faults <kind>', 'what may go wrong').choices([...faultModes, 'all']).default('all'),
    )
    .option('--no-directed', 'random worlds alone, without the directed ones and the interleavings')
    .option('--no-orders', 'without every order of the calls around one transaction, which takes minutes')
    .addHelpText(
      'after',
      '\nA failing world is replayed by its own line: --seed <its seed> --runs 1 --faults <its kind>',
    )
    .parse()
    .opts<Asked>();

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const grouped = (value: number) => value.toLocaleString('en-GB');

const goals = {
  none: ' (goals ≤ 140 s, ≤ 2 s)',
  one: ' (goals ≤ 180 s, ≤ 30 s)',
  many: '',
} as const;

/** Random worlds of one kind, and what they came to in a few lines. */
const proveKind = async (report: Report, mode: FaultMode, { seed, runs }: Asked) => {
  const sums = { commits: 0, claims: 0, arrivals: 0, struck: 0, happened: 0 };
  const worst = { worstUpdatedMs: 0, worstRepairedMs: 0, worstCompletedMs: 0 };
  for (let one = seed; one < seed + runs; one += 1)
    await report.prove(`--seed ${one} --runs 1 --faults ${mode}`, async () => {
      const world = await runWorld(randomWorld(one, { mode, hours: 1 }));
      const { facts, findings, ...late } = evaluate(world);
      for (const name of ['commits', 'claims', 'arrivals', 'struck'] as const)
        sums[name] += world.history[name].length;
      sums.happened += world.happened;
      for (const name of Object.keys(worst) as (keyof typeof worst)[])
        worst[name] = Math.max(worst[name], late[name]);
      if (findings.length > 0)
        throw new Error(`${findings.length} findings\n${historyText(facts, findings.slice(0, 5))}`);
    });
  console.log(
    [
      `faults ${mode}: ${grouped(runs)} worlds, ${grouped(runs * transactionsInWorld)} transaction-hours`,
      `  ${grouped(sums.commits)} changes, ${grouped(sums.claims)} events, ${grouped(sums.arrivals)} requests at receivers, ${grouped(sums.struck)} faults, ${grouped(sums.happened)} steps`,
      `  worst delay: TransactionUpdated ${seconds(worst.worstUpdatedMs)}, TransactionCompleted ${seconds(worst.worstCompletedMs)}${goals[mode]}`,
      `  worst update whose stream record was lost: ${seconds(worst.worstRepairedMs)} (goal ≤ ${seconds(repairedWithinMs)})`,
    ].join('\n'),
  );
};

const nothingIn = (findings: readonly Finding[]) => {
  const lines = findings.slice(0, 5).map((one) => JSON.stringify(one));
  if (lines.length > 0) throw new Error(lines.join('\n'));
};

/** Worlds made for one statement each, and pairs of worlds. */
const proveDirected = async (report: Report) => {
  for (const directed of directedWorlds)
    await report.prove(directed.title, async () => nothingIn(await evaluateDirected(directed)));
  for (const pair of pairs)
    for (const seed of pair.seeds)
      await report.prove(`${pair.title} (seed ${seed})`, async () =>
        nothingIn(await comparePair(pair, seed)),
      );
};

/** Every order of the calls around one transaction. */
const proveOrders = async (report: Report) => {
  for (const scenario of scenarios)
    await report.prove(`every order of ${scenario.name}`, async () => {
      const { findings, text } = await explore(scenario);
      if (findings.length > 0) throw new Error(text);
    });
};

const asked = readArguments();
const report = new Report();
for (const mode of faultModes)
  if (asked.faults === 'all' || asked.faults === mode) await proveKind(report, mode, asked);
const isWhole = asked.directed && asked.faults === 'all';
if (isWhole) await proveDirected(report);
if (isWhole && asked.orders) await proveOrders(report);
process.exitCode = report.close() ? 0 : 1;
