import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWorkspace, path, virtualEnvironment } from './places.ts';
import { run } from './processes.ts';

const requirementsFile = join(import.meta.dirname, 'requirements.txt');
const installedFile = join(virtualEnvironment, 'installed.txt');
const pythonInside = join(virtualEnvironment, 'bin', 'python');

/** The environment of the shell, since pip needs its proxies, certificates and package index. */
const env = { ...process.env, PATH: path };

/** A Python environment with MiniStack, which the next run uses again. */
export const pythonWithMinistack = async (): Promise<string> => {
  const wanted = readFileSync(requirementsFile, 'utf8');
  if (installed() === wanted && (await runs(pythonInside, 'import ministack'))) return pythonInside;
  const python = await pythonOfMachine();
  rmSync(virtualEnvironment, { recursive: true, force: true });
  await inPython('virtual-environment', python, ['-m', 'venv', virtualEnvironment]);
  await inPython('pip', pythonInside, ['-m', 'pip', 'install', '--no-input', '-r', requirementsFile]);
  writeFileSync(installedFile, wanted);
  return pythonInside;
};

/** The requirements that are installed; written last, so that an interrupted installation starts again. */
const installed = () => {
  try {
    return readFileSync(installedFile, 'utf8');
  } catch {
    return undefined;
  }
};

/** Exits with 0 where the version is new enough. */
const versionQuestion = 'import sys; sys.exit(sys.version_info < (3, 10))';

const pythonOfMachine = async () => {
  for (const command of ['python3', 'python']) {
    if (await runs(command, versionQuestion)) return command;
  }
  throw new Error('The deploy tier needs Python 3.10 or later with venv: install it, or put it on the PATH.');
};

const runs = (python: string, program: string) =>
  inPython('python', python, ['-c', program]).then(
    () => true,
    () => false,
  );

const inPython = (name: string, command: string, args: string[]) =>
  run({ command, args, env, logFile: inWorkspace(`${name}.log`), timeoutSeconds: 180 });
