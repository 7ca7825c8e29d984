import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { path } from '../deploy/places.ts';
import { run } from '../deploy/processes.ts';
import { root } from '../support/repository.ts';

const place = join(root, '.local', 'generators');
/** A path in the folder where other generators are installed and their clients are made. */
export const inPlace = (name: string): string => join(place, name);

/** The environment of the shell, since npm needs its proxies and registry; the pinned Node comes first. */
const env = { ...process.env, PATH: path };

const files = ['package.json', 'package-lock.json'];
const wanted = (name: string) => join(import.meta.dirname, 'packages', name);

/** Installs `packages/package-lock.json` once, and again after a change of it. None of its scripts runs. */
export const installPackages = async (): Promise<void> => {
  mkdirSync(place, { recursive: true });
  if (isInstalled()) return;
  for (const name of files) copyFileSync(wanted(name), inPlace(name));
  await run({
    command: 'npm',
    args: ['ci', '--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
    ...{ env, logFile: inPlace('npm.log'), timeoutSeconds: 600 },
  });
  copyFileSync(wanted('package-lock.json'), inPlace('installed.json'));
};

/** Written last, so that an interrupted installation starts again. */
const isInstalled = (): boolean =>
  existsSync(inPlace('installed.json')) &&
  readFileSync(inPlace('installed.json'), 'utf8') === readFileSync(wanted('package-lock.json'), 'utf8');

/** Runs a tool of the packages, or any other, and returns what it prints. */
export const runTool = (
  command: string,
  args: string[],
  more: Record<string, string> = {},
): Promise<string> => {
  const own = inPlace(`node_modules/.bin/${command}`);
  return run({
    ...{ command: existsSync(own) ? own : command, args, env: { ...env, ...more } },
    ...{ logFile: inPlace(`${command.split('/').at(-1)}.log`), timeoutSeconds: 600 },
  });
};
