import { expect, test } from '@jest/globals';
import { createDocumentClient } from '../../../../../../functions/shared/store/dynamodb/client.ts';

test('the SDK copies no request and no answer for a log that nobody keeps', () => {
  const { middlewareStack } = createDocumentClient({ region: 'eu-west-2' });

  expect(middlewareStack.identify().filter((entry) => entry.includes('logger'))).toEqual([]);
});
