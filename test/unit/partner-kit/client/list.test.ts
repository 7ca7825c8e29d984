import { describe, expect, test } from '@jest/globals';
import { aClient, all, anEmptyPage, json } from '../../../support/partner-kit/fake-service.ts';

const listOf = (uuids: string[], next?: string) => ({
  ...anEmptyPage,
  data: uuids.map((uuid) => ({ uuid })),
  _links: { ...anEmptyPage._links, ...(next !== undefined && { next: { href: next } }) },
});

describe('KIT-1 lists', () => {
  test('KIT-1 a query is sent in the form of the interface', async () => {
    const { client, sent } = aClient({ api: () => json(anEmptyPage) });

    await client.transactions.list({
      filter: { status: 1, identifiers: { ndstockid: 'a b', salesmasterid: '7' } },
      expand: ['payments', 'vehicle'],
      fields: ['uuid', 'payments.value'],
      page: 2,
      perPage: 50,
    });

    expect(decodeURIComponent(sent[0]?.url.search ?? '').replaceAll('+', ' ')).toBe(
      '?filter[status]=1&filter[identifiers][ndstockid]=a b&filter[identifiers][salesmasterid]=7&expand=payments,vehicle&fields=uuid,payments.value&page=2&per-page=50',
    );
    expect(sent[0]?.url.pathname).toBe('/api/v2/transaction');
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer token-1');
  });

  test('KIT-1 the pages of a list are read by their links, unchanged', async () => {
    const next = 'https://api.example.com/v2/transaction?page=2&per-page=50&after=c1';
    const { client, sent } = aClient({
      api: ({ url }) => json(url.searchParams.has('after') ? listOf(['b']) : listOf(['a'], next)),
    });

    const uuids: string[] = [];
    for await (const { uuid } of client.transactions.list({ fields: ['uuid'] })) uuids.push(uuid);

    expect(uuids).toEqual(['a', 'b']);
    expect(sent[1]?.url.href).toBe(next);
  });

  test('KIT-1 a list that is awaited is its first page, requested once and only then', async () => {
    const { client, sent } = aClient({ api: () => json(listOf(['a'])) });

    const list = client.transactions.list();
    const sentBefore = sent.length;
    const [first, again] = [await list, await list];

    expect(sentBefore).toBe(0);
    expect(first.data).toEqual([{ uuid: 'a' }]);
    expect(again).toBe(first);
    expect(sent.map(({ url }) => url.search)).toEqual(['']);
  });

  test('KIT-1 a list that is iterated over is read in pages of 50, and its pages have the default size', async () => {
    const { client, sent } = aClient({ api: () => json(listOf(['a'])) });

    await all(client.events.list());
    await all(client.events.list({ perPage: 5 }));
    await all(client.events.list().pages());

    expect(sent.map(({ url }) => url.search)).toEqual(['?per-page=50', '?per-page=5', '']);
  });

  test.each([
    'https://evil.example/v2/transaction?after=c1',
    'http://api.example.com/v2/transaction?after=c1',
    '//evil.example/v2/transaction',
    'https://api.example.com.evil.example/',
    'https://api.example.com@evil.example/',
  ])('KIT-2 a link to another origin is not followed: the token never leaves (%s)', async (next) => {
    const { client, sent } = aClient({ api: () => json(listOf(['a'], next)) });

    const reading = all(client.transactions.list());

    await expect(reading).rejects.toMatchObject({ type: 'foreign-link' });
    expect(sent).toHaveLength(1);
  });

  test('KIT-1 a page that links to itself as the next one is an error', async () => {
    const next = 'https://api.example.com/v2/transaction?after=c1';
    const { client } = aClient({ api: () => json(listOf(['a'], next)) });

    await expect(all(client.transactions.list())).rejects.toMatchObject({ type: 'unexpected-answer' });
  });
});
