import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { configOf } from '../../lib/config.ts';
import { anonymousEuro, dearestDayEuro } from '../bench/cost/anonymous.ts';
import { pageFacts } from '../bench/cost/facts.ts';
import type { Measured } from '../bench/cost/measured.ts';
import { costPage } from '../bench/cost/page.ts';
import { beyondFree, pricedIn } from '../bench/cost/prices.ts';
import { root } from '../support/repository.ts';

const units = (write: number, read: number) => ({ write, read, index: 0, requests: 1 });

const measured: Measured = {
  measuredOn: '2026-11-22',
  ...{ create: units(40, 0), save: units(4, 1), read: units(0, 1), list: units(0, 10) },
  ...{ recordChange: units(2, 0), event: { first: units(18, 7), further: units(5, 2) }, poll: units(0, 8) },
  bytes: { transaction: 2 ** 20, event: 2 ** 10 },
};

test('D-32 the prices are of the region of production', () => {
  expect(pricedIn).toBe(configOf('production').region);
});

test('D-32 the free part of an account is never negative', () => {
  expect(beyondFree({ alarmMetrics: 40, dashboards: 1, keys: 1 })).toEqual({
    alarmMetrics: 30,
    dashboards: 0,
    keys: 1,
  });
});

test('TH-26 a million anonymous calls cost their writes, and the deletions by the sweep', () => {
  const { mixed, creating, telling } = anonymousEuro(measured);

  // 0.87 × (3.50 + 0.20 + 35,000 GB-s + 80 units × 0.7423 + 0.1485 + logs 1.024 GB × 0.7185 + traces 5)
  expect(creating).toBeCloseTo(60.41, 2);
  expect(mixed).toBeCloseTo(26.35, 2);
  // and 0.87 × (25 units × 0.7423 + 2 events at the bus × 1.20)
  expect(telling).toBeCloseTo(78.64, 2);
});

test('TH-26 S-86 the dearest anonymous call costs its writes, at the firewall’s rate of one address for a day', () => {
  // 0.87 × 0.432 M × (3.50 + 0.60 + 2 × 0.20 + 141 units × 0.7423 + 9 × 0.1485 + 50,000 GB-s + logs 0.74 + traces 0.25 + data 2.65)
  expect(dearestDayEuro(measured, 'alone')).toBeCloseTo(43.15, 1);
  expect(dearestDayEuro(measured, 'atOnce')).toBeCloseTo(181.5, 1);
  // However many come at once, no call is tried more than twenty times: 2,782 units × 0.7423, 324 × 0.1485 and 950,000 GB-s.
  expect(dearestDayEuro(measured, 'atMost')).toBeCloseTo(801.9, 1);
});

describe('D-32 docs/cost.md', () => {
  const page = costPage(pageFacts());

  test('is what `npm run bench -- cost` prints', () => {
    expect(readFileSync(join(root, 'docs/cost.md'), 'utf8')).toBe(page);
  });

  test('has an idle production for 9.10 USD at most after the free tier', () => {
    const [, idle] = /\*\*after the free tier\*\* +\|\s+\*\*([\d.]+)\*\*/.exec(page) ?? [];

    expect(Number(idle)).toBeLessThanOrEqual(9.1);
  });
});
