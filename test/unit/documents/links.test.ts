import { dirname, join, matchesGlob, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { anchorsOf, documents, linksOf, places, read, scriptsOf, spansOf } from './documents.ts';

const exists = new Set(places);

const isOutside = (link: string) => /^[a-z]+:/.test(link);

/** Why a link of a document leads nowhere; undefined when it leads somewhere. */
function faultOf(document: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : normalize(join(dirname(document), path)).replace(/\/$/, '');
  if (!exists.has(target)) return `${document}: ${link} does not exist`;
  if (!anchor || !target.endsWith('.md') || anchorsOf(read(target)).includes(anchor)) return undefined;
  return `${document}: ${link} is no heading`;
}

const tops = ['bin', 'docs', 'functions', 'lib', 'localstack', 'test', '.ci', '.github'];

/** `{a,b}.ts` names two files. */
const eachOf = (word: string) => {
  const [, before = '', names = word, after = ''] = /^(.*?)\{([^}]+)\}(.*)$/.exec(word) ?? [];
  return names.split(',').map((name) => before + name + after);
};

const isPath = (word: string) =>
  !/[<>…$=]|:\/\//.test(word) &&
  (tops.includes(word.split('/')[0] ?? '') ? word.includes('/') : isFile(word));

const isFile = (word: string) => /^[\w./*-]+\.(ts|mjs|md|sh)$/.test(word);

/** A path from the root, from the document's folder, or the end of one: `event/debounce-row.ts`. */
function isPlace(document: string, word: string): boolean {
  const path = word.replace(/[.,:;]+$/, '').replace(/\/$/, '');
  const nearby = normalize(join(dirname(document), path));
  if (path.includes('*')) return places.some((place) => matchesGlob(place, `**/${path}`));
  return exists.has(path) || exists.has(nearby) || places.some((place) => place.endsWith(`/${path}`));
}

describe('documents', () => {
  test('link to existing files and headings', () => {
    const wrong = documents.flatMap((document) =>
      linksOf(read(document))
        .filter((link) => !isOutside(link))
        .map((link) => faultOf(document, link)),
    );

    expect(wrong.filter((fault) => fault !== undefined)).toEqual([]);
  });

  test('name existing paths', () => {
    const wrong = documents.flatMap((document) =>
      spansOf(read(document))
        .flatMap(eachOf)
        .filter((word) => isPath(word) && !isPlace(document, word))
        .map((word) => `${document}: ${word}`),
    );

    expect(wrong).toEqual([]);
  });

  test('number each decision once, and there are at most 25', () => {
    const numbers = [...read('docs/decisions/README.md').matchAll(/^## (\d+)\. /gm)].map(
      ([, number]) => number,
    );

    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers.length).toBeLessThan(26);
  });

  test('name existing scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const wrong = documents.flatMap((document) =>
      scriptsOf(read(document))
        .filter((name) => !(name in scripts))
        .map((name) => `${document}: npm run ${name}`),
    );

    expect(wrong).toEqual([]);
  });
});
