import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { configOf } from '../../lib/config.ts';
import { anonymousEuro } from '../bench/cost/anonymous.ts';
import { pageFacts } from '../bench/cost/facts.ts';
import type { Measured } from '../bench/cost/measured.ts';
import { type MonthFacts, monthOf } from '../bench/cost/month.ts';
import { costPage } from '../bench/cost/page.ts';
import { beyondFree, pricedIn, usdOf } from '../bench/cost/prices.ts';
import { root } from '../support/repository.ts';

const units = (write: number, read: number) => ({ write, read, index: 0, requests: 1 });

const measured: Measured = {
  measuredOn: '2026-11-22',
  ...{ create: units(40, 0), save: units(4, 1), read: units(0, 1), list: units(0, 10) },
  ...{ recordChange: units(2, 0), event: { first: units(18, 7), further: units(5, 2) }, poll: units(0, 8) },
  bytes: { transaction: 2 ** 20, event: 2 ** 10 },
};

const facts: MonthFacts = {
  measured,
  parts: {
    ...{ alarmMetrics: 40, customMetrics: 20, dashboards: 1, keys: 2, secrets: 3, tables: 6 },
    ...{ polledQueues: 2, fifoQueues: 1, firewalls: 1, firewallRules: 4 },
  },
  pollsADay: 8_640,
  idleMetrics: 3,
};

test('D-32 the prices and quotas are of the region of production', () => {
  expect(pricedIn).toBe(configOf('production').region);
});

const usd = (usage: Parameters<typeof usdOf>[0]) => Number(usdOf(usage).toFixed(2));

describe('D-32 a month is the measured units times their price', () => {
  const idle = monthOf(facts, 0);
  const thousand = monthOf(facts, 1_000);

  test.each([
    // 10 partners × 720 tokens × 3.50 USD a million.
    ['requests', 0.03],
    // 259,200 looks × 8 units and 7,200 tokens × 1, at 0.1485 USD a million.
    ['tables: reads', 0.31],
    ['tables: writes', 0],
    // 5 polls × 3 a minute × 43,200, and 2 × 259,200, and 43,200, at 0.40 USD a million; the former once more at 0.50.
    ['queues', 0.81],
    // 40 × 0.10, 3 × 0.30, one for 3.
    ['alarms, metrics, dashboard', 7.9],
    // 2 × 1, 3 × 0.40, 10 × 12 × 720 requests at 0.03 USD for 10,000.
    ['keys and secrets', 3.46],
    // 5, four rules, 7,200 requests at 0.60 USD a million.
    ['firewall', 9],
  ] as const)('at rest: %s', (item, expected) => {
    expect(usd(idle[item])).toBe(expected);
  });

  test('a transaction costs its create, 14.4 saves, a row and 3.4 events for two partners', () => {
    // 40 + 14.4 × 4 + 3 × 2 + 11.4 + 3.4 × (18 + 5)
    expect(thousand['tables: writes'].writeUnits).toBeCloseTo(1_000 * 193.2, 6);
  });

  test('13 months of transactions are stored, and one month of the delivery log', () => {
    expect(thousand['tables: storage and recovery'].tableGb).toBeCloseTo(12.7018, 3);
  });

  test('every delivery is an event of the bus and a call of an endpoint', () => {
    expect(thousand['bus and deliveries']).toEqual({ busEvents: 6_800, deliveries: 6_800 });
  });

  test('one request a second is traced, and one of twenty beyond', () => {
    const many = monthOf(facts, 1_000_000);

    // 33.4 requests of each, and 7,200 tokens; 2,592,000 seconds.
    expect(many['logs and traces'].traces).toBeCloseTo(2_592_000 + (33_407_200 - 2_592_000) / 20, 3);
  });

  test('the free part of an account is never negative', () => {
    expect(beyondFree({ alarmMetrics: 40, dashboards: 1, keys: 1 })).toEqual({
      alarmMetrics: 30,
      dashboards: 0,
      keys: 1,
    });
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

describe('D-32 docs/cost.md', () => {
  const page = costPage(pageFacts());

  test('is what `npm run bench -- cost` prints', () => {
    expect(readFileSync(join(root, 'docs/cost.md'), 'utf8')).toBe(page);
  });

  test('has an idle production for less than 9 USD after the free tier', () => {
    const [, idle] = /\*\*after the free tier\*\* +\|\s+\*\*([\d.]+)\*\*/.exec(page) ?? [];

    expect(Number(idle)).toBeLessThanOrEqual(9);
  });
});
