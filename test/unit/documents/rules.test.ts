import { describe, expect, test } from '@jest/globals';
import { places, read } from './documents.ts';
import { citationsIn, rulesOf } from './rules.ts';

const rules = rulesOf(read('docs/rules.md'));
const ids = rules.map(({ id }) => id);

const files = places.filter((path) => /\.(ts|mjs|md)$/.test(path) && path !== 'docs/rules.md');

/** A test's text without its comments, so that only ids in titles are found. */
const titlesOf = (file: string) => read(file).replaceAll(/^\s*(\/\/|\/?\*).*$|\s\/\/ .*$/gm, '');

describe('docs/rules.md', () => {
  test('has a line for every rule that code, tests and documents cite', () => {
    const unknown = files.flatMap((file) =>
      citationsIn(read(file))
        .filter((id) => !ids.includes(id))
        .map((id) => `${file} cites ${id}`),
    );

    expect(unknown).toEqual([]);
  });

  test('has no rule twice', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('has no rule without a test with its id in a title', () => {
    const tests = files.filter((file) => /^test\/(?!support\/|bench\/).*\.ts$/.test(file));
    const proven = new Set(tests.map(titlesOf).flatMap(citationsIn));

    expect(ids.filter((id) => !proven.has(id))).toEqual([]);
  });

  test('ends each sentence with a full stop', () => {
    expect(rules.filter(({ sentence }) => !sentence.endsWith('.')).map(({ id }) => id)).toEqual([]);
  });
});
