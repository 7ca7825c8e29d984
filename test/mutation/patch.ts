import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Replacement } from './tree.ts';

/** A rule, the text that takes it out of the code, and the tests of which one fails then. */
export type Patch = {
  /** Short, in kebab-case, and no other patch has it. */
  id: string;
  /** What holds as long as the code is not patched. */
  rule: string;
  /** Paths from the root. */
  tests: readonly string[];
} & (Replacement | { replacements: readonly Replacement[] });

/** What the patch replaces, in order. */
export const replacementsOf = (patch: Patch): readonly Replacement[] =>
  'replacements' in patch ? patch.replacements : [patch];

const folder = join(import.meta.dirname, 'patches');

/** The patches of all rooms, in the order of their files' paths. */
export const readPatches = async (): Promise<Patch[]> => {
  const names = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) =>
    name.endsWith('.ts'),
  );
  const lists = await Promise.all(
    names.sort().map(async (name) => (await import(join(folder, name))) as { patches: readonly Patch[] }),
  );
  return lists.flatMap(({ patches }) => patches);
};

/** Makes patches whose ids begin alike, and which the same tests guard unless others are named. */
export const namedPatch =
  (prefix: string, usual: Patch['tests']) =>
  (
    [id, rule]: readonly [string, string],
    [file, find, put]: readonly [string, string, string],
    tests = usual,
  ): Patch => ({ id: `${prefix}-${id}`, rule, file, find, put, tests });
