import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeSite } from '../../../../bin/docs/site-folder.ts';

let place: string;
let cache: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'site-folder-'));
  cache = join(place, 'cache');
});
afterEach(() => rmSync(place, { recursive: true }));

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Folders of a file each, the first the oldest. */
const fill = (folder: string, names: readonly string[]) => {
  for (const [index, name] of names.entries()) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'file.txt'), name);
    utimesSync(join(folder, name), 1_000 + index, 1_000 + index);
  }
};

const make = (folder: string, build = async (_work: string, site: string) => fill(site, ['docs'])) =>
  makeSite({ folder, cache, build, say: () => {} });

test('DOC-2 a site that is made in another folder leaves everything beside it as it is', async () => {
  const elsewhere = join(place, 'project');
  fill(
    elsewhere,
    numbers(8).map((number) => `folder-${number}`),
  );
  writeFileSync(join(elsewhere, 'site.lock'), 'of a package manager');
  const before = readdirSync(elsewhere, { recursive: true });

  await make(join(elsewhere, 'site'));

  expect(readdirSync(join(elsewhere, 'site'))).toEqual(['docs']);
  rmSync(join(elsewhere, 'site'), { recursive: true });
  expect(readdirSync(elsewhere, { recursive: true })).toEqual(before);
});

test('DOC-2 the cache keeps a new site and the five newest others', async () => {
  fill(
    cache,
    numbers(8).map((number) => `former-${number}`),
  );

  await make(join(cache, 'new'));

  expect(readdirSync(cache).sort()).toEqual([
    ...['former-4', 'former-5', 'former-6', 'former-7', 'former-8', 'new'],
  ]);
});

test('DOC-2 a site that is there is not built again', async () => {
  fill(cache, ['there']);

  await make(join(cache, 'there'), () => Promise.reject(new Error('It was built again.')));

  expect(existsSync(join(cache, 'there', 'file.txt'))).toBe(true);
});

test('DOC-2 a build that fails leaves nothing behind', async () => {
  const elsewhere = join(place, 'project');
  mkdirSync(elsewhere);

  await expect(make(join(elsewhere, 'site'), () => Promise.reject(new Error('no page')))).rejects.toThrow(
    'no page',
  );

  expect([readdirSync(elsewhere), readdirSync(cache)]).toEqual([[], []]);
});
