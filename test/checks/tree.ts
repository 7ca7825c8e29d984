import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/repository.ts';

/** Tools make these, or keep them for this checkout alone. */
const notCopied = new Set([
  'node_modules',
  '.git',
  '.local',
  'cdk.out',
  '.cdk.staging',
  'coverage',
  '.DS_Store',
]);

/** Copies the project to `.local/<name>`, where the same packages are found; answers the copy's folder. */
export const copyTree = (name: string): string => {
  const copy = join(root, '.local', name);
  removeTree(copy);
  mkdirSync(copy, { recursive: true });
  for (const place of readdirSync(root).filter((found) => !notCopied.has(found)))
    cpSync(join(root, place), join(copy, place), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

/** Takes the copy away. */
export const removeTree = (copy: string) => rmSync(copy, { recursive: true, force: true });
