import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../../support/repository.ts';
import { read } from './documents.ts';
import { citationsIn, rulesOf } from './rules.ts';

const rules = rulesOf(read('docs/rules.md'));

const citing = ['bin', 'docs', 'functions', 'lib', 'localstack', 'partner-kit/src', 'test'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    .map((path) => join(top, path))
    .filter((path) => /\.(ts|mjs|md)$/.test(path))
    .filter((path) => path !== 'docs/rules.md' && !path.startsWith('test/unit/documents/')),
);

/** What each file cites; a document that only explains is no reason for a rule to stand there. */
const citations = new Map(citing.map((file) => [file, citationsIn(read(file))]));
const citedByCode = new Set([...citations].flatMap(([file, ids]) => (file.startsWith('docs/') ? [] : ids)));

/** A test's text without its comments, so that an id is found where it is part of a title. */
const titlesOf = (file: string) =>
  read(file)
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
    .join('\n');

describe('docs/rules.md', () => {
  test('has a line for every rule that code, tests and documents cite', () => {
    const known = new Set(rules.map(({ id }) => id));
    const unknown = [...citations].flatMap(([file, ids]) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file} cites ${id}`),
    );

    expect(unknown).toEqual([]);
  });

  test('has no line for a rule that nothing cites, and none twice', () => {
    const ids = rules.map(({ id }) => id);

    expect(ids.filter((id) => !citedByCode.has(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('says in a sentence what each rule is, and where it is kept or why it is not', () => {
    const silent = rules.filter(
      ({ sentence, kept, notKept }) => !sentence.endsWith('.') || (kept.length === 0 && notKept === ''),
    );

    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  test('names product files that exist', () => {
    const wrong = rules.flatMap(({ id, kept }) =>
      kept
        .filter(
          (file) =>
            !/^(bin|functions|lib|localstack|partner-kit)\//.test(file) || !existsSync(join(root, file)),
        )
        .map((file) => `${id}: ${file}`),
    );

    expect(wrong).toEqual([]);
  });

  test('names a test for each rule, or why there is none', () => {
    const unproven = rules.filter(({ tests, noTest }) => tests.length === 0 && noTest === '');

    expect(unproven.map(({ id }) => id)).toEqual([]);
  });

  test('names tests that exist, with the id or the quoted words in a title', () => {
    const wrong = rules.flatMap(({ id, tests }) =>
      tests
        .filter(({ file }) => !file.startsWith('test/') || !existsSync(join(root, file)))
        .map(({ file }) => `${id}: ${file} does not exist`),
    );
    const unfound = rules.flatMap(({ id, tests }) =>
      tests
        .filter(({ file }) => existsSync(join(root, file)))
        .filter(({ file, title }) =>
          title ? !titlesOf(file).includes(title) : !citationsIn(titlesOf(file)).includes(id),
        )
        .map(({ file, title = id }) => `${id}: ${file} has no title with "${title}"`),
    );

    expect([...wrong, ...unfound]).toEqual([]);
  });
});
