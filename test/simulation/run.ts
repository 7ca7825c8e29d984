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
import { stormyWorld } from './worlds/storms.ts';
import { runWorld } from './worlds/world.ts';
import type { WorldPlan } from './worlds/world-plan.ts';
import { randomWorld } from './worlds/worlds.ts';

type Asked = {
  seed: number;
  runs: number;
  faults: FaultMode | 'all';
  worlds: boolean;
  storms: boolean;
  directed: boolean;
  orders: boolean;
  only: string;
};

/** Seeds have 32 bits. */
const number = numberOption({ least: 0, most: 2 ** 32 - 1 });

const readArguments = (): Asked =>
  new Command('npm run simulate --')
    .description(
      'Runs the production functions of events under a virtual clock and checks the invariants of docs/rules.md. The same seed always comes to the same.',
    )
    .option('--seed <n>', 'of the first world; each further one has the next', number, 1)
    .option('--runs <n>', 'random worlds and storms of each kind', number, 100)
    .addOption(
      new Option('--faults <kind>', 'what may go wrong').choices([...faultModes, 'all']).default('all'),
    )
    .option('--only <text>', 'directed worlds, pairs and scenarios whose title contains this', '')
    .option('--no-worlds', 'without random worlds')
    .option('--no-storms', 'without storms')
    .option('--no-directed', 'without directed worlds and pairs')
    .option(
      '--no-orders',
      'without every order of the calls around one transaction, which takes many minutes',
    )
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

type Kind = { name: string; options: string; planOf: (seed: number, mode: FaultMode) => WorldPlan };
const randomWorlds: Kind = {
  name: 'random worlds',
  options: '--no-storms',
  planOf: (seed, mode) => randomWorld(seed, { mode, hours: 1 }),
};
const storms: Kind = { name: 'storms', options: '--no-worlds', planOf: stormyWorld };

/** Worlds of one kind, and what they came to in a few lines. */
const proveKind = async (
  report: Report,
  { name, options, planOf }: Kind,
  mode: FaultMode,
  { seed, runs }: Asked,
) => {
  const sums = { commits: 0, accepted: 0, arrivals: 0, struck: 0, happened: 0 };
  const worst = { worstUpdatedMs: 0, worstRepairedMs: 0, worstCompletedMs: 0 };
  for (let one = seed; one < seed + runs; one += 1)
    await report.prove(`--seed ${one} --runs 1 --faults ${mode} ${options}`, async () => {
      const world = await runWorld(planOf(one, mode));
      const { facts, findings, ...late } = evaluate(world);
      for (const counted of ['commits', 'accepted', 'arrivals', 'struck'] as const)
        sums[counted] += world.history[counted].length;
      sums.happened += world.happened;
      for (const delay of Object.keys(worst) as (keyof typeof worst)[])
        worst[delay] = Math.max(worst[delay], late[delay]);
      if (findings.length > 0)
        throw new Error(`${findings.length} findings\n${historyText(facts, findings.slice(0, 5))}`);
    });
  console.log(
    [
      `${name}, faults ${mode}: ${grouped(runs)}`,
      `  ${grouped(sums.commits)} changes, ${grouped(sums.accepted)} events, ${grouped(sums.arrivals)} requests at receivers, ${grouped(sums.struck)} faults, ${grouped(sums.happened)} steps`,
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
const proveDirected = async (report: Report, { only }: Asked) => {
  for (const directed of directedWorlds.filter(({ title }) => title.includes(only)))
    await report.prove(directed.title, async () => nothingIn(await evaluateDirected(directed)));
  for (const pair of pairs.filter(({ title }) => title.includes(only)))
    for (const seed of pair.seeds)
      await report.prove(`${pair.title} (seed ${seed})`, async () =>
        nothingIn(await comparePair(pair, seed)),
      );
};

/** Every order of the calls around one transaction, within bounds. */
const proveOrders = async (report: Report, { only }: Asked) => {
  let sum = 0;
  for (const scenario of scenarios.filter(({ name }) => name.includes(only)))
    await report.prove(`every order of ${scenario.name}`, async () => {
      const { orders, findings, text } = await explore(scenario);
      sum += orders;
      if (findings.length > 0) throw new Error(text);
    });
  console.log(`orders: ${grouped(sum)}`);
};

const asked = readArguments();
const report = new Report();
const modes = faultModes.filter((mode) => asked.faults === 'all' || asked.faults === mode);
if (asked.worlds) for (const mode of modes) await proveKind(report, randomWorlds, mode, asked);
if (asked.storms) for (const mode of modes) await proveKind(report, storms, mode, asked);
const isWhole = asked.faults === 'all';
if (asked.directed && isWhole) await proveDirected(report, asked);
if (asked.orders && isWhole) await proveOrders(report, asked);
process.exitCode = report.close() ? 0 : 1;
