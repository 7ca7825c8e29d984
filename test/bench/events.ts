import Table from 'cli-table3';
import { Command } from 'commander';
import { printStage } from './events-stage.ts';
import { printUnits } from './events-units.ts';

new Command('bench:events')
  .description(
    'Prints what a change and its event cost on the real engine, and how fast the embedded stage takes an import and publishes what is due. Goals stand beside.',
  )
  .parse();

const print = (head: string[], rows: (string | number)[][]) => {
  const table = new Table({ style: { head: [], border: [] }, head });
  table.push(...rows);
  console.log(table.toString());
};

await printUnits(print);
await printStage(print);
