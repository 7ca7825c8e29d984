import { expect, test } from '@jest/globals';
import { weights } from '../../support/stage/weights.ts';

test('DOC-10 the first page has at most 60 kB over the wire, any other 100 kB, and the console less than 100 kB of script', () => {
  const tooHeavy = weights().filter(({ page, zipped, script }) => {
    if (page === '/ (console)') return script >= 100_000;
    return zipped > (page === '/docs' ? 60_000 : 100_000);
  });

  expect(tooHeavy).toEqual([]);
});
