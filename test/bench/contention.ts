import { Command } from 'commander';
import { modelled } from './contention/modelled.ts';
import {
  before,
  deployed,
  type Numbers,
  type Scenario,
  scenarios,
  shareAt,
  shareOf,
} from './contention/scenarios.ts';
import { markdownTable } from './cost/markdown.ts';

new Command('bench -- contention')
  .description(
    'Prints what writes of one group lose to each other by the model of contention, with the deployed numbers and with those before S-79.',
  )
  .parse();

const shown = ({ taken, atOnce }: { taken: number; atOnce: number }) => `${taken} % (${atOnce} %)`;

/** The former rate keeps the model busy: a minute of it says enough. */
const formerly = (name: Scenario) => shareOf(name, before, { seconds: 120 });

const rows = await Promise.all(
  (Object.keys(scenarios) as Scenario[]).map(async (name) => [
    name,
    shown(await shareOf(name, deployed)),
    shown(await formerly(name)),
  ]),
);
const rateRow = async (perSecond: number) => {
  const at = async (numbers: Numbers) => shown(await shareAt(perSecond, numbers));
  return [`${perSecond} a second, alone`, await at(deployed), await at(before)];
};
const rates = await Promise.all([1, 5, 10, 20, 40, 45, 60].map(rateRow));
console.log(
  markdownTable(
    ['beside 5 honest writes a second', 'taken (at the first try)', 'before'],
    [...rows, ...rates],
  ),
);

const outdated = Object.entries(modelled.besides).filter(
  ([name, [taken, atOnce]]) =>
    !rows.some(([scenario, now]) => scenario === name && now === shown({ taken, atOnce })),
);
if (outdated.length > 0)
  throw new Error(`modelled.ts has other figures for: ${outdated.map(([name]) => name).join('; ')}`);
