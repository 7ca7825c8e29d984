import { expect, test } from '@jest/globals';
import { withRetries } from '../../../../../../functions/shared/store/dynamodb/retry.ts';

const fault = (name: string, code?: string) =>
  Object.assign(new Error(name), { name, ...(code && { code }) });

test.each([
  ['no answer in time', fault('TimeoutError', 'ETIMEDOUT'), 1],
  ['no connection in time', fault('TimeoutError'), 1],
  ['a look that was broken off', fault('AbortError'), 1],
  ['a connection that broke', fault('TimeoutError', 'ECONNRESET'), 10],
  ['an engine at its limit', fault('ThrottlingException'), 10],
])('STO-3 %s is no reason to wait on: %s, %s tries', async (_, error, most) => {
  let tries = 0;
  const attempt = () => {
    tries += 1;
    return Promise.reject(error);
  };

  await expect(withRetries(attempt, { random: () => 0, sleep: async () => {} })).rejects.toBe(error);

  expect(tries).toBe(most);
});
