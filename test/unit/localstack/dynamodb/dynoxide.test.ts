import { expect, test } from '@jest/globals';
import { findDynoxide } from '../../../../localstack/dynamodb/dynoxide.ts';

test('a machine without an engine hears of every way to have one', () => {
  expect(() => findDynoxide({ PATH: '' }, 'sunos-sparc')).toThrow(
    'No DynamoDB engine was found. Either set DYNAMODB_ENDPOINT to the address of one that runs, ' +
      'or install the package @dynoxide/sunos-sparc, or put a dynoxide binary on PATH.',
  );
});
