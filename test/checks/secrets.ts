import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { root } from '../support/repository.ts';

/** Throws, with each place and kind, when a file of the repository holds a secret. */
export const assertNoSecret = async (): Promise<void> => {
  const found = await Promise.all(
    trackedFiles().map(async (file) => {
      const text = await readFile(resolve(root, file), 'utf8');
      return Object.entries(forms).flatMap(([kind, form]) => (form.test(text) ? `${file}: ${kind}` : []));
    }),
  );
  if (found.flat().length > 0) throw new Error(found.flat().join('\n'));
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

/** Everything under version control; what is ignored never leaves the machine. */
const trackedFiles = () =>
  execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
