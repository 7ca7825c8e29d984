import { expect, test } from '@jest/globals';
import { withRetries } from '../../../../../../functions/shared/store/dynamodb/retry.ts';

const fault = (name: string, code?: string) =>
  Object.assign(new Error(name), { name, ...(code && { code }) });

test.each([
  ['no answer in time', 1, fault('TimeoutError', 'ETIMEDOUT')],
  ['no connection in time', 1, fault('TimeoutError')],
  ['a look that was broken off', 1, fault('AbortError')],
  ['a connection that broke', 10, fault('TimeoutError', 'ECONNRESET')],
  ['an engine at its limit', 10, fault('ThrottlingException')],
])('STO-3 after %s there are %s tries: a missing answer needs no wait', async (_, most, error) => {
  let tries = 0;
  const attempt = () => {
    tries += 1;
    return Promise.reject(error);
  };

  await expect(withRetries(attempt, { random: () => 0, sleep: async () => {} })).rejects.toBe(error);

  expect(tries).toBe(most);
});
