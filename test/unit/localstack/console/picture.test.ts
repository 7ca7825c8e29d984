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
const attempted = (verdict: 'delivered' | 'retry' | 'dead') =>
  ({ kind: 'attempted', destination: 'd', type: 'TransactionUpdated', attempt: 1, verdict }) as const;

const returned = { kind: 'returned', function: 'v2-read', cause: { by: 'schedule' }, tookMs: 1 } as const;
const [bus, endpoints, sender] = ['bus', 'endpoints', 'publish-dormant'];

test.each<[string, Happening, Light[]]>([
  [
    'a request: its way through the gateway to the function',
    called('v2-write', { by: 'request', method: 'PATCH', path: '/' }),
    [
      ...[{ place: 'callers' }, { from: 'callers', to: 'gateway' }, { place: 'gateway' }],
      ...[{ from: 'gateway', to: 'v2-write' }, { place: 'v2-write' }],
    ],
  ],
  [
    'records of the stream: from the table to the function',
    called('capture-change', { by: 'stream', records: 1, uuids: [] }),
    [
      ...[{ place: 'transactions' }, { from: 'transactions', to: 'capture-change' }],
      { place: 'capture-change' },
    ],
  ],
  ['a message of a queue: the function', called(sender, { by: 'queue', records: 1 }), [{ place: sender }]],
  ['a schedule: the function', called(sender, { by: 'schedule' }), [{ place: sender }]],
  [
    'an event that the bus took: from publish-dormant, the only sender',
    { kind: 'accepted', type: 'TransactionUpdated', rules: 1 },
    [{ from: sender, to: bus }, { place: bus }],
  ],
  [
    'a try at an endpoint: its way',
    attempted('delivered'),
    [{ from: bus, to: endpoints }, { place: endpoints }],
  ],
  [
    'the last try at an endpoint: its way, and that of the dead letter',
    attempted('dead'),
    [
      { from: bus, to: endpoints, mood: 'bad' },
      { place: endpoints, mood: 'bad' },
      { from: bus, to: 'collect-dead-letters', mood: 'bad' },
    ],
  ],
  ['a failed function', { ...returned, failed: 'timed out' }, [{ place: 'v2-read', mood: 'bad' }]],
  ['nothing for a function that did well', { ...returned, status: 404 }, []],
])('RUN-10 %s lights up', (_, happening, lights) => {
  expect(lightsOf(happening)).toEqual(lights);
});
