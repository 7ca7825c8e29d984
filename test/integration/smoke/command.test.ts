import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readAddresses } from '../../smoke/addresses.ts';
import { runSmoke } from '../../support/run/smoke-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'smoke-'));
afterAll(() => rmSync(folder, { recursive: true }));

const absent = join(folder, 'no-such-outputs.json');

test.each([
  [
    ['--outputs', absent],
    `${absent} does not exist: name the file that "cdk deploy -O" wrote with --outputs.\n`,
  ],
  [
    ['--burst', 'many'],
    "error: option '--burst <number>' argument 'many' is invalid. Must be a whole number from 1 to 10000.\n",
  ],
])('D-40 a run that cannot start ends with 2, and says why: %j', async (words, said) => {
  expect(await runSmoke(words, { ...process.env, NODE_OPTIONS: '' })).toEqual({ code: 2, said });
});

test('D-40 addresses come from the outputs, with API Gateway’s own', () => {
  const named = { BaseUrl: 'https://api.shop.example', AuthUrl: 'https://auth.shop.example' };
  const gateways = {
    TokenApiEndpointD9A76F20: 'https://a/staging/',
    TransactionsApiEndpointA4F3: 'https://b/',
  };
  const file = join(folder, 'outputs.json');
  writeFileSync(file, JSON.stringify({ 'transactions-staging-service': { ...named, ...gateways } }));

  expect(readAddresses(file)).toEqual({
    ...{ baseUrl: named.BaseUrl, authUrl: named.AuthUrl, gatewayUrls: ['https://a/staging', 'https://b'] },
  });
});
