import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Light, lightsOf } from '../../../../localstack/console/page/lights.ts';
import { box, cornerOf, places, sizes, ways } from '../../../../localstack/console/page/picture-plan.ts';
import type { Cause, Happening } from '../../../../localstack/feed/happening.ts';
import { root } from '../../../support/repository.ts';

const ids = places.map(({ id }) => id);
const functions = readdirSync(join(root, 'functions'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
  .map(({ name }) => name);

describe('RUN-10 the picture', () => {
  test('has every function of the service, once', () => {
    expect(functions.filter((name) => !ids.includes(name))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has arrows between its boxes alone', () => {
    expect(ways.filter(({ from, to }) => !ids.includes(from) || !ids.includes(to))).toEqual([]);
  });

  test.each(['wide', 'tall'] as const)('%s: no box is upon another or outside', (plan) => {
    const { width, height } = sizes[plan];
    const corners = places.map((place) => cornerOf(place, plan));
    const apart = (one: (typeof corners)[number], other: (typeof corners)[number]) =>
      one === other || Math.abs(one.x - other.x) >= box.width || Math.abs(one.y - other.y) >= box.height;

    expect(corners.filter((one) => !corners.every((other) => apart(one, other)))).toEqual([]);
    expect(corners.filter(({ x, y }) => x + box.width > width || y + box.height > height)).toEqual([]);
  });
});

const called = (name: string, cause: Cause) => ({ kind: 'called', function: name, cause }) as const;
const returned = { kind: 'returned', function: 'v2-read', cause: { by: 'schedule' }, tookMs: 1 } as const;

/** A browser sees the lights of a request and of an event that is delivered (test/stage/console.test.ts). */
test.each<[string, Happening, Light[]]>([
  [
    'records of the stream: from the table to the function',
    called('capture-change', { by: 'stream', records: 1, uuids: [] }),
    [
      ...[{ place: 'transactions' }, { from: 'transactions', to: 'capture-change' }],
      { place: 'capture-change' },
    ],
  ],
  ['a schedule: the function', called('reconcile', { by: 'schedule' }), [{ place: 'reconcile' }]],
  [
    'the last try at an endpoint: its way, and that of the dead letter',
    { kind: 'attempted', destination: 'd', type: 'TransactionUpdated', attempt: 1, verdict: 'dead' },
    [
      { from: 'bus', to: 'endpoints', mood: 'bad' },
      { place: 'endpoints', mood: 'bad' },
      { from: 'bus', to: 'collect-dead-letters', mood: 'bad' },
    ],
  ],
  ['a failed function', { ...returned, failed: 'timed out' }, [{ place: 'v2-read', mood: 'bad' }]],
  ['nothing for a function that did well', { ...returned, status: 404 }, []],
])('RUN-10 %s lights up', (_, happening, lights) => {
  expect(lightsOf(happening)).toEqual(lights);
});
