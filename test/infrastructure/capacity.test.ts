import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { capacityPage } from '../bench/capacity/page.ts';
import { partnerRows } from '../bench/capacity/partners.ts';
import { loadOf, partsOf } from '../bench/capacity/parts.ts';
import { pageFacts } from '../bench/cost/facts.ts';
import type { Measured } from '../bench/cost/measured.ts';
import { root } from '../support/repository.ts';

const units = (write: number, index = 0) => ({ write, index, read: 0, requests: 1 });

const measured: Measured = {
  measuredOn: '2026-11-22',
  ...{ create: units(40, 34), save: units(4), read: units(0), list: units(0), recordChange: units(2) },
  ...{ event: { first: units(18), further: units(5) }, poll: units(0) },
  bytes: { transaction: 2 ** 12, event: 2 ** 10 },
};

const takenAt = (changes: number, name: string) =>
  partsOf(measured)
    .find((part) => part.name.startsWith(name))
    ?.takes(loadOf(changes));

describe('D-33 the limits of capacity are computed from the cost of a change', () => {
  test.each([
    // 35 ms of a run each.
    ['v2-write', 28],
    // 800 saves of 4, and 100 creations of 6 beside the listing.
    ['Transactions: the table', 3_800],
    // A deletion and a put.
    ['Transactions: index of changes, 4 parts', 1_600],
    ['Listing: the sequence', 100],
    // 100 creations and 40 completions.
    ['Listing: counters', 140 / 3],
    ['capture-change', 900],
    // 2 for the change, 18 and 5 for an event for two.
    ['Debounce: the table', 20_000],
    // In and out.
    ['Debounce: index of due rows, 16 parts', 1_600],
    ['publish-dormant', 800],
    // Ten deliveries a request.
    ['EventBridge: PutEvents', 160],
    ['EventBridge: the largest', 800 / 3],
  ])('%s, at 800 changes a second', (name, taken) => {
    expect(takenAt(800, name)).toBeCloseTo(taken, 6);
  });

  test.each([
    ['bytes of the item of a grant that all partners hold', 27_000],
    // Seven times 4 kB, twice.
    ['read units of that item, for 100 events at most', 14],
    ['write units of an event for one partner', 18],
    ['write units of an event for all partners', 18 + 999 * 5],
    ['minutes until each endpoint is checked', 50],
  ])('%s, with 1,000 partners', (name, value) => {
    expect(
      partnerRows(measured)
        .find((row) => row.name === name)
        ?.at(1_000),
    ).toBe(value);
  });

  test('docs/capacity.md is what `npm run bench -- cost` prints', () => {
    expect(readFileSync(join(root, 'docs/capacity.md'), 'utf8')).toBe(
      capacityPage(pageFacts().production.measured),
    );
  });
});
