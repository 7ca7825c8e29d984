import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readPatches, replacementsOf } from '../../../mutation/patch.ts';
import { patched, type Replacement } from '../../../mutation/tree.ts';
import { mutants } from '../../../simulation/mutant-list.ts';
import { root } from '../../../support/repository.ts';

const patches = await readPatches();

/** What keeps the replacements from being made; undefined when nothing does. */
const faultOf = (name: string, replacements: readonly Replacement[]) => {
  try {
    patched(root, replacements);
    return replacements.some(({ find, put }) => find === put) ? `${name} changes nothing` : undefined;
  } catch (error) {
    return `${name}: ${(error as Error).message}`;
  }
};

describe('rules that can be taken out', () => {
  test.each([
    { of: 'test:mutants', all: patches.map((patch) => [patch.id, replacementsOf(patch)] as const) },
    { of: 'simulate:mutants', all: mutants.map(({ rule, replacements }) => [rule, replacements] as const) },
  ])('every patch of $of finds its text exactly once', ({ all }) => {
    expect(all.map(([name, replacements]) => faultOf(name, replacements)).filter(Boolean)).toEqual([]);
  });

  test('what the simulation takes out of a stand-in is taken out of the real store, too, under the same name', () => {
    const ofStandIns = mutants.filter(({ replacements }) =>
      replacements.some(({ file }) => file.startsWith('test/support/memory/')),
    );
    const ofRealStore = new Set(
      patches
        .filter((patch) =>
          replacementsOf(patch).every(({ file }) => file.startsWith('functions/shared/store/')),
        )
        .map(({ rule }) => rule),
    );

    expect(ofStandIns.length).toBeGreaterThan(10);
    expect(ofStandIns.map(({ rule }) => rule).filter((rule) => !ofRealStore.has(rule))).toEqual([]);
  });

  test('no two patches have one id', () => {
    const ids = patches.map(({ id }) => id);

    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  test('every patch names tests that exist, of the tiers that start no stage', () => {
    const wrong = patches.flatMap(({ id, tests }) =>
      tests.length === 0
        ? [`${id} names no test`]
        : tests
            .filter(
              (path) =>
                !/^test\/(unit|infrastructure|integration)\/.*\.test\.ts$/.test(path) ||
                !existsSync(join(root, path)),
            )
            .map((path) => `${id}: ${path}`),
    );

    expect(wrong).toEqual([]);
  });
});
