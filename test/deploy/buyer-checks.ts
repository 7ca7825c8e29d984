import assert from 'node:assert/strict';
import { at, json, text } from './answers.ts';
import type { Deployed } from './deployed.ts';
import type { Report } from './report.ts';

export const shopOrigin = 'https://shop.harbour.example';

/** A checkout page's first minutes (section 5 of the contract). */
export const proveCheckout = async (report: Report, deployed: Deployed, partnerToken: string) => {
  const target = `${deployed.baseUrl}/api/transaction`;
  const get = (query: string, headers: Record<string, string> = {}) =>
    deployed.send(`${target}${query}`, { headers: { Origin: shopOrigin, ...headers } });
  let session = '';
  let uuid = '';

  await report.prove(
    'V1-1, V1-7: a first call creates a transaction and hands out its session token',
    async () => {
      const answer = await get('?expand=ndMeta');

      assert.equal(answer.status, 200, answer.text);
      session = text(answer.headers.get('authentication-token'));
      uuid = text(at(json(answer), 'uuid'));
      assert.equal(at(json(answer), 'status'), 0);
      assert.equal(at(json(answer), 'ndMeta', 'location'), 'quay-1');
      assert.equal(answer.headers.get('Access-Control-Allow-Origin'), shopOrigin);
      assert.match(answer.headers.get('Access-Control-Expose-Headers') ?? '', /authentication-token/i);
    },
  );

  await report.prove('V1-1, V1-2: who comes back with the token gets the same transaction', async () => {
    const authorization = { Authorization: `Bearer ${session}` };

    for (const query of ['', `?uuid=${uuid}`]) {
      const answer = await get(query, authorization);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(at(json(answer), 'uuid'), uuid);
    }
  });

  await report.prove('V1-2: its uuid without the token is 404', async () => {
    const answer = await get(`?uuid=${uuid}`);

    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get('authentication-token'), null);
  });

  await report.prove('V1-3: a filter makes it a list of the own transactions', async () => {
    const answer = await get('?filter[status]=0', { Authorization: `Bearer ${session}` });

    assert.equal(answer.status, 200, answer.text);
    assert.equal(at(json(answer), '_meta', 'totalCount'), 1);
    assert.equal(at(json(answer), 'data', 0, 'uuid'), uuid);
  });

  await report.prove("V1-5, R-07, R-08: neither API takes the other's token", async () => {
    const onV1 = await get('', { Authorization: `Bearer ${partnerToken}` });
    const onV2 = await deployed.send(`${deployed.baseUrl}/api/v2/transaction`, {
      headers: { Authorization: `Bearer ${session}` },
    });

    assert.deepEqual([onV1.status, onV2.status], [401, 401]);
    assert.equal(onV1.headers.get('authentication-token'), null);
  });

  await report.prove(
    'GRANT-1, PAGE-4: the partner of the group sees the new transaction, last of 24',
    async () => {
      const answer = await deployed.send(`${deployed.baseUrl}/api/v2/transaction?page=3`, {
        headers: { Authorization: `Bearer ${partnerToken}` },
      });

      assert.equal(at(json(answer), '_meta', 'totalCount'), 24);
      assert.equal(at(json(answer), 'data', 3, 'uuid'), uuid);
    },
  );
};
