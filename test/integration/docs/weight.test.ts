import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../support/repository.ts';
import { shownWeights, weights } from '../../support/stage/weights.ts';

const all = weights();

test('DOC-10 the first page has at most 60 kB over the wire, any other 100 kB, and the console less than 100 kB of script', () => {
  const tooHeavy = all.filter(({ page, zipped, script }) => {
    if (page === '/ (console)') return script >= 100_000;
    return zipped > (page === '/docs' ? 60_000 : 100_000);
  });

  expect(tooHeavy).toEqual([]);
});

test('DOC-10 pages weigh within a quarter of the documented figures: "npm run bench -- weigh" prints them', () => {
  const figures = readFileSync(join(root, 'test/bench/README.md'), 'utf8');
  const said = new Map(
    [...figures.matchAll(/^\| `(\/[^`]*)` +\| ([\d,]+) +\| ([\d,]+) +\| ([\d,]+) +\|$/gm)].map(
      ([, page, ...numbers]) => [page, numbers.map((one) => Number(one.replaceAll(',', '')))],
    ),
  );
  const wrong = shownWeights(all).filter(({ page, bytes, zipped, script }) => {
    const [saidBytes = 0, saidZipped = 0, saidScript = 0] = said.get(page) ?? [];
    const isFar = (is: number, isSaid: number) => Math.abs(is - isSaid) > is / 4;
    return isFar(bytes, saidBytes) || isFar(zipped, saidZipped) || isFar(script, saidScript);
  });

  expect(wrong).toEqual([]);
  expect([...said.keys()]).toEqual(shownWeights(all).map(({ page }) => page));
});
