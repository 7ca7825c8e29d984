import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/repository.ts';

/** A text that stands in the file exactly once; anything else is an error, so that no rule is forgotten. */
export type Replacement = { file: string; find: string; put: string };

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

/** Takes a rule out of a copy; the function returned puts it back. */
export const takeOut = (copy: string, replacements: readonly Replacement[]): (() => void) => {
  const originals = new Map(
    replacements.map(({ file }) => [join(copy, file), readFileSync(join(copy, file), 'utf8')]),
  );
  for (const [path, text] of patched(copy, replacements)) writeFileSync(path, text);
  return () => {
    for (const [path, text] of originals) writeFileSync(path, text);
  };
};

/** The texts of the files, by their path, as they are when all replacements are made in order. */
export const patched = (folder: string, replacements: readonly Replacement[]): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const replacement of replacements) {
    const path = join(folder, replacement.file);
    texts.set(path, replaceOnce(texts.get(path) ?? readFileSync(path, 'utf8'), replacement));
  }
  return texts;
};

const replaceOnce = (text: string, { file, find, put }: Replacement): string => {
  const found = text.split(find).length - 1;
  if (found !== 1) throw new Error(`${file} has this text ${found} times, not once:\n${find}`);
  return text.replace(find, () => put);
};
