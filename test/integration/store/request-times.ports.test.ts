import { describe, expect, test } from '@jest/globals';
import type { RatePolicy } from '../../../functions/shared/domain/rate-limit.ts';
import {
  createRequestTimes,
  type RequestTimes,
} from '../../../functions/shared/store/requests/request-times.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryRequestTimes } from '../../support/memory/request-times.ts';

const engine = useEngine();
const policy: RatePolicy = { name: 'trial', quota: 3, windowSeconds: 60 };
const now = Date.parse('2026-03-01T12:00:00Z');
let clients = 0;

describe.each([
  { name: 'stand-in in memory', open: (): RequestTimes => createMemoryRequestTimes() },
  {
    name: 'DynamoDB engine',
    open: (): RequestTimes =>
      createRequestTimes({
        documents: engine.documents,
        requestsTable: 'Requests',
        retryDelays: { random: () => 0, sleep: async () => {} },
      }),
  },
])('$name: limited requests', ({ open }) => {
  const aClient = () => {
    clients += 1;
    return `C${clients}`;
  };

  test('V2-11 are taken until the quota is used up, and again when the oldest has passed', async () => {
    const times = open();
    const client = aClient();
    const standings = [];
    for (const seconds of [0, 1, 2, 3, 60, 60.5])
      standings.push(await times.take(client, policy, now + seconds * 1000));

    expect(standings).toEqual([
      { isTaken: true, remaining: 2, resetSeconds: 60 },
      { isTaken: true, remaining: 1, resetSeconds: 59 },
      { isTaken: true, remaining: 0, resetSeconds: 58 },
      { isTaken: false, remaining: 0, resetSeconds: 57 },
      { isTaken: true, remaining: 0, resetSeconds: 1 },
      { isTaken: false, remaining: 0, resetSeconds: 1 },
    ]);
  });

  test('V2-11 one that is refused counts for nothing', async () => {
    const times = open();
    const client = aClient();
    for (let n = 0; n < 20; n += 1) await times.take(client, policy, now + n);

    expect((await times.take(client, policy, now + 60_000)).isTaken).toBe(true);
  });

  test('V2-11 are counted for each partner and each policy by itself', async () => {
    const times = open();
    const client = aClient();
    for (let n = 0; n < 3; n += 1) await times.take(client, policy, now);

    expect((await times.take(aClient(), policy, now)).isTaken).toBe(true);
    expect((await times.take(client, { ...policy, name: 'other' }, now)).isTaken).toBe(true);
    expect((await times.take(client, policy, now)).isTaken).toBe(false);
  });

  test('V2-11 many at the same moment are never more than the quota', async () => {
    const times = open();
    const client = aClient();

    const taken = await Promise.all(Array.from({ length: 12 }, () => times.take(client, policy, now)));

    expect(taken.filter(({ isTaken }) => isTaken).length).toBeLessThanOrEqual(3);
    expect(taken.some(({ isTaken }) => isTaken)).toBe(true);
  });
});
