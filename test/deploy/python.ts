import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { path } from './places.ts';
import { run } from './processes.ts';

/** What is to be installed where; `modules` shows that it is there, as it stands behind `import`. */
export type PythonEnvironment = {
  folder: string;
  requirementsFile: string;
  modules: string;
  /** Is told how far a long installation has come. */
  announce?: (text: string) => void;
};

/** The environment of the shell, since pip needs its proxies, certificates and package index. */
const env = { ...process.env, PATH: path };

/** The Python of a virtual environment, which is created if it is missing or outdated. */
export const pythonEnvironment = async ({
  folder,
  requirementsFile,
  modules,
  announce,
}: PythonEnvironment): Promise<string> => {
  const wanted = readFileSync(requirementsFile, 'utf8');
  const python = join(folder, 'bin', 'python');
  mkdirSync(dirname(folder), { recursive: true });
  const log = (name: string) => `${folder}.${name}.log`;
  if (installedIn(folder) === wanted && (await runs(python, `import ${modules}`, log('python'))))
    return python;
  const machine = await pythonOfMachine(log('python'));
  rmSync(folder, { recursive: true, force: true });
  await inPython(log('virtual-environment'), machine, ['-m', 'venv', folder]);
  const words = ['-m', 'pip', 'install', '--no-input', '-r', requirementsFile];
  await run({
    ...{ command: python, args: words, env, logFile: log('pip'), timeoutSeconds: longestInstallation },
    ...(announce && { hear: countingPackages(basename(folder), wanted, announce) }),
  });
  writeFileSync(installedFileOf(folder), wanted);
  return python;
};

/** A hundred packages take three minutes from a slow index. */
const longestInstallation = 600;

/** Reports each quarter of the packages that pip has installed. */
const countingPackages = (name: string, wanted: string, announce: (text: string) => void) => {
  const total = wanted.trim().split('\n').length;
  let seen = 0;
  return (text: string) => {
    const before = seen;
    seen += text.match(/^Collecting /gm)?.length ?? 0;
    if (Math.floor((4 * seen) / total) > Math.floor((4 * before) / total))
      announce(`${name}: ${seen} of ${total} packages`);
  };
};

/** The requirements that are installed; written last, so that an interrupted installation starts again. */
const installedIn = (folder: string) => {
  try {
    return readFileSync(installedFileOf(folder), 'utf8');
  } catch {
    return undefined;
  }
};

const installedFileOf = (folder: string) => join(folder, 'installed.txt');

/** Exits with 0 where the version is new enough. */
const versionQuestion = 'import sys; sys.exit(sys.version_info < (3, 10))';

const pythonOfMachine = async (logFile: string) => {
  for (const command of ['python3', 'python']) {
    if (await runs(command, versionQuestion, logFile)) return command;
  }
  throw new Error('This tier needs Python 3.10 or later with venv: install it, or put it on the PATH.');
};

const runs = (python: string, program: string, logFile: string) =>
  inPython(logFile, python, ['-c', program]).then(
    () => true,
    () => false,
  );

const inPython = (logFile: string, command: string, args: string[]) =>
  run({ command, args, env, logFile, timeoutSeconds: 180 });
