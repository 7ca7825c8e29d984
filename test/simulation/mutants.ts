import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';
import { readPatches } from '../mutation/patch.ts';
import { copyTree, removeTree, takeOut } from '../mutation/tree.ts';
import { type Mutant, mutants } from './mutant-list.ts';
import { createReport, progressOver } from './report.ts';
import type { Caught } from './suspect.ts';

const limitMs = 300_000;

/** Runs the checks over the copy in a process of its own; its last line is what caught the missing rule. */
const suspect = (copy: string): Promise<Caught> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--no-warnings', join(copy, 'test/simulation/suspect.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.on('close', (_code, signal) => {
      clearTimeout(timer);
      const last = output.trim().split('\n').at(-1) ?? '';
      if (last.startsWith('{')) resolve(JSON.parse(last) as Caught);
      else if (signal === 'SIGKILL') resolve({ after: `${limitMs / 1_000} s` });
      else reject(new Error(`The checks did not end:\n${errors.slice(-2_000)}`));
    });
  });

type MutantResult = { rule: string; from: string; caught: Caught };

const patches = await readPatches();

/** The files, and the patch that takes the same rule out of the real store. */
const placeOf = ({ rule, replacements }: Mutant) =>
  [
    ...new Set(replacements.map(({ file }) => file)),
    ...patches.filter((patch) => patch.rule === rule).map(({ id }) => `real store: ${id}`),
  ].join(', ');

const lineOf = ({ rule, caught }: MutantResult) =>
  `without "${rule}": ${caught.by ?? 'NOTHING'}, ${caught.after}`;

const markdownTable = (results: readonly MutantResult[]) =>
  [
    '| rule | removed from | caught by | after |',
    '| --- | --- | --- | --- |',
    ...results.map(
      ({ rule, from, caught }) => `| ${rule} | ${from} | ${caught.by ?? '**nothing**'} | ${caught.after} |`,
    ),
  ].join('\n');

const { only, markdown } = new Command('npm run simulate:mutants --')
  .description(
    'Removes each rule of the protocol in turn from a copy of the sources and runs the simulation until an invariant catches it. Red when a rule can be removed unseen.',
  )
  .option('--only <text>', 'only the rules whose name has this text', '')
  .option('--markdown', 'print the results as a Markdown table')
  .parse()
  .opts<{ only: string; markdown?: true }>();

const report = createReport();
const chosen = mutants.filter(({ rule }) => rule.includes(only));
const progress = progressOver(chosen.length, 'rules');
const results: MutantResult[] = [];
/** A progress bar and lines would overwrite each other on a terminal, so there the lines follow the bar. */
const printsAtOnce = !process.stdout.isTTY;
/** With a table on standard output, the lines go beside it. */
const print = markdown ? console.error : console.log;
const copy = copyTree('mutants');
for (const mutant of chosen) {
  const putBack = takeOut(copy, mutant.replacements);
  const caught = await suspect(copy);
  putBack();
  const result = { rule: mutant.rule, from: placeOf(mutant), caught };
  results.push(result);
  if (caught.by) report.pass();
  else report.fail(`without the rule "${mutant.rule}"`, 'nothing was found');
  progress.step();
  if (printsAtOnce) print(lineOf(result));
}
progress.stop();
removeTree(copy);
if (markdown) console.log(markdownTable(results));
else if (!printsAtOnce) console.log(results.map(lineOf).join('\n'));
process.exitCode = report.close() ? 0 : 1;
