import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
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

/**
 * Forms by which secrets are known: AWS, GitHub, npm, Slack, private keys, signed tokens. GitHub's push protection looks
 * for all others.
 */
const forms: Record<string, RegExp> = {
  'AWS access key': /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/,
  'GitHub token': /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/,
  'npm token': /\bnpm_[A-Za-z0-9]{36}\b/,
  'Slack token': /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/,
  'private key': /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40}/,
  'signed token': /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{40,}/,
};

/** Files and kinds, a line each. Undefined if there is none. */
const secretsIn = async (files: string[]): Promise<string | undefined> => {
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(resolve(root, file), 'utf8');
      return Object.entries(forms).flatMap(([kind, form]) => (form.test(text) ? `${file}: ${kind}` : []));
    }),
  );
  const lines = found.flat();
  return lines.length === 0 ? undefined : lines.join('\n');
};

/** Everything under version control, because ignored files never leave the machine. */
const trackedFiles = () =>
  execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
