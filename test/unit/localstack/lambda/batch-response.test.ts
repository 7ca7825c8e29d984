import { describe, expect, test } from '@jest/globals';
import { refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import { failedItems } from '../../../../localstack/lambda/batch-response.ts';

const ids = ['1', '2', '3'];

describe('what of a batch failed', () => {
  test.each([
    ['null', []],
    ['{}', []],
    ['{"batchItemFailures":[]}', []],
    ['{"batchItemFailures":null}', []],
    ['{"batchItemFailures":[{"itemIdentifier":"2"}]}', ['2']],
    ['{"batchItemFailures":[{"itemIdentifier":"3"},{"itemIdentifier":"2"}]}', ['3', '2']],
    ['{"batchItemFailures":[{"itemIdentifier":"4"}]}', ids],
    ['{"batchItemFailures":[{"itemIdentifier":""}]}', ids],
    ['{"batchItemFailures":[{"itemIdentifier":null}]}', ids],
    ['{"batchItemFailures":[{"identifier":"2"}]}', ids],
    ['{"batchItemFailures":[null]}', ids],
    ['{"batchItemFailures":"2"}', ids],
    ['"done"', ids],
  ])('the answer %s: %j', (answer, expected) => {
    expect(failedItems(succeed(answer), ids, true)).toEqual(expected);
  });

  test('a function that failed has failed with all of it', () => {
    expect(failedItems(refuse('timed out'), ids, true)).toEqual(ids);
  });

  test('an answer is not read where the template does not say so', () => {
    const answer = succeed('{"batchItemFailures":[{"itemIdentifier":"2"}]}');

    expect(failedItems(answer, ids, false)).toEqual([]);
  });
});
