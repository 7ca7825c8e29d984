import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { run } from '../deploy/processes.ts';
import { pythonEnvironment } from '../deploy/python.ts';
import type { Report } from '../deploy/report.ts';
import { runProofs } from '../deploy/run-proofs.ts';
import { root } from '../support/repository.ts';
import { numberOption } from '../support/run/numbers.ts';
import { startStage } from '../support/stage/stage.ts';
import { answersIn, onlyRefused } from './answers.ts';
import { callersOn, documentFor, settingsFor } from './place.ts';
import { askAllQueries } from './queries/run.ts';

/**
 * `npm run nightly -- schemathesis`: sends a stage everything that docs/openapi.json permits, and much that it forbids,
 * and compares every answer with the document. Schemathesis cannot generate parameters such as `filter[status]`, so a
 * generator of ours does, with the same checks.
 */
const place = join(root, '.local', 'schemathesis');
const inPlace = (name: string) => join(place, name);

const number = numberOption({ least: 1, most: 2 ** 32 - 1 });
const { cases, queries, seed } = new Command('npm run nightly -- schemathesis --')
  .option('--cases <n>', 'of Schemathesis for each operation', number, 10)
  .option('--queries <n>', 'of our own generator', number, 300)
  .option('--seed <n>', 'of both', number, 1)
  .parse()
  .opts<{ cases: number; queries: number; seed: number }>();
process.env.SEED ??= String(seed);

/** The part of its final report that is read here. */
type Outcome = {
  complete: boolean;
  operations: { total: number; tested: number };
  test_cases: { generated: number };
  failures: { title: string; count: number; operations: string[] }[];
  errors: unknown[];
};

const ask = async (report: Report): Promise<Outcome> => {
  const folder = inPlace('python');
  const requirementsFile = join(import.meta.dirname, 'requirements.txt');
  await report.need('Schemathesis is installed', () =>
    pythonEnvironment({ folder, requirementsFile, modules: 'schemathesis' }),
  );
  const stage = await report.need('a stage is up, with its demo data', () => startStage({ demo: true }));
  try {
    writeFileSync(inPlace('openapi.json'), documentFor(stage));
    const callers = await callersOn(stage);
    writeFileSync(inPlace('schemathesis.toml'), settingsFor(callers), { mode: 0o600 });
    await askAllQueries({ report, stage, callers, cases: queries });
    writeFileSync(inPlace('given.json'), JSON.stringify({ ...callers, seed }), { mode: 0o600 });
    copyFileSync(join(import.meta.dirname, 'hooks.py'), inPlace('hooks.py'));
    return await answersTo(stage.baseUrl, join(folder, 'bin', 'schemathesis'));
  } finally {
    await stage.stop();
    for (const name of ['schemathesis.toml', 'given.json']) rmSync(inPlace(name), { force: true });
  }
};

/** It ends with 1 where something failed: then what it wrote says what. */
const answersTo = async (baseUrl: string, command: string): Promise<Outcome> => {
  rmSync(inPlace('outcome.json'), { force: true });
  const args = [
    ...['--config-file', inPlace('schemathesis.toml'), 'run', inPlace('openapi.json'), '--url', baseUrl],
    // Two at once parse Python side by side, at which Python 3.11 fails now and then.
    ...[
      '--max-examples',
      `${cases}`,
      '--seed',
      `${seed}`,
      '--workers',
      '1',
      '--no-color',
      '--report',
      'json,har',
    ],
    ...['--report-json-path', inPlace('outcome.json'), '--report-har-path', inPlace('all.har')],
  ];
  await run({
    ...{ command, args, timeoutSeconds: 1_800 },
    env: { ...process.env, PYTHONPATH: place },
    logFile: inPlace('log.txt'),
  }).catch(() => {});
  return JSON.parse(readFileSync(inPlace('outcome.json'), 'utf8')) as Outcome;
};

const judge = async (report: Report, { complete, operations, test_cases, failures, errors }: Outcome) => {
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  console.log(`Operations: ${operations.tested} of ${operations.total}`);
  console.log(`Cases:      ${test_cases.generated}`);
  console.log(`Failures:   ${failed}`);
  for (const { title, count, operations: of } of failures)
    console.log(`  ${title} (${count}): ${of.join(', ')}`);
  await report.prove('OA-6 every operation was asked, to the end', async () => {
    if (!complete || errors.length > 0 || operations.tested !== operations.total)
      throw new Error(`${operations.tested} of ${operations.total}\n${sectionOf('ERRORS')}`);
  });
  await report.prove('OA-6 every operation was taken at least once, with what is sound', async () => {
    const refused = onlyRefused(answersIn(inPlace('all.har')));
    if (refused.length > 0) throw new Error(`Only refused: ${refused.join(', ')}`);
  });
  await report.prove('OA-6 every answer is what docs/openapi.json says', async () => {
    if (failed > 0) throw new Error(`${failed} are not: ${inPlace('log.txt')}\n${sectionOf('FAILURES')}`);
  });
};

/** What it prints under a heading, without blank lines: the log is gone where CI ran. */
const sectionOf = (heading: string): string => {
  const parts = readFileSync(inPlace('log.txt'), 'utf8').split(/^=+ ([A-Z]+) =+$/m);
  const lines = (parts[parts.indexOf(heading) + 1] ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(0, 40)
    .map((line) => line.slice(0, 600))
    .join('\n');
};

mkdirSync(place, { recursive: true });
await runProofs(async (report) => judge(report, await ask(report)));
