import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { path } from './places.ts';
import { run } from './processes.ts';

/** What is to be installed where; `modules` shows that it is there, as it stands behind `import`. */
type PythonEnvironment = { folder: string; requirementsFile: string; modules: string };

/** The environment of the shell, since pip needs its proxies, certificates and package index. */
const env = { ...process.env, PATH: path };

/** A hundred packages take three minutes from a slow index. */
const longestInstallation = 600;

/** The Python of a virtual environment, which is created if it is missing or outdated. */
export const pythonEnvironment = async ({
  folder,
  requirementsFile,
  modules,
}: PythonEnvironment): Promise<string> => {
  const wanted = readFileSync(requirementsFile, 'utf8');
  const python = join(folder, 'bin', 'python');
  // Written last, so that an interrupted installation starts again.
  const installed = join(folder, 'installed.txt');
  mkdirSync(dirname(folder), { recursive: true });
  const log = (name: string) => `${folder}.${name}.log`;
  const isCurrent = existsSync(installed) && readFileSync(installed, 'utf8') === wanted;
  if (isCurrent && (await runs(python, `import ${modules}`, log('python')))) return python;
  const machine = await pythonOfMachine(log('python'));
  rmSync(folder, { recursive: true, force: true });
  await inPython(log('virtual-environment'), machine, ['-m', 'venv', folder]);
  const onlyHashed = ['--require-hashes', '--only-binary', ':all:'];
  const args = ['-m', 'pip', 'install', '--no-input', ...onlyHashed, '-r', requirementsFile];
  await run({ command: python, args, env, logFile: log('pip'), timeoutSeconds: longestInstallation });
  writeFileSync(installed, wanted);
  return python;
};

/** Exits with 0 where the version is new enough. */
const versionQuestion = 'import sys; sys.exit(sys.version_info < (3, 11))';

const pythonOfMachine = async (logFile: string) => {
  for (const command of ['python3', 'python']) {
    if (await runs(command, versionQuestion, logFile)) return command;
  }
  throw new Error('This tier needs Python 3.11 or later with venv: install it, or put it on the PATH.');
};

const runs = (python: string, program: string, logFile: string) =>
  inPython(logFile, python, ['-c', program]).then(
    () => true,
    () => false,
  );

const inPython = (logFile: string, command: string, args: string[]) =>
  run({ command, args, env, logFile, timeoutSeconds: 180 });
