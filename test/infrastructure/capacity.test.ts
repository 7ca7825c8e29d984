import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { capacityPage } from '../bench/capacity/page.ts';
import { pageFacts } from '../bench/cost/facts.ts';
import { root } from '../support/repository.ts';

test('D-33 docs/capacity.md has the limits that are computed from the measured cost of a change', () => {
  expect(readFileSync(join(root, 'docs/capacity.md'), 'utf8')).toBe(
    capacityPage(pageFacts().production.measured),
  );
});
