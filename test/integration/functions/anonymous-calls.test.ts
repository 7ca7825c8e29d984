import { expect, test } from '@jest/globals';
import { callAnonymously } from '../../bench/anonymous-calls.ts';
import { callDearly } from '../../bench/dearest-calls.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();

test('S-41 TH-26 anonymous calls without content leave no event, and after 31 days nothing', async () => {
  const { kinds, afterCalls, afterSweep, drift } = await callAnonymously(engine.documents, {
    calls: 15 * 22,
  });

  expect(kinds.map(({ name, answers }) => [name, answers])).toEqual([
    ['GET by a page of the shop', { 200: 22 }],
    ['POST that enters nothing', { 201: 22 }],
    ['POST of extras alone', { 201: 22 }],
    ['GET, then PATCH of extras', { 200: 22 }],
    ['GET, then a deletion', { 200: 22 }],
    ['POST in one session, again and again', { 201: 19, 409: 3 }],
    ['GET by an image', { 403: 22 }],
    ['GET by a link', { 403: 22 }],
    ['GET by a page of another site', { 403: 22 }],
    ['GET by a prefetch', { 204: 22 }],
    ['HEAD', { 200: 22 }],
    ['GET without an origin', { 403: 22 }],
    ['GET of a uuid', { 404: 22 }],
    ['a token that is none', { 401: 22 }],
    ['POST of a faulty body', { 422: 22 }],
  ]);
  expect(kinds.slice(6).map(({ write }) => write)).toEqual(Array(9).fill(0));
  expect(afterCalls).toMatchObject({ transactions: 5 * 22 + 20, counts: 1, events: 3 * 22 });
  expect(afterSweep).toMatchObject({ transactions: 3 * 22, entries: 2 * 22 * 5, events: 3 * 22 });
  expect(drift).toBe(0);
}, 120_000);

test('S-86 TH-26 a change under a key of the largest transaction costs 68 write units, or 86 with the longest fields', async () => {
  const { documents, transactionsTable } = await newTables(engine);
  const suffix = transactionsTable.replace('Transactions', '');

  const calls = await callDearly(documents, { atOnce: 1, rounds: 1, suffix });

  expect(calls.map(({ name, answers, write }) => [name, answers, write]).toSpliced(2, 1)).toEqual([
    ['PATCH of 22 bytes', { 200: 1 }, 68],
    ['PATCH with 9 kB of `fields`', { 200: 1 }, 86],
    ['GET of all nineteen', { 200: 1 }, 0],
  ]);
}, 120_000);
