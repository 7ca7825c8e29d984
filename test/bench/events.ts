import { Command, Option } from 'commander';
import { printRegistered } from './events-registered.ts';
import { printStage } from './events-stage.ts';
import { printUnits } from './events-units.ts';
import { printWeight } from './events-weight.ts';
import { wholeNumberFrom } from './options.ts';
import { print } from './print.ts';

const parts = { units: printUnits, registered: printRegistered, weight: printWeight, stage: printStage };

const { only, partners } = new Command('bench -- events')
  .description(
    'Prints what a change and its event cost on the real engine, also among a thousand partners, what becomes of a thousand partners on a virtual clock, and how fast the embedded stage takes an import and publishes what is due. Goals stand beside.',
  )
  .addOption(new Option('--only <part>', 'one part alone').choices(Object.keys(parts)))
  .option('--partners <count>', 'so many registered partners, beside ten', wholeNumberFrom(10), 1_000)
  .parse()
  .opts<{ only?: string; partners: number }>();

for (const [name, printPart] of Object.entries(parts))
  if ((only ?? name) === name) await printPart(print, { partners });
