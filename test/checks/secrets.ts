import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import { runSecretLint } from 'secretlint';
import { root } from '../support/repository.ts';
import { inPlace } from './place.ts';

/** Throws, with each place, when a file of the repository holds a secret. */
export const assertNoSecret = async (): Promise<void> => {
  const found = await secretsIn(trackedFiles());
  if (found !== undefined) throw new Error(found);
};

/** Shows that the scan looks at all: put together here, so that this file holds no secret. */
export const assertScanFinds = async (): Promise<void> => {
  const planted = inPlace('planted.txt');
  writeFileSync(planted, `token = ${['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')}\n`);
  if ((await secretsIn([planted])) === undefined) throw new Error('A planted token was not found.');
};

/** Places and kinds, a line each; undefined where there is none. */
const secretsIn = async (files: string[]): Promise<string | undefined> => {
  const { exitStatus, stdout } = await runSecretLint({
    cliOptions: { cwd: root, filePathOrGlobList: files, noGlob: true },
    engineOptions: {
      cwd: root,
      configFileJSON: { rules: [{ id: recommended.meta.id }] },
      ...{ formatter: 'unix', color: false },
    },
  });
  return exitStatus === 0 ? undefined : (stdout ?? 'The scan ended without a word.');
};

/** Everything under version control; what is ignored never leaves the machine. */
const trackedFiles = () =>
  execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
