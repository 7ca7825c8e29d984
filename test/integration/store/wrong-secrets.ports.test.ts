import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import { authenticateClient } from '../../../functions/issue-token/authenticate-client.ts';
import { createGuessLimiter } from '../../../functions/issue-token/guess-limiter.ts';
import { refusedUntilMs } from '../../../functions/shared/domain/wrong-secrets.ts';
import {
  createWrongSecretStore,
  type WrongSecretStore,
} from '../../../functions/shared/store/requests/wrong-secrets.ts';
import { aStoredSecret, now, partner, pepper, secret } from '../../support/apis/token-service.ts';
import { onePepper } from '../../support/builders/key-rings.ts';
import { createMeter } from '../../support/engine/meter.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryWrongSecrets } from '../../support/memory/wrong-secrets.ts';

const engine = useEngine();

const inTable = async () => {
  const access = await newTables(engine, ['Requests', 'Partners']);
  return { ...createWrongSecretStore(access), access };
};

const stores: [string, () => Promise<WrongSecretStore>][] = [
  ['in the table', inTable],
  ['in memory', async () => createMemoryWrongSecrets()],
];

describe.each(stores)('wrong secrets %s', (_where, open) => {
  test('O-55 are stored with their times, each id separately', async () => {
    const store = await open();

    expect(await store.timesOf('a')).toEqual([]);
    expect(await store.add('a', 5)).toEqual([5]);
    expect(await store.add('a', 7)).toEqual([5, 7]);
    expect(await store.add('b', 9)).toEqual([9]);
    expect([await store.timesOf('a'), await store.timesOf('b')]).toEqual([[5, 7], [9]]);
  });

  test('O-55 of thirty in parallel each sees another number', async () => {
    const store = await open();

    const answers = await Promise.all(Array.from({ length: 30 }, () => store.add('a', 5)));

    expect(answers.map(({ length }) => length).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });
});

describe('the Requests table', () => {
  test('an item has an expiry, and at most forty-one times', async () => {
    const store = await inTable();
    for (let count = 0; count < 100; count += 1) await store.add('a', now.getTime() + count * 1_000);

    const Key = { pk: 'WRONG#a', sk: '0' };
    const request = new GetCommand({ TableName: store.access.requestsTable, Key });
    const { expiresAt, times = [] } = (await engine.documents.send(request)).Item ?? {};
    expect(expiresAt).toBe(now.getTime() / 1000 + 99 + 60);
    expect(times.length).toBeLessThanOrEqual(41);
    expect(times.at(-1)).toBe(now.getTime() + 99_000);
  });

  test('O-55 a client that is ignored gains no guess when times are removed', async () => {
    const store = await inTable();
    for (let count = 0; count < 41; count += 1) await store.add('a', now.getTime());

    const times = await store.timesOf('a');

    expect(times).toHaveLength(21);
    expect(refusedUntilMs(times, now.getTime())).toBe(now.getTime() + 60_000);
  });

  test('TH-14 a wrong secret costs no more than a right one, an unknown client the same, and a flood nothing', async () => {
    const { access, ...wrongSecrets } = await inTable();
    const partners = createPartnerStore(access);
    await partners.create({ partner, secrets: [aStoredSecret()] }, 'signature');
    const measure = createMeter(access.documents, 'none');
    const deps = {
      partners,
      readPeppers: async () => onePepper(pepper),
      limiter: createGuessLimiter(wrongSecrets),
    };
    const unitsOf = async (clientId: string, clientSecret: string) => {
      const from = { network: '198.51.100.7', now };
      const { records, requests } = await measure(() =>
        authenticateClient({ clientId, clientSecret }, from, deps),
      );
      return { units: records, requests };
    };

    const right = await unitsOf(partner.clientId, secret);
    const wrong = await unitsOf(partner.clientId, 'wrong');
    const unknown = await unitsOf('nobody', 'wrong');
    for (let count = 0; count < 20; count += 1) await unitsOf(partner.clientId, 'wrong');
    const flood = await unitsOf(partner.clientId, 'wrong');

    process.stdout.write(`units: ${JSON.stringify({ right, wrong, unknown, flood })}\n`);
    expect(right).toEqual({ units: 4, requests: 2 });
    expect(wrong).toEqual(right);
    expect(unknown).toEqual(right);
    expect(flood).toEqual({ units: 0, requests: 0 });
  });
});
