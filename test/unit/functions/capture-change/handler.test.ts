import { describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { createHandler } from '../../../../functions/capture-change/handler.ts';
import type { RecordedChange } from '../../../../functions/shared/store/debounce/debounce-row-store.ts';
import { aStreamRecord, updatedAtMs } from '../../../support/builders/stream-records.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';

/** A batch that is captured, where the store fails for some transactions. */
const captured = async (records: DynamoDBRecord[], failing: string[] = []) => {
  const woken: RecordedChange[] = [];
  const logged: unknown[] = [];
  const handler = createHandler({
    recordChange: async (change) => {
      if (failing.includes(change.uuid)) throw new Error('no store');
      woken.push(change);
    },
    clock: () => new Date('2026-03-01T12:00:07Z'),
    log: (name, facts) => logged.push([name, facts]),
    dormancyMs: 120_000,
  });
  const answer = await handler({ Records: records });
  return { answer, woken, logged };
};

const sequenceOf = (record: DynamoDBRecord | undefined) => record?.dynamodb?.SequenceNumber;
const aChange = (number: number) =>
  aStreamRecord({
    uuid: uuidOf(number),
    before: { version: 1 },
    after: { version: 2, parts: ['extras'] },
  });

describe('a batch of stream records', () => {
  test('schedules the debounce row of each changed transaction, due 120 s after its change (interface 6.3)', async () => {
    const { answer, woken, logged } = await captured([
      aChange(1),
      aStreamRecord({ uuid: uuidOf(2), before: { version: 3 }, after: { version: 3 } }),
      aStreamRecord({ uuid: uuidOf(3), before: { version: 1 } }),
      aChange(4),
    ]);

    const change = { changed: ['extras'], dueAtMs: updatedAtMs + 120_000 };
    expect(woken).toEqual([
      { uuid: uuidOf(1), ...change },
      { uuid: uuidOf(4), ...change },
    ]);
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(logged).toEqual([['changeCaptured', { records: 4, captured: 2, failed: 0 }]]);
  });

  test('returns the failed records, and only those', async () => {
    const records = [aChange(1), aChange(2), aChange(3)];

    const { answer, woken, logged } = await captured(records, [uuidOf(2)]);

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: sequenceOf(records[1]) }] });
    expect(woken.map(({ uuid }) => uuid)).toEqual([uuidOf(1), uuidOf(3)]);
    expect(logged).toEqual([
      ['recordFailed', { record: sequenceOf(records[1]) }],
      ['changeCaptured', { records: 3, captured: 2, failed: 1 }],
    ]);
  });

  test('returns every record if it fails as a whole, without failing the invocation', async () => {
    const records = [aChange(1), aChange(2)];

    const { answer } = await captured(records, [uuidOf(1), uuidOf(2)]);

    expect(answer.batchItemFailures).toEqual(
      records.map((record) => ({ itemIdentifier: sequenceOf(record) })),
    );
  });

  test('S-57 logs nothing of a transaction', async () => {
    const { logged } = await captured([aChange(1)], [uuidOf(1)]);

    expect(JSON.stringify(logged)).not.toMatch(/Canary|0000-4000/);
  });
});
