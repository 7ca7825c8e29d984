import { Command, InvalidArgumentError, Option } from 'commander';
import { evaluate } from './checks/checks.ts';
import type { Finding } from './checks/facts.ts';
import { historyText } from './checks/history-text.ts';
import { reconciliationOf } from './checks/invariants/sending.ts';
import { repairedWithinMs } from './checks/invariants/timing.ts';
import { explore } from './explorer/explore.ts';
import { scenarios } from './explorer/scenarios.ts';
import { type FaultMode, faultModes } from './kernel/faults.ts';
import { createReport, progressOver, type Report } from './report.ts';
import { directedWorlds, evaluateDirected } from './worlds/directed-worlds.ts';
import { comparePair, pairs } from './worlds/pairs.ts';
import { runWorld } from './worlds/world.ts';
import { randomWorld, transactionsInWorld } from './worlds/worlds.ts';

type Asked = { seed: number; runs: number; faults: FaultMode | 'all'; hours: number; directed: boolean };

const number = (text: string) => {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new InvalidArgumentError('Must be a number from 0.');
  return value;
};

const readArguments = (): Asked =>
  new Command('npm run simulate --')
    .description(
      'Runs the production functions in random worlds of 20 transactions under a virtual clock and checks the invariants I1 to I21 and I23 of docs/rules.md after each. The same seed always comes to the same.',
    )
    .option('--seed <n>', 'of the first world; each further one has the next', number, 1)
    .option('--runs <n>', 'worlds of each kind', number, 100)
    .addOption(
      new Option('--faults <kind>', 'what may go wrong').choices([...faultModes, 'all']).default('all'),
    )
    .option('--hours <n>', 'virtual hours in which things are done', number, 1)
    .option('--no-directed', 'random worlds alone, without the directed ones and the interleavings')
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
const runKind = async (mode: FaultMode, { seed, runs, hours }: Asked, report: Report) => {
  const sums = { commits: 0, claims: 0, arrivals: 0, struck: 0, happened: 0 };
  const worst = { worstUpdatedMs: 0, worstRepairedMs: 0, worstCompletedMs: 0 };
  const deliveryLog = { made: 0, delivered: 0, failed: 0, withheld: 0, difference: 0 };
  const started = performance.now();
  const progress = progressOver(runs, `faults: ${mode}`);
  for (let run = 0; run < runs; run += 1) {
    const world = await runWorld(randomWorld(seed + run, { mode, hours }));
    const { facts, findings, ...late } = evaluate(world);
    for (const name of ['commits', 'claims', 'arrivals', 'struck'] as const)
      sums[name] += world.history[name].length;
    sums.happened += world.happened;
    for (const name of Object.keys(worst) as (keyof typeof worst)[])
      worst[name] = Math.max(worst[name], late[name]);
    const reconciled = reconciliationOf(facts);
    for (const name of Object.keys(deliveryLog) as (keyof typeof deliveryLog)[])
      deliveryLog[name] += reconciled[name];
    if (findings.length === 0) report.pass();
    else
      report.fail(
        `--seed ${seed + run} --runs 1 --faults ${mode} --hours ${hours}: ${findings.length} findings`,
        historyText(facts, findings.slice(0, 5)),
      );
    progress.step();
  }
  progress.stop();
  console.log(
    [
      `faults ${mode}: ${grouped(runs)} worlds, ${grouped(runs * hours * transactionsInWorld)} transaction-hours, seeds ${seed} to ${seed + runs - 1}, ${seconds(performance.now() - started)}`,
      `  ${grouped(sums.commits)} changes, ${grouped(sums.claims)} events, ${grouped(sums.arrivals)} requests at receivers, ${grouped(sums.struck)} faults, ${grouped(sums.happened)} steps`,
      `  worst delay: TransactionUpdated ${seconds(worst.worstUpdatedMs)}, TransactionCompleted ${seconds(worst.worstCompletedMs)}${goals[mode]}`,
      `  worst update whose stream record was lost: ${seconds(worst.worstRepairedMs)} (goal ≤ ${seconds(repairedWithinMs)})`,
      `  events made ${grouped(deliveryLog.made)} = delivered ${grouped(deliveryLog.delivered)} + failed ${grouped(deliveryLog.failed)} + withheld ${grouped(deliveryLog.withheld)}, difference ${deliveryLog.difference}`,
    ].join('\n'),
  );
};

/** Worlds made for one statement each, pairs of worlds, and orders of calls. */
const runDirected = async (report: Report) => {
  const tell = (title: string, findings: readonly Finding[], text: string, more = '') => {
    if (findings.length === 0) report.pass();
    else report.fail(title, text);
    console.log(`  ${findings.length === 0 ? 'ok    ' : 'FAILED'}  ${title}${more}`);
  };
  const prove = async (title: string, proof: Promise<readonly Finding[]>) => {
    const findings = await proof;
    const lines = findings.slice(0, 5).map((one) => JSON.stringify(one));
    tell(title, findings, lines.join('\n'));
  };
  console.log('directed worlds and pairs of worlds:');
  for (const directed of directedWorlds) await prove(directed.title, evaluateDirected(directed));
  for (const pair of pairs)
    for (const seed of pair.seeds) await prove(`${pair.title} (seed ${seed})`, comparePair(pair, seed));
  console.log('every order of the calls around one transaction, within bounds:');
  for (const scenario of scenarios) {
    const { orders, findings, text } = await explore(scenario);
    tell(scenario.name, findings, text, `: ${grouped(orders)} orders`);
  }
};

const asked = readArguments();
const report = createReport();
const started = performance.now();
for (const mode of faultModes)
  if (asked.faults === 'all' || asked.faults === mode) await runKind(mode, asked, report);
if (asked.directed && asked.faults === 'all') await runDirected(report);
console.log(`after ${seconds(performance.now() - started)}:`);
process.exitCode = report.close() ? 0 : 1;
