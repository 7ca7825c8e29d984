import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readAddresses } from '../../smoke/addresses.ts';
import { runSmoke } from '../../support/run/smoke-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'smoke-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (content: unknown) => {
  const path = join(folder, 'file.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
};

/** Nothing of it reaches a stage. */
const smoke = (...words: string[]) => runSmoke(words, { ...process.env, NODE_OPTIONS: '' });

test('D-40 what cannot be looked at ends with 2, and says why', async () => {
  const absent = join(folder, 'no-such-outputs.json');

  expect(await smoke('--outputs', absent)).toEqual({
    code: 2,
    said: `${absent} does not exist: name the file that "cdk deploy -O" wrote with --outputs.\n`,
  });
});

test('D-40 a burst is a number', async () => {
  const { code, said } = await smoke('--burst', 'many');

  expect([code, said.trim()]).toEqual([
    2,
    "error: option '--burst <number>' argument 'many' is invalid. It is a whole number from 1.",
  ]);
});

test('D-40 the help says what is made, and that it goes again', async () => {
  const { code, said } = await smoke('--help');

  expect(code).toBe(0);
  expect(said).toContain('transactions in the group "smoke", which no shop has, and deletes both again');
  expect(said).toContain('No other transaction is read or changed.');
});

test('D-40 addresses are those of the outputs, with what API Gateway calls them', () => {
  const outputs = file({
    'transactions-staging-service': {
      BaseUrl: 'https://api.shop.example',
      AuthUrl: 'https://auth.shop.example',
      TokenApiEndpointD9A76F20: 'https://a.execute-api.eu-west-2.amazonaws.com/staging/',
      TransactionsApiEndpointA4F332F7: 'https://b.execute-api.eu-west-2.amazonaws.com/staging/',
    },
  });

  expect(readAddresses(outputs)).toEqual({
    baseUrl: 'https://api.shop.example',
    authUrl: 'https://auth.shop.example',
    gatewayUrls: [
      'https://a.execute-api.eu-west-2.amazonaws.com/staging',
      'https://b.execute-api.eu-west-2.amazonaws.com/staging',
    ],
  });
});

test('D-40 a file that is none of the service is refused in a sentence', () => {
  expect(() => readAddresses(file({}))).toThrow(/does not say where the stage answers/);
});
