import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { commandLineOf, shellWord } from '../../../../../bin/operator/restore/command-line.ts';

const recorded = (command: string, args: Record<string, unknown>) =>
  commandLineOf({ who: 'ada', command, arguments: args, atMs: 0 }).join(' ');

test('DR-7 a command that stopped the webhooks of a restored table names the table as it was typed', () => {
  expect(recorded('webhooks stop', { table: 'Partners-restored' })).toBe(
    'webhooks stop --restored Partners-restored',
  );
});

test('DR-7 V1-10 a storefront is printed with its identity provider', () => {
  const identityProvider = { issuer: 'https://id.example', audience: 'shop', algorithm: 'ES256' };

  expect(recorded('storefront create', { name: 'leeds', origins: [], identityProvider })).toBe(
    'storefront create --name leeds --issuer https://id.example --audience shop --id-token-alg ES256',
  );
});

test('DR-7 a name that looks like an option is quoted as a name', () => {
  expect(recorded('partner rotate-secret', { name: '-x', overlapHours: 24 })).toBe(
    'partner rotate-secret --overlap-hours 24 -- -x',
  );
});

test.each(["it's", '$(id)', '`id`', 'a\nb', '~', '=ls', '', '!!', '{"a":"$(id)"}'])(
  'DR-7 a shell passes %j as it is',
  (word) => {
    const { stdout } = spawnSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' });

    expect(stdout).toBe(word);
  },
);
