import { randomBytes } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { partnerPolicy, type RatePolicy } from '../../../functions/shared/domain/rate-limit.ts';
import {
  createRequestCounts,
  type RequestCounts,
} from '../../../functions/shared/store/requests/request-counts.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import { injectFaults } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryRequestCounts } from '../../support/memory/request-counts.ts';

const engine = useEngine();
const policy: RatePolicy = partnerPolicy(300);
const startSeconds = Date.parse('2026-03-01T12:00:00Z') / 1000;
const overEngine = (documents = engine.documents): RequestCounts =>
  createRequestCounts({ documents, requestsTable: 'Requests', random: randomBytes });
let clients = 0;
const aWindow = () => {
  clients += 1;
  return { clientId: `C${clients}`, policy, startSeconds };
};

describe.each([
  { name: 'stand-in in memory', open: () => createMemoryRequestCounts() },
  { name: 'DynamoDB engine', open: () => overEngine() },
])('$name: requests in shares', ({ name, open }) => {
  test('S-40 two processes count together', async () => {
    const window = aWindow();
    const one = open();
    const other = name === 'DynamoDB engine' ? open() : one;

    expect([await one.addShare(window), await other.addShare(window)]).toEqual([30, 60]);
    expect(await one.addShare(window)).toBe(90);
  });

  test('S-40 parallel requests are all counted', async () => {
    const window = aWindow();
    const counts = open();

    const totals = await Promise.all(Array.from({ length: 10 }, () => counts.addShare(window)));

    expect(totals.toSorted((a, b) => a - b)).toEqual([30, 60, 90, 120, 150, 180, 210, 240, 270, 300]);
  });

  test('S-40 V2-11 each partner, policy and window is counted separately', async () => {
    const window = aWindow();
    const counts = open();
    await counts.addShare(window);

    expect(await counts.addShare(aWindow())).toBe(30);
    expect(await counts.addShare({ ...window, startSeconds: startSeconds + 60 })).toBe(30);
    expect(await counts.addShare({ ...window, policy: { ...policy, name: 'other', shareSize: 1 } })).toBe(1);
  });
});

test('S-40 the item of a window expires when the window ends, in seconds', async () => {
  const window = aWindow();
  await overEngine().addShare(window);

  const Key = { pk: `RATE#${window.clientId}`, sk: `partner#${startSeconds}` };
  const { Item } = await engine.documents.send(new GetCommand({ TableName: 'Requests', Key }));

  // 2026-03-01T12:01:00Z
  expect(Item).toEqual({ ...Key, expiresAt: 1_772_366_460, shares: expect.any(Set) });
});

test('S-40 a share that is sent twice counts once', async () => {
  const window = aWindow();
  const documents = documentsOf(clientOf(engine.endpoint));
  const faults = injectFaults(documents, () => 'duplicate');

  const counts = overEngine(documents);

  expect([await counts.addShare(window), await counts.addShare(window)]).toEqual([30, 60]);
  expect(faults).toEqual({ duplicate: 2 });
});

test('S-40 a silent table is waited for no longer than 250 ms', async () => {
  const asked: { abortSignal?: AbortSignal }[] = [];
  const documents = {
    send: (_: unknown, options: { abortSignal: AbortSignal }) => {
      asked.push(options);
      return new Promise((_, reject) => {
        options.abortSignal.addEventListener('abort', () => reject(options.abortSignal.reason));
      });
    },
  } as unknown as typeof engine.documents;
  const beganMs = performance.now();

  await expect(overEngine(documents).addShare(aWindow())).rejects.toMatchObject({ name: 'TimeoutError' });

  const waitedMs = performance.now() - beganMs;
  expect([waitedMs > 240, waitedMs < 2_000]).toEqual([true, true]);
  expect(asked).toHaveLength(1);
});
