import { Command, InvalidArgumentError } from 'commander';
import { createReport, progressOver } from '../simulation/report.ts';
import { randomFrom, seedOfRun } from '../support/builders/random.ts';
import { forgetReport, runJest, type Verdict } from './jest.ts';
import { type Patch, readPatches, replacementsOf } from './patch.ts';
import { copyTree, removeTree, takeOut } from './tree.ts';

type Options = { only?: string[]; sample?: number; seed?: number; markdown?: true; list?: true };

const wholeNumber = (text: string) => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Must be a whole number.');
  return Number(text);
};

const readOptions = () =>
  new Command('npm run test:mutants --')
    .description(
      'Takes one rule at a time out of a copy of the sources and runs the tests that guard it. Red when a rule can be taken out unseen.',
    )
    .option(
      '--only <id>',
      'only the patches whose id begins so; may be repeated',
      (id, ids: string[] = []) => [...ids, id],
    )
    .option('--sample <n>', 'only so many, chosen by the seed', wholeNumber)
    .option('--seed <n>', 'repeats a sample', wholeNumber)
    .option('--markdown', 'print the results as a Markdown table')
    .option('--list', 'print the patches and run nothing')
    .parse()
    .opts<Options>();

const chosenOf = (patches: readonly Patch[], { only, sample, seed }: Options): Patch[] => {
  const named = patches.filter(({ id }) => only === undefined || only.some((start) => id.startsWith(start)));
  if (sample === undefined || sample >= named.length) return named;
  const random = randomFrom(seed ?? seedOfRun(`${sample} of ${named.length} patches`));
  const drawn = named.map((patch) => ({ patch, order: random.next() })).sort((a, b) => a.order - b.order);
  return drawn.slice(0, sample).map(({ patch }) => patch);
};

/** `by` is absent when no test has failed, `fault` says why the patch could not be judged. */
type Result = { patch: Patch; by?: string; fault?: string; seconds: number };

/** An endless loop is a failure, too; all files together take as long as `npm test` on a busy machine. */
const limitOfOneMs = 180_000;
const limitOfAllMs = 1_800_000;

/** Its tests one after the other, until one fails. */
const judge = async (copy: string, patch: Patch): Promise<Result> => {
  const started = performance.now();
  const putBack = takeOut(copy, replacementsOf(patch));
  try {
    const found = await firstFailure(copy, patch);
    return { patch, ...found, seconds: (performance.now() - started) / 1_000 };
  } finally {
    putBack();
  }
};

const firstFailure = async (copy: string, { tests }: Patch): Promise<Pick<Result, 'by' | 'fault'>> => {
  for (const test of tests) {
    const { failed, broken, isEnded } = await runJest(copy, [test], limitOfOneMs);
    if (!isEnded) return { by: `${test}, which never ended` };
    if (failed[0] !== undefined) return { by: failed[0] };
    // A patch that cannot be loaded takes no rule out.
    if (broken !== '') return { fault: `${test} cannot run:\n${broken}` };
  }
  return {};
};

/** A test that is red without any patch catches nothing. */
const refuseRed = ({ failed, broken, isEnded }: Verdict) => {
  if (!isEnded) throw new Error('Without any patch the tests do not end.');
  if (failed.length > 0 || broken !== '')
    throw new Error(`Red without any patch:\n${failed.join('\n')}\n${broken}`);
};

const lineOf = ({ patch, by, fault, seconds }: Result) => {
  const verdict = by !== undefined ? 'caught  ' : fault !== undefined ? 'ERROR   ' : 'SURVIVED';
  return [`${verdict}  ${patch.id} (${seconds.toFixed(1)} s)`, by ?? fault ?? []].flat().join(': ');
};

const filesOf = (patch: Patch) => [...new Set(replacementsOf(patch).map(({ file }) => file))].join(', ');

const markdownTable = (results: readonly Result[]) =>
  [
    '| removed | rule | removed from | caught by |',
    '| --- | --- | --- | --- |',
    ...results.map(
      ({ patch, by }) => `| ${patch.id} | ${patch.rule} | ${filesOf(patch)} | ${by ?? '**nothing**'} |`,
    ),
  ].join('\n');

const run = async (chosen: readonly Patch[], { markdown }: Options): Promise<boolean> => {
  const report = createReport();
  /** With a table on standard output, the lines go beside it. */
  const print = markdown ? console.error : console.log;
  const copy = copyTree('patched');
  const results: Result[] = [];
  try {
    print(`first without any patch: the tests of ${chosen.length} patches`);
    refuseRed(await runJest(copy, [...new Set(chosen.flatMap(({ tests }) => tests))], limitOfAllMs));
    const progress = progressOver(chosen.length, 'patches');
    for (const patch of chosen) {
      const result = await judge(copy, patch);
      results.push(result);
      if (result.by !== undefined) report.pass();
      else
        report.fail(
          `without "${patch.rule}" (${patch.id})`,
          result.fault ?? `every test passes: ${patch.tests.join(', ')}`,
        );
      if (!process.stdout.isTTY) print(lineOf(result));
      progress.step();
    }
    progress.stop();
  } finally {
    removeTree(copy);
    forgetReport(copy);
  }
  if (markdown) console.log(markdownTable(results));
  else if (process.stdout.isTTY) console.log(results.map(lineOf).join('\n'));
  const caught = results.filter(({ by }) => by !== undefined).length;
  const faulty = results.filter(({ fault }) => fault !== undefined).length;
  console.log(
    `removed ${results.length - faulty}, caught ${caught}, survived ${results.length - caught - faulty}${faulty > 0 ? `, ${faulty} not judged` : ''}`,
  );
  return report.close();
};

const options = readOptions();
const chosen = chosenOf(await readPatches(), options);
if (chosen.length === 0) {
  console.error('No patch has such an id; --list prints them.');
  process.exitCode = 1;
} else if (options.list) console.log(chosen.map(({ id, rule }) => `${id}: ${rule}`).join('\n'));
else process.exitCode = (await run(chosen, options)) ? 0 : 1;
