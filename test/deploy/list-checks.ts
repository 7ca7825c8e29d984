import assert from 'node:assert/strict';
import { at, json, list, text } from './answers.ts';
import type { Answer, Deployed } from './deployed.ts';
import { grantedUuids, otherUuid } from './estate.ts';
import type { Report } from './report.ts';

/** What a partner reads first (sections 3 and 4 of the contract), each with what the estate's file says. */
export const proveReads = async (report: Report, deployed: Deployed, token: string) => {
  const get = (target: string, headers: Record<string, string> = {}) =>
    deployed.send(`${deployed.baseUrl}${target}`, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
  const listed = async (target: string) => {
    const answer = await get(target);
    assert.equal(answer.status, 200, answer.text);
    return uuidsOf(answer);
  };
  const [firstUuid = ''] = grantedUuids;

  await report.prove('LIST-1, PAGE-2, PAGE-4: the first page is ten of exactly 23', async () => {
    const answer = await get('/api/v2/transaction');

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(Object.keys(Object(json(answer))), ['_expand', 'data', '_links', '_meta']);
    assert.deepEqual(at(json(answer), '_meta'), {
      totalCount: 23,
      pageCount: 3,
      currentPage: 1,
      perPage: 10,
    });
    assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=UTF-8');
    assert.equal(answer.headers.get('X-Pagination-Total-Count'), '23');
    assert.match(answer.headers.get('Link') ?? '', /; rel=next/);
  });

  await report.prove(
    'LINK-1, LINK-2, LIST-2, GRANT-1: `next` leads through all 23 in order, and no other',
    async () => {
      const pages: string[][] = [];
      let href: unknown = `${deployed.baseUrl}/api/v2/transaction?per-page=9`;
      while (href !== undefined && pages.length < 5) {
        const answer = await deployed.send(text(href), { headers: { Authorization: `Bearer ${token}` } });
        pages.push(uuidsOf(answer));
        href = at(json(answer), '_links', 'next', 'href');
      }

      assert.deepEqual(
        pages.map((page) => page.length),
        [9, 9, 5],
      );
      assert.deepEqual(pages.flat(), grantedUuids);
    },
  );

  await report.prove('PAGE-3: a page past the end is empty and says the true total', async () => {
    const answer = await get('/api/v2/transaction?page=4');

    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(at(json(answer), 'data'), []);
    assert.equal(at(json(answer), '_meta', 'totalCount'), 23);
  });

  await report.prove('FLT-1: filters find by status, by vehicle and by uuid', async () => {
    const complete = [4, 8, 12, 16, 20].map((number) => grantedUuids[number - 1]);

    assert.deepEqual(await listed('/api/v2/transaction?filter[status]=1'), complete);
    assert.deepEqual(await listed('/api/v2/transaction?filter%5Bidentifiers%5D%5Bndstockid%5D=STOCK-1'), [
      firstUuid,
    ]);
    assert.deepEqual(await listed('/api/v2/transaction?filter[identifiers][salesmasterid]=SALES-1'), [
      firstUuid,
    ]);
    assert.deepEqual(await listed(`/api/v2/transaction?filter[uuid]=${firstUuid}`), [firstUuid]);
  });

  await report.prove(
    "FLT-3: another group's vehicle is found no more than one that does not exist",
    async () => {
      assert.deepEqual(await listed('/api/v2/transaction?filter[identifiers][ndstockid]=STOCK-24'), []);
      assert.deepEqual(await listed('/api/v2/transaction?filter[identifiers][ndstockid]=STOCK-99'), []);
    },
  );

  await report.prove('EXP-1, FLD-1, FLD-3, SHOW-1: expand and fields shape the records', async () => {
    const fields = 'uuid,status,payments.value,payments.token,customer.name';
    const answer = await get(
      `/api/v2/transaction?filter[status]=1&per-page=1&expand=payments&fields=${fields}`,
    );

    assert.deepEqual(at(json(answer), 'data', 0), {
      uuid: grantedUuids[3],
      status: 1,
      customer: { name: 'Zoë Müller' },
      payments: [{ token: null, value: '99.00' }],
    });
  });

  await report.prove(
    'V2-1, VERB-1: a single transaction by its uuid, also under the alias and with a slash',
    async () => {
      for (const path of ['/api/v2/transaction', '/v2/transaction']) {
        const answer = await get(`${path}/${firstUuid}?expand=vehicle`);

        assert.equal(answer.status, 200, answer.text);
        assert.equal(at(json(answer), 'uuid'), firstUuid);
        assert.equal(at(json(answer), 'vehicle', 'title'), 'Vehicle 1');
      }
      assert.equal((await get(`/api/v2/transaction/${firstUuid}/`)).status, 200);
      assert.equal((await get('/api/v2/transaction/')).status, 200);
    },
  );

  await report.prove("V2-1, GRANT-3: another group's transaction is answered as an unknown one", async () => {
    const foreign = await get(`/api/v2/transaction/${otherUuid}`);
    const unknown = await get('/api/v2/transaction/0b1e5a70-5c1d-4f6e-9a3b-999999999999-dply');

    assert.deepEqual([foreign.status, unknown.status], [404, 404]);
  });

  await report.prove('V2-6: a partner reads what it is and what it is granted', async () => {
    const answer = await get('/api/v2/partner');

    assert.equal(answer.status, 200, answer.text);
    assert.equal(at(json(answer), 'name'), 'Harbour systems');
    assert.deepEqual(at(json(answer), 'grants'), [{ group: 'harbour' }]);
  });

  await report.prove('VERB-1: HEAD has the status and headers of GET and no body', async () => {
    const answer = await deployed.send(`${deployed.baseUrl}/api/v2/transaction`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${token}` },
    });

    assert.deepEqual([answer.status, answer.text], [200, '']);
    assert.equal(answer.headers.get('X-Pagination-Total-Count'), '23');
  });

  await report.prove('COND-1: an unchanged answer is 304, on the list and on the single record', async () => {
    for (const target of ['/api/v2/transaction', `/api/v2/transaction/${firstUuid}`]) {
      const tag = (await get(target)).headers.get('ETag') ?? '';
      const again = await get(target, { 'If-None-Match': tag });

      assert.match(tag, /^(W\/)?".+"$/);
      assert.deepEqual([again.status, again.text], [304, '']);
    }
  });
};

const uuidsOf = (answer: Answer) => list(at(json(answer), 'data')).map((record) => text(at(record, 'uuid')));
