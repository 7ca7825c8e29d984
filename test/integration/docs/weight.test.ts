import { expect, test } from '@jest/globals';
import { weights } from '../../support/stage/weights.ts';

test('DOC-10 the first page has at most 60 kB over the wire, and any other 100 kB', () => {
  const tooHeavy = weights().filter(({ page, zipped }) => zipped > (page === '/docs' ? 60_000 : 100_000));

  expect(tooHeavy).toEqual([]);
});
