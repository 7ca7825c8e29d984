import { Command } from 'commander';
import { numberOption } from '../support/run/numbers.ts';

const program = new Command('npm run bench --').description(
  'Measures one part and prints ratios, units and times beside their goals.',
);

/** A part is the file of its name, which gets the options. */
const part = (name: string, about: string) =>
  program
    .command(name)
    .description(about)
    .action(async (options: object) => (await import(`./${name}.ts`)).run(options));

const wholeNumber = numberOption({ least: 1, most: 9_999_999 });

part('list', 'what lists cost: read units and waves, and times over a bare Query').option(
  '--size <transactions>',
  'how many transactions to load',
  wholeNumber,
  1_000,
);
part('writes', 'what writes cost: write units and items');
part('events', 'what an event costs, and how fast workers tell a backlog and a resumed partner')
  .option('--rows <n>', 'due at once for each worker', wholeNumber, 3_000)
  .option('--kept <n>', 'of the partner that is resumed', wholeNumber, 5_000)
  .option('--seed <n>', 'of the worlds', wholeNumber, 1);
part('start', 'how long a new process takes to its first answer, over an empty handler');
part('hidden', 'whether an answer takes longer for a record that the caller may not see (S-36)');
part('contention', 'what writes of one group lose to each other, by a model');
part('anonymous', 'what calls of V1 without credentials cost and leave behind (S-41, TH-26)').option(
  '--calls <n>',
  'how many',
  wholeNumber,
  10_000,
);
part('cost', 'docs/cost.md and docs/capacity.md, from measured units and templates')
  .option('--measure', 'first measure the units anew on the real engine (half a minute)')
  .option('--write', 'write both instead of printing them');
part('weigh', 'what a browser fetches for each page of the documents');

await program.parseAsync();
