import Table from 'cli-table3';
import { Command } from 'commander';
import { printStage } from './events-stage.ts';
import { printUnits } from './events-units.ts';
import { printWeight } from './events-weight.ts';

const parts = { units: printUnits, weight: printWeight, stage: printStage };

const { only } = new Command('bench:events')
  .description(
    'Prints what a change and its event cost on the real engine, what becomes of a thousand partners on a virtual clock, and how fast the embedded stage takes an import and publishes what is due. Goals stand beside.',
  )
  .option('--only <part>', 'units, weight or stage')
  .parse()
  .opts<{ only?: string }>();

const print = (head: string[], rows: (string | number)[][]) => {
  const table = new Table({ style: { head: [], border: [] }, head });
  table.push(...rows);
  console.log(table.toString());
};

for (const [name, printPart] of Object.entries(parts)) if ((only ?? name) === name) await printPart(print);
