import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { run } from '../deploy/processes.ts';
import type { Report } from '../deploy/report.ts';
import { runProofs } from '../deploy/run-proofs.ts';
import { root } from '../support/repository.ts';
import { startStage } from '../support/stage/stage.ts';
import { compilers, consumer, languageSettings } from './kit-consumer.ts';
import { proveUse } from './kit-use.ts';
import { inPlace, makePlace, project } from './place.ts';

/** `npm run check -- kit`: installs and uses the kit as its users do (KIT-17). */
new Command('npm run check -- kit')
  .description(
    'Builds partner-kit, has publint and attw judge its package, installs that alone into an empty folder, and uses it from ESM, CommonJS, TypeScript 5 and 7, in receivers over node:http and Express, and as a command beside a stage.',
  )
  .parse();

const kit = join(root, 'partner-kit');
const folder = inPlace('kit');
const installed = join(folder, 'node_modules/@transactions/partner-kit');

const runHere = (command: string, args: string[], cwd = folder) =>
  run({ command, args, cwd, ...{ ...project, logFile: inPlace('kit.log'), timeoutSeconds: 300 } });

const pack = async () => {
  const printed = await runHere(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    kit,
  );
  const [{ filename, files }] = JSON.parse(printed) as [{ filename: string; files: { path: string }[] }];
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
};

const assertOnlyPublished = (files: readonly string[]) => {
  const others = files.filter(
    (path) => !/^(dist\/.+|receivers\/receiver\.(php|py)|README\.md|package\.json)$/.test(path),
  );
  if (others.length > 0) throw new Error(`These do not belong into the package: ${others.join(', ')}`);
  const { dependencies } = JSON.parse(readFileSync(join(kit, 'package.json'), 'utf8'));
  if (dependencies !== undefined) throw new Error('The kit is to depend on no package.');
};

const install = async (tarball: string) => {
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  await runHere('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--ignore-scripts',
    tarball,
    ...forTheReadme,
  ]);
  for (const [name, text] of Object.entries(consumer)) writeFileSync(join(folder, name), text);
};

/** What its README is used with, and is no part of the kit. */
const forTheReadme = ['express@5.3.0', '@types/express@5.0.6'];

/** Both say `ok` when what they import is what they expect; of the library alone, nothing else may be loaded. */
const assertRuns = async (file: string) => {
  const printed = await runHere('node', [file]);
  if (printed.trim() !== 'ok') throw new Error(`${file} printed ${printed}`);
};

if (!existsSync(join(kit, 'node_modules/typescript')))
  throw new Error('Run npm ci first: the kit has a compiler of its own.');

/** A stage needs as long as the package, so it starts beside it. */
const starting = startStage({ demo: true });
starting.catch(() => undefined);

const proveKit = async (report: Report) => {
  makePlace();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await report.need('KIT-17 the kit is built', () => runHere('npm', ['run', '--silent', 'build:kit'], root));
  const { tarball, files } = await report.need('KIT-17 the kit is packed', pack);
  await report.prove('KIT-17 the package holds what is published, and depends on no package', async () =>
    assertOnlyPublished(files),
  );
  await report.prove('KIT-17 publint finds nothing', () => runHere('publint', ['--strict', kit], root));
  await report.prove('KIT-17 attw finds nothing', () => runHere('attw', [tarball], root));
  await report.need('KIT-17 KIT-19 the package is installed alone, beside the code of its README', () =>
    install(tarball),
  );
  await report.prove('KIT-17 it is used from ESM', () => assertRuns('consumer.mjs'));
  await report.prove('KIT-17 it is used from CommonJS', () => assertRuns('consumer.cjs'));
  for (const [version, compiler] of Object.entries(compilers))
    for (const [name, settings] of Object.entries(languageSettings))
      await report.prove(`KIT-17 its types hold under TypeScript ${version}, ${name}`, async () => {
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
        await runHere('node', [compiler, '-p', '.']);
      });
  const stage = await report.need('KIT-17 a stage with a demo partner runs', () => starting);
  await proveUse({ folder, stage }, report);
  report.announce(
    `${statSync(tarball).size} bytes packed, ${statSync(join(installed, 'dist/index.js')).size} of library`,
  );
};

await runProofs(async (report) => {
  try {
    await proveKit(report);
  } finally {
    await (await starting.catch(() => undefined))?.stop();
  }
});
