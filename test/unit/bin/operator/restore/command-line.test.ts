import { expect, test } from '@jest/globals';
import { commandLineOf } from '../../../../../bin/operator/restore/command-line.ts';

test.each<[string, string, Record<string, unknown>, string]>([
  [
    'DR-7 a command that stopped the webhooks of a restored table names the table as it was typed',
    'webhooks stop',
    { table: 'Partners-restored' },
    'webhooks stop --restored Partners-restored',
  ],
  [
    'DR-7 V1-10 a storefront is printed with its identity provider',
    'storefront create',
    {
      name: 'leeds',
      identityProvider: { issuer: 'https://id.example', audience: 'shop', algorithm: 'ES256' },
    },
    'storefront create --name leeds --issuer https://id.example --audience shop --id-token-alg ES256',
  ],
  [
    'DR-7 a name that looks like an option is quoted as a name',
    'partner rotate-secret',
    { name: '-x', overlapHours: 24 },
    'partner rotate-secret --overlap-hours 24 -- -x',
  ],
])('%s', (_, command, args, line) => {
  expect(commandLineOf({ who: 'ada', command, arguments: args, atMs: 0 }).join(' ')).toBe(line);
});
