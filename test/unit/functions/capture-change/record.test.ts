import { describe, expect, test } from '@jest/globals';
import { readRecord } from '../../../../functions/capture-change/record.ts';
import { aStreamRecord, updatedAtMs } from '../../../support/builders/stream-records.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';

const now = new Date('2026-03-01T12:00:07Z');

describe('a stream record', () => {
  test('names the changed transaction, the time and the changed elements', () => {
    const record = aStreamRecord({
      before: { version: 4 },
      after: { version: 5, parts: ['extras', 'customer', 'own'] },
    });

    expect(readRecord(record, now)).toEqual({
      ok: true,
      value: { uuid: uuidOf(1), changed: ['extras', 'customer', 'own'], changedAtMs: updatedAtMs },
    });
  });

  test('of a new transaction counts as well', () => {
    const record = aStreamRecord({ after: { version: 1, parts: ['vehicle'] } });

    expect(readRecord(record, now)).toMatchObject({ ok: true, value: { changed: ['vehicle'] } });
  });

  test('I11 of a write without effect is ignored', () => {
    const record = aStreamRecord({ before: { version: 5 }, after: { version: 5 } });

    expect(readRecord(record, now)).toEqual({ ok: false, reason: 'unchanged' });
  });

  test('DR-3 of a version that a restore raised is ignored', () => {
    const record = aStreamRecord({
      before: { version: 5 },
      after: { version: 1_795_262_400_000, parts: [] },
    });

    expect(readRecord(record, now)).toEqual({ ok: false, reason: 'unchanged' });
  });

  test.each([
    ['an import', 7],
    ['a get-or-create that nobody changed', 1],
  ])('EV-10 of %s is ignored', (_, version) => {
    const record = aStreamRecord({ after: { version, notifyFromVersion: version + 1 } });

    expect(readRecord(record, now)).toEqual({ ok: false, reason: 'not-notified' });
  });

  test('EV-10 of the first change after an import counts', () => {
    const record = aStreamRecord({
      before: { version: 7, notifyFromVersion: 8 },
      after: { version: 8, notifyFromVersion: 8 },
    });

    expect(readRecord(record, now).ok).toBe(true);
  });

  test('of a removal is ignored', () => {
    expect(readRecord(aStreamRecord({ before: { version: 1 } }), now)).toEqual({
      ok: false,
      reason: 'removed',
    });
  });

  test.each([
    { strange: { BOOL: true } },
    { version: { N: '5' } },
    { version: { N: '5' }, elementVersions: { S: 'strange' } },
    { elementVersions: { M: { own: { N: '5' } } } },
  ])('that cannot be parsed counts as changed now, because the key suffices (%j)', (NewImage) => {
    const record = { dynamodb: { Keys: { uuid: { S: uuidOf(2) } }, NewImage } };

    expect(readRecord(record, now)).toEqual({
      ok: true,
      value: { uuid: uuidOf(2), changed: [], changedAtMs: now.getTime() },
    });
  });

  test('without a key is a fault', () => {
    expect(() => readRecord({ dynamodb: { NewImage: {} } }, now)).toThrow('A stream record has no uuid');
  });
});
