import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { root } from '../support/repository.ts';

const program = new Command('npm run test:mutation --')
  .description(
    'Changes product code in small ways with StrykerJS and lists the changes that no unit test sees.',
  )
  .argument('<paths...>', 'folders or files to change')
  .option(
    '--tests <path>',
    'run only the unit tests under this folder, which is many times faster',
    'test/unit',
  )
  .addHelpText('after', '\nThe first run installs StrykerJS under .local/mutation.')
  .parse();
const { tests } = program.opts<{ tests: string }>();

const folder = join(root, '.local', 'mutation');

/** Installs what the lock file names. The copy of the lock file is written last, so an interrupted installation starts again. */
const install = () => {
  const wanted = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8');
  if (contentOf(join(folder, 'installed.json')) === wanted) return;
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(import.meta.dirname, name), join(folder, name));
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', folder], { cwd: folder, stdio: 'inherit' });
  writeFileSync(join(folder, 'installed.json'), wanted);
};

const contentOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const patterns = program.args.map((path) =>
  statSync(join(root, path)).isDirectory() ? `${path}/**/*.ts` : path,
);

install();
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const config = 'test/mutation/stryker.config.json';
const { status } = spawnSync(process.execPath, [stryker, 'run', config, '--mutate', patterns.join(',')], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, MUTATION_TESTS: tests },
});
process.exitCode = status ?? 1;
