import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { lightsOf } from '../../../../localstack/console/page/lights.ts';
import { box, cornerOf, places, sizes, ways } from '../../../../localstack/console/page/picture-plan.ts';
import type { Cause } from '../../../../localstack/feed/happening.ts';
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

describe('RUN-10 what lights up is what the stage told', () => {
  test('a request: its way through the gateway to the function', () => {
    expect(lightsOf(called('v2-write', { by: 'request', method: 'PATCH', path: '/' }))).toEqual([
      { place: 'callers' },
      { from: 'callers', to: 'gateway' },
      { place: 'gateway' },
      { from: 'gateway', to: 'v2-write' },
      { place: 'v2-write' },
    ]);
  });

  test('records of the stream: from the table to the function', () => {
    expect(lightsOf(called('capture-change', { by: 'stream', records: 1, uuids: [] }))).toEqual([
      { place: 'transactions' },
      { from: 'transactions', to: 'capture-change' },
      { place: 'capture-change' },
    ]);
  });

  test.each(['queue', 'schedule'] as const)('a tick by its %s: the function', (by) => {
    const cause: Cause = by === 'queue' ? { by, records: 1 } : { by };

    expect(lightsOf(called('publish-dormant', cause))).toEqual([{ place: 'publish-dormant' }]);
  });

  test('an event that the bus took: from publish-dormant, the only sender', () => {
    const accepted = { kind: 'accepted', type: 'TransactionUpdated', rules: 1 } as const;

    expect(lightsOf(accepted)).toEqual([{ from: 'publish-dormant', to: 'bus' }, { place: 'bus' }]);
  });

  test('a try at an endpoint: its way, and that of the dead letter', () => {
    expect(lightsOf(attempted('delivered'))).toEqual([
      { from: 'bus', to: 'endpoints' },
      { place: 'endpoints' },
    ]);
    expect(lightsOf(attempted('dead'))).toEqual([
      { from: 'bus', to: 'endpoints', mood: 'bad' },
      { place: 'endpoints', mood: 'bad' },
      { from: 'bus', to: 'collect-dead-letters', mood: 'bad' },
    ]);
  });

  test('a function that failed, and nothing for one that did well', () => {
    const returned = { kind: 'returned', function: 'v2-read', cause: { by: 'schedule' }, tookMs: 1 } as const;

    expect(lightsOf({ ...returned, failed: 'timed out' })).toEqual([{ place: 'v2-read', mood: 'bad' }]);
    expect(lightsOf({ ...returned, status: 404 })).toEqual([]);
  });
});
