import { describe, expect, test } from '@jest/globals';
import {
  conditionHeld,
  failedConditionIn,
  failureOf,
  isUnavailable,
  refusedParts,
} from '../../../../../../functions/shared/store/dynamodb/failure.ts';

const fault = (name: string, members: object = {}) => Object.assign(new Error(name), { name }, members);
const answered = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });
const cancelled = (...codes: string[]) =>
  fault('TransactionCanceledException', {
    ...answered(400),
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

const conditionFailed = fault('ConditionalCheckFailedException', answered(400));
const throttled = fault('ThrottlingException', answered(400));

describe('STO-2 the result of a request', () => {
  test.each<[string, unknown, string]>([
    ['a failed condition', conditionFailed, 'condition-failed'],
    ['a condition of one statement', cancelled('None', 'ConditionalCheckFailed'), 'condition-failed'],
    [
      'a failed condition beside a conflict',
      cancelled('TransactionConflict', 'ConditionalCheckFailed'),
      'condition-failed',
    ],
    ['a conflict', cancelled('None', 'TransactionConflict'), 'not-done'],
    ['a statement at the limit', cancelled('ThrottlingError'), 'not-done'],
    ['a conflict outside a transaction', fault('TransactionConflictException', answered(400)), 'not-done'],
    ['an engine at its limit', throttled, 'not-done'],
    ['an item that is too large', cancelled('ItemCollectionSizeLimitExceeded', 'None'), 'fatal'],
    ['a wrong expression', fault('ValidationException', answered(400)), 'fatal'],
    ['no right', fault('AccessDeniedException', answered(400)), 'fatal'],
    ['a fault of the program', new TypeError('x is undefined'), 'fatal'],
    ['a fault of the engine', fault('InternalServerError', answered(500)), 'perhaps-done'],
    ['no answer at all', fault('TimeoutError'), 'perhaps-done'],
    ['a connection that broke', fault('Error', { code: 'ECONNRESET' }), 'perhaps-done'],
  ])('%s', (_, error, failure) => {
    expect(failureOf(error)).toBe(failure);
  });
});

describe('STO-2 a failed condition is returned as a result', () => {
  test('it says that nothing was written, and which statement failed', async () => {
    const write = () => Promise.reject(cancelled('None', 'None', 'ConditionalCheckFailed'));

    expect(await conditionHeld(write())).toBe(false);
    expect(await failedConditionIn(write())).toBe(2);
    expect(await failedConditionIn(Promise.reject(conditionFailed))).toBe(0);
    expect(await conditionHeld(Promise.resolve({}))).toBe(true);
  });

  test.each([
    ['a conflict', cancelled('TransactionConflict')],
    ['an engine at its limit', throttled],
    ['a wrong expression', fault('ValidationException', answered(400))],
    ['no right', fault('AccessDeniedException', answered(400))],
    ['no answer', fault('TimeoutError')],
    ['a fault of the program', new TypeError('x is undefined')],
  ])('%s is not a result: it is thrown', async (_, error) => {
    await expect(conditionHeld(Promise.reject(error))).rejects.toBe(error);
    await expect(failedConditionIn(Promise.reject(error))).rejects.toBe(error);
  });
});

describe('ERR-4 a store that is unavailable', () => {
  test.each<[string, unknown, boolean]>([
    ['an engine at its limit', throttled, true],
    ['a conflict', cancelled('TransactionConflict'), true],
    ['a fault of the engine', fault('InternalServerError', answered(500)), true],
    ['no answer in time', fault('TimeoutError'), true],
    ['nobody at the address', fault('Error', { code: 'ECONNREFUSED' }), true],
    ['a failed condition', conditionFailed, false],
    ['a wrong expression', fault('ValidationException', answered(400)), false],
    ['a fault of the program', new TypeError('x is undefined'), false],
    ['something that is no error', 'ThrottlingException', false],
  ])('%s: %s', (_, error, expected) => {
    expect(isUnavailable(error)).toBe(expected);
  });
});

describe('STO-2 the refused statement of a transaction', () => {
  const refused = (error: unknown) => refusedParts(Promise.reject(error), [2, 3, 1]);

  test('is found by the statements of each part', async () => {
    const codes = ['None', 'ConditionalCheckFailed', 'TransactionConflict', 'None', 'None', 'None'];

    expect(await refused(cancelled(...codes))).toEqual(['condition-failed', 'other', 'none']);
    expect(await refusedParts(Promise.resolve({}), [2, 3, 1])).toBeUndefined();
  });

  test('a condition is preferred to a conflict of the same part', async () => {
    const codes = [
      'TransactionConflict',
      'ConditionalCheckFailed',
      'None',
      'None',
      'None',
      'ThrottlingError',
    ];

    expect(await refused(cancelled(...codes))).toEqual(['condition-failed', 'none', 'other']);
  });

  test('is not reported for the whole request', async () => {
    const tooLarge = fault('ValidationException', answered(400));

    expect(await refused(tooLarge)).toEqual(['none', 'none', 'none']);
  });

  test.each([
    ['an engine at its limit', throttled],
    ['no answer', fault('TimeoutError')],
    ['an answer that is cut off, after which the request may be done', fault('SyntaxError', answered(200))],
    ['a fault of the program', new TypeError('x is undefined')],
  ])('is no result for %s', async (_, error) => {
    await expect(refused(error)).rejects.toBe(error);
  });
});
