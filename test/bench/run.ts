import { Command } from 'commander';

const parts: Record<string, string> = {
  list: 'what lists cost, in read units and waves',
  writes: 'what writes cost, in write units',
  flush: 'how a backlog is published',
  start: 'what bundles weigh, and the first answer of a process',
  tokens: 'whether wrong secrets are answered as quickly as right ones',
  hidden: 'whether a hidden record takes longer than none',
  contention: 'what writes of one group lose to each other',
  anonymous: 'what calls without credentials cost',
  cost: 'docs/cost.md and docs/capacity.md',
  weigh: 'what the pages of the documents weigh',
};

const program = new Command('npm run bench --')
  .description('Measures one part and prints ratios, units and times beside their goals.')
  .argument('<part>', 'what to measure')
  .argument('[options...]', 'options of the part; --help after its name tells them')
  .allowUnknownOption()
  .helpOption(false)
  .addHelpText(
    'after',
    `\nParts:\n${Object.entries(parts)
      .map(([name, about]) => `  ${name.padEnd(12)}${about}`)
      .join('\n')}`,
  );

const [name = '--help'] = process.argv.slice(2);
if (['--help', '-h'].includes(name)) program.help();
if (!(name in parts))
  program.error(`There is no part ${name}: choose among ${Object.keys(parts).join(', ')}.`);
// The part reads its options as if it had been started by itself.
process.argv.splice(2, 1);
await import(`./${name}.ts`);
