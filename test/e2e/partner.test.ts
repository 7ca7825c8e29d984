import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../functions/shared/domain/transaction/transaction.ts';
import { firstOf, fleets, northgates, startDemo, uuidsIn } from '../support/stage/demo-stage.ts';
import { send, uuidsOf } from '../support/stage/partner-client.ts';

const allElements =
  'vehicle,ndMeta,extras,deliveryCollection,selectedPaymentMethod,financeProposal,valuation,customer,payments,financeDefaults';

let { stage, northgate, fleet } = {} as Awaited<ReturnType<typeof startDemo>>;

beforeAll(async () => {
  ({ stage, northgate, fleet } = await startDemo());
}, 120_000);

afterAll(async () => stage.stop(), 30_000);

describe("a partner's first ten minutes: the list", () => {
  test('LIST-1 PAGE-2 PAGE-4 the first page is ten of all, in creation order', async () => {
    const { status, headers, list } = await northgate.get('/api/v2/transaction');

    expect(status).toBe(200);
    expect(Object.keys(list())).toEqual(['_expand', 'data', '_links', '_meta']);
    expect(list()._expand).toBe(allElements);
    expect(uuidsOf(list())).toEqual(uuidsIn(northgates).slice(0, 10));
    expect(list()._meta).toEqual({ totalCount: 120, pageCount: 12, currentPage: 1, perPage: 10 });
    expect(headers.get('content-type')).toBe('application/json; charset=UTF-8');
    expect(headers.get('x-pagination-total-count')).toBe('120');
  });

  test.each([
    [1, 120],
    [10, 12],
    [37, 4],
    [50, 3],
  ])('LINK-1 LINK-5 next leads through every transaction once, %i a page', async (perPage, pageCount) => {
    const pages = await northgate.allPages(`per-page=${perPage}&fields=uuid`);

    expect(pages).toHaveLength(pageCount);
    expect(pages.flatMap(uuidsOf)).toEqual(uuidsIn(northgates));
    expect(new Set(pages.map(({ _meta }) => _meta.totalCount))).toEqual(new Set([120]));
    expect(pages.map(({ _meta }) => _meta.currentPage)).toEqual(pages.map((_, index) => index + 1));
  });

  test('LINK-2 every href of a page works when followed', async () => {
    const { list } = await northgate.get('/api/v2/transaction?page=3&fields=uuid');
    const links = list()._links;

    const answers = await Promise.all(Object.values(links).map(({ href }) => northgate.get(href)));

    expect(Object.keys(links)).toEqual(['self', 'first', 'last', 'prev', 'next']);
    expect(Object.values(links).map(({ href }) => new URL(href).pathname)).toEqual(
      Array(5).fill('/v2/transaction'),
    );
    expect(answers.map((answer) => answer.list()._meta.currentPage)).toEqual([3, 1, 12, 2, 4]);
  });

  test('PAGE-3 a page past the end is empty, with true totals', async () => {
    const { status, list } = await northgate.get('/api/v2/transaction?page=13');

    expect(status).toBe(200);
    expect(list().data).toEqual([]);
    expect(list()._meta).toEqual({ totalCount: 120, pageCount: 12, currentPage: 13, perPage: 10 });
    expect(list()._links.next).toBeUndefined();
    expect(list()._links.prev?.href).toContain('page=12');
  });

  test('S-01 GRANT-1 two partners see what each was granted, and nothing of it twice', async () => {
    const [ofNorthgate, ofFleet] = await Promise.all([
      northgate.allPages('per-page=50'),
      fleet.allPages('per-page=50'),
    ]);

    expect(ofNorthgate.flatMap(uuidsOf)).toEqual(uuidsIn(northgates));
    expect(ofFleet.flatMap(uuidsOf)).toEqual(uuidsIn(fleets));
    expect([northgates.length, fleets.length]).toEqual([120, 125]);
  });
});

describe("a partner's first ten minutes: filters, expand, fields", () => {
  test('FLT-1 every filter, alone and combined', async () => {
    const sample = firstOf(northgates, ({ status }) => status === 1);
    const { ndstockid, salesmasterid } = (sample.vehicle as JsonObject).identifiers as Record<string, string>;
    const sameStock = northgates.filter((one) => JSON.stringify(one.vehicle).includes(`"${ndstockid}"`));

    expect(await northgate.uuids('filter[status]=1&per-page=50')).toEqual(
      uuidsIn(northgates.filter(({ status }) => status === 1)).slice(0, 50),
    );
    expect(await northgate.uuids(`filter[uuid]=${sample.uuid}`)).toEqual([sample.uuid]);
    expect(await northgate.uuids(`filter[identifiers][ndstockid]=${ndstockid}`)).toEqual(uuidsIn(sameStock));
    expect(await northgate.uuids(`filter%5Bidentifiers%5D%5Bsalesmasterid%5D=${salesmasterid}`)).toContain(
      sample.uuid,
    );
    expect(await northgate.uuids(`filter[uuid]=${sample.uuid}&filter[status]=0`)).toEqual([]);
  });

  test('PAGE-4 both states together are all', async () => {
    const [complete, incomplete] = await Promise.all(
      ['1', '0'].map(
        async (status) => (await fleet.get(`/api/v2/transaction?filter[status]=${status}`)).list()._meta,
      ),
    );

    const expected = [1, 0].map((wanted) => fleets.filter(({ status }) => status === wanted).length);
    expect([complete?.totalCount, incomplete?.totalCount]).toEqual(expected);
  });

  test("S-02 FLT-3 another partner's transaction is found no more than one that does not exist", async () => {
    const foreign = fleets[0]?.uuid ?? '';
    const unknown = '00000000-0000-4000-8000-000000000000-zzzz';

    const [one, other] = await Promise.all(
      [foreign, unknown].map((uuid) => northgate.get(`/api/v2/transaction?filter[uuid]=${uuid}`)),
    );

    expect(one?.list()).toMatchObject({ data: [], _meta: { totalCount: 0, pageCount: 0 } });
    expect(one?.text.replaceAll(foreign, unknown)).toBe(other?.text);
  });

  test('EXP-1 SHOW-1 everything expanded is what was imported, payment tokens aside', async () => {
    const pages = await northgate.allPages(`per-page=50&expand=${allElements}`);

    const shown = new Map(pages.flatMap(({ data }) => data).map((record) => [record.uuid, record]));
    for (const { uuid, ...imported } of northgates) {
      const { createdAt: _, ...rest } = imported as JsonObject;
      const payments = ((rest.payments ?? []) as JsonObject[]).map((payment) => ({
        ...payment,
        token: null,
      }));
      const absent = Object.fromEntries(allElements.split(',').map((name) => [name, null]));
      expect(shown.get(uuid)).toEqual({ uuid, ...absent, ...rest, payments });
    }
  });

  test('FLD-1 FLD-3 FLD-4 fields narrow, and a path expands by itself', async () => {
    const sample = firstOf(northgates, ({ payments = [] }) => payments.length > 0);

    const { list } = await northgate.get(
      `/api/v2/transaction?filter[uuid]=${sample.uuid}&fields=status,uuid,payments.value,ndMeta.branch,nope`,
    );

    expect(list().data).toEqual([
      {
        uuid: sample.uuid,
        status: sample.status,
        ndMeta: { branch: sample.ndMeta?.branch },
        payments: sample.payments?.map(({ value }) => ({ value })),
      },
    ]);
  });
});

describe("a partner's first ten minutes: one transaction, verbs and conditions", () => {
  test('V2-1 one by its uuid, with and without /api and a trailing slash', async () => {
    const { uuid, vehicle } = firstOf(fleets, () => true);

    const answers = await Promise.all(
      [`/api/v2/transaction/${uuid}`, `/v2/transaction/${uuid}`, `/api/v2/transaction/${uuid}/`].map((path) =>
        fleet.get(`${path}?expand=vehicle&fields=uuid,vehicle`),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ json }) => json())).toEqual(Array(3).fill({ uuid, vehicle }));
  });

  test('VERB-1 the list answers under every alias alike', async () => {
    const answers = await Promise.all(
      ['/api/v2/transaction', '/api/v2/transaction/', '/v2/transaction', '/v2/transaction/'].map((path) =>
        fleet.get(`${path}?per-page=2`),
      ),
    );

    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('VERB-1 HEAD is GET without the body', async () => {
    const get = await northgate.get('/api/v2/transaction');
    const head = await northgate.get('/api/v2/transaction', { method: 'HEAD' });

    const facts = ({ headers, status }: typeof get) => [status, headers.get('etag'), headers.get('link')];
    expect(facts(head)).toEqual(facts(get));
    expect(head.text).toBe('');
  });

  test('VERB-1 OPTIONS needs no token, other methods are 405', async () => {
    const options = await send(stage, '/api/v2/transaction', { method: 'OPTIONS' });
    const others = await Promise.all(
      ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => northgate.get('/api/v2/transaction', { method })),
    );

    expect([options.status, options.text]).toEqual([204, '']);
    expect([options, ...others].map(({ headers }) => headers.get('allow'))).toEqual(
      Array(5).fill('GET, HEAD, OPTIONS'),
    );
    expect(others.map(({ status }) => status)).toEqual([405, 405, 405, 405]);
  });

  test.each(['/api/v2/transaction?filter[status]=1', '/api/v2/transaction/uuid'])(
    'COND-1 %s unchanged is 304',
    async (path) => {
      const target = path.replace('/uuid', `/${northgates[0]?.uuid}`);
      const { headers } = await northgate.get(target);
      const tag = headers.get('etag') ?? '';

      const same = await northgate.get(target, { headers: { 'If-None-Match': `"other", ${tag}` } });
      const changed = await northgate.get(target, { headers: { 'If-None-Match': '"other"' } });

      expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', tag]);
      expect(changed.status).toBe(200);
    },
  );

  test('V2-6 it reads what it is and what it is granted', async () => {
    const { json } = await northgate.get('/api/v2/partner');

    expect(json()).toMatchObject({
      name: 'northgate-crm',
      oauthScopes: ['nop2/read', 'nop2/write'],
      grants: [{ group: '06fec110f94c087c57bdfb424659d9915db6b738' }],
    });
  });
});
