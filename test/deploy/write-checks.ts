import assert from 'node:assert/strict';
import { assertProblem, at, json, list, text } from './answers.ts';
import { shopOrigin } from './buyer-checks.ts';
import type { Deployed } from './deployed.ts';
import type { Report } from './report.ts';

type Tokens = { both: string; writeOnly: string };

/** From a checkout with a vehicle to its completion by a payment (contract, sections 5 and 6). */
export const proveWrites = async (report: Report, deployed: Deployed, { both, writeOnly }: Tokens) => {
  const send = (method: string, path: string, body: object, headers: object) =>
    deployed.send(`${deployed.baseUrl}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const asPartner = { Authorization: `Bearer ${both}` };
  const read = (path: string) => deployed.send(`${deployed.baseUrl}/api${path}`, { headers: asPartner });
  const vehicle = { make: 'Ford', identifiers: { ndstockid: 'DEPLOYED-1' } };
  let uuid = '';
  let session = '';
  let firstTag = '';

  await report.prove('V1-6: a checkout posts a transaction with its vehicle', async () => {
    const answer = await send('POST', '/transaction', { vehicle }, { Origin: shopOrigin });

    assert.equal(answer.status, 201, answer.text);
    uuid = text(at(json(answer), 'uuid'));
    session = text(answer.headers.get('authentication-token'));
    firstTag = text(answer.headers.get('ETag'));
    assert.ok(answer.headers.get('Location')?.endsWith(`/transaction/${uuid}`));
  });

  await report.prove('V1-6: its buyer goes on with it', async () => {
    const headers = { Origin: shopOrigin, Authorization: `Bearer ${session}` };
    const answer = await send('PATCH', `/transaction/${uuid}`, { guestEmail: 'a@b.example' }, headers);

    assert.equal(answer.status, 200, answer.text);
    assert.equal(at(json(answer), 'guestEmail'), 'a@b.example');
  });

  await report.prove('V2-2, WR-2: the partner changes it, but not on a stale If-Match', async () => {
    const path = `/v2/transaction/${uuid}`;
    const change = { customer: { firstName: 'Ada' } };
    const stale = await send('PUT', path, change, { ...asPartner, 'If-Match': firstTag });
    const current = text((await read(path)).headers.get('ETag'));
    const answer = await send('PATCH', `${path}?expand=customer`, change, {
      ...asPartner,
      'If-Match': current,
    });

    assertProblem(stale, 412, 'Precondition Failed');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(at(json(answer), 'customer'), { firstName: 'Ada' });
  });

  await report.prove('S-13: what callers may not write is refused by name', async () => {
    const answer = await send('PATCH', `/v2/transaction/${uuid}`, { status: 1 }, asPartner);

    assertProblem(answer, 422, 'Unprocessable Content');
    assert.equal(at(json(answer), 'errors', 0, 'field'), 'status');
  });

  await report.prove(
    'V2-3, V2-4, WR-1: a payment completes it, and the same once more changes nothing',
    async () => {
      const payment = { transaction: uuid, type: 8, value: '250.00', status: 1 };
      const headers = { Authorization: `Bearer ${writeOnly}`, 'Idempotency-Key': 'deployed-1' };
      const first = await send('POST', '/v2/payment', payment, headers);
      const again = await send('POST', '/v2/payment', payment, headers);
      const stored = json(await read(`/v2/transaction/${uuid}?expand=payments`));

      assert.deepEqual([first.status, again.status], [201, 201], first.text);
      assert.equal(again.text, first.text);
      assert.equal(again.headers.get('Idempotency-Replayed'), 'true');
      assert.deepEqual([at(stored, 'status'), at(stored, 'editable')], [1, false]);
      assert.deepEqual(list(at(stored, 'payments')), [json(first)]);
    },
  );

  await report.prove('V1-6: its buyer can then change nothing', async () => {
    const headers = { Origin: shopOrigin, Authorization: `Bearer ${session}` };

    assertProblem(
      await send('PATCH', `/transaction/${uuid}`, { guestEmail: null }, headers),
      409,
      'Conflict',
    );
  });

  await report.prove(
    'PAGE-4, FLT-1: lists have followed: one more, complete, found by its vehicle',
    async () => {
      const all = json(await read('/v2/transaction'));
      const found = json(
        await read('/v2/transaction?filter[status]=1&filter[identifiers][ndstockid]=DEPLOYED-1'),
      );

      assert.equal(at(all, '_meta', 'totalCount'), 25);
      assert.deepEqual(at(found, '_meta', 'totalCount'), 1);
      assert.equal(at(found, 'data', 0, 'uuid'), uuid);
    },
  );

  await report.prove('VERB-1: both functions of its address name the same methods', async () => {
    const options = await deployed.send(`${deployed.baseUrl}/api/v2/transaction/${uuid}`, {
      method: 'OPTIONS',
    });
    const refused = await send('DELETE', `/v2/transaction/${uuid}`, {}, asPartner);

    assert.equal(options.headers.get('Allow'), 'GET, HEAD, PATCH, PUT, OPTIONS');
    assert.equal(refused.headers.get('Allow'), 'GET, HEAD, PATCH, PUT, OPTIONS');
  });
};
