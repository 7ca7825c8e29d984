import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../functions/shared/domain/transaction/transaction.ts';
import { type Checkouts, openCheckouts, shop, totalsOf } from '../support/builders/checkouts.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { sharedStage } from '../support/stage/shared-stage.ts';

let checkouts: Checkouts;
beforeAll(async () => {
  checkouts = await openCheckouts(await sharedStage());
}, 300_000);

/** Another file's write during an audit may look like drift; drift that is there is found each time. */
const driftThatStays = async (): Promise<number> => {
  const audit = async () => ((await checkouts.operator('listing', 'audit')) as { drift: number }).drift;
  let drift = await audit();
  for (let again = 0; drift > 0 && again < 5; again += 1) drift = await audit();
  return drift;
};

/** A new transaction of a new buyer, as its V2 address. */
const begin = async (body: object = {}) => {
  const buyer = checkouts.aBuyer();
  const created = await buyer.send('/api/transaction', { method: 'POST', body });
  const { uuid } = created.body as { uuid: string };
  return { buyer, uuid, path: `/api/v2/transaction/${uuid}`, tag: created.headers.get('etag') ?? '' };
};

describe('writes that come again', () => {
  test('WR-1 a buyer’s replay carries no token', async () => {
    const { buyer, uuid } = await begin();
    const ask = {
      method: 'PATCH',
      body: { guestEmail: 'guest@shop.example' },
      headers: { 'Idempotency-Key': 'edit-1' },
    };

    const first = await buyer.send(`/api/transaction/${uuid}`, ask);
    const again = await buyer.send(`/api/transaction/${uuid}`, ask);

    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect([again.headers.get('idempotency-replayed'), again.token]).toEqual(['true', null]);
  });

  test('WR-1 another caller’s equal key is another key', async () => {
    const { path } = await begin();
    const change = { guestEmail: 'one@shop.example' };
    const key = { 'Idempotency-Key': 'shared' };
    await checkouts.dealer.write('PATCH', path, change, key);

    const other = await checkouts.northOnly.write('PATCH', path, change, key);

    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('WR-3 a save that changes nothing leaves the tag as it is', async () => {
    const { path } = await begin({ customer: { firstName: 'Ada' } });
    const before = (await checkouts.dealer.get(path)).headers.get('etag');

    const { status } = await checkouts.dealer.write('PATCH', path, { customer: { firstName: 'Ada' } });

    expect(status).toBe(200);
    expect((await checkouts.dealer.get(path)).headers.get('etag')).toBe(before);
  });

  test('TH-20 16 good payments at once complete once, and all are recorded', async () => {
    const { path, uuid } = await begin();
    const [all = 0, incomplete = 0, complete = 0] = await totalsOf(checkouts.dealer);
    const payment = { transaction: uuid, type: 1, value: '10.00', status: 1 };

    const answers = await Promise.all(
      Array.from({ length: 16 }, () => checkouts.dealer.write('POST', '/api/v2/payment', payment)),
    );

    const records = (await checkouts.dealer.get(`${path}?expand=payments`)).json().payments as JsonObject[];
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(201));
    expect(records).toHaveLength(16);
    expect(new Set(records.map(({ id }) => id)).size).toBe(16);
    expect(records.filter(({ is_selected }) => is_selected === 1)).toHaveLength(1);
    expect(await totalsOf(checkouts.dealer)).toEqual([all, incomplete - 1, complete + 1]);
    expect(await driftThatStays()).toBe(0);
  });

  test('WR-1 TH-20 one good payment sent 16 times at once is recorded once', async () => {
    const { path, uuid } = await begin();
    const payment = { transaction: uuid, type: 1, value: '10.00', status: 1 };

    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        checkouts.dealer.write('POST', '/api/v2/payment', payment, { 'Idempotency-Key': 'storm' }),
      ),
    );

    const records = (await checkouts.dealer.get(`${path}?expand=payments`)).json().payments as JsonObject[];
    expect(records).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([JSON.stringify(records[0])]));
  });
});

describe('rights to write', () => {
  test('V2-2 out of scope is as unknown, and nothing is written', async () => {
    const { path, uuid } = await begin();
    const unknown = (await begin()).uuid.replace(/^.{8}/, '00000000');
    const before = (await checkouts.dealer.get(path)).headers.get('etag');
    const payment = { type: 1, value: '10.00', status: 1 };

    const { stranger } = checkouts;
    const answers = [
      await stranger.write('PATCH', path, { guestEmail: null }),
      await stranger.write('PATCH', `/api/v2/transaction/${unknown}`, { guestEmail: null }),
      await stranger.write('POST', '/api/v2/payment', { transaction: uuid, ...payment }),
      await stranger.write('POST', '/api/v2/payment', { transaction: unknown, ...payment }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const types = answers.map((answer) => String(answer.json().type).split('#')[1]);
    expect(types).toEqual(['not-found', 'not-found', 'transaction-not-found', 'transaction-not-found']);
    expect((await checkouts.dealer.get(path)).headers.get('etag')).toBe(before);
  });

  test('V2-3 a token without nop2/write writes nothing', async () => {
    const { path } = await begin();
    const { status } = await checkouts.reader.write('PATCH', path, { guestEmail: null });

    expect(status).toBe(403);
  });

  test('V1-2 another buyer’s transaction is as unknown', async () => {
    const { uuid } = await begin();
    const other = (await begin()).buyer;

    const { status } = await other.send(`/api/transaction/${uuid}`, {
      method: 'PATCH',
      body: { guestEmail: null },
    });

    expect(status).toBe(404);
  });

  test('V1-7 a registered origin may send writes, and V2 takes none from scripts', async () => {
    const { uuid } = await begin();
    const preflight = (path: string, origin: string) =>
      describedFetch(`${checkouts.stage.baseUrl}${path}`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'PATCH' },
      });

    const own = await preflight(`/api/transaction/${uuid}`, shop);
    // Another origin than the stage's own does not come as far as V2 (S-83).
    const { baseUrl } = checkouts.stage;
    const others = [
      await preflight(`/api/transaction/${uuid}`, 'https://evil.example'),
      await preflight(`/api/v2/transaction/${uuid}`, baseUrl),
      await preflight('/api/v2/payment', baseUrl),
    ];

    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([204, shop]);
    expect(own.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(own.headers.get('access-control-allow-headers')).toMatch(/Idempotency-Key.*If-Match/);
    expect(others.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('WR-4 beyond a limit is 413 with the limit, and nothing is written', async () => {
    const { path, buyer, uuid } = await begin();
    const before = (await checkouts.dealer.get(path)).headers.get('etag');
    const large = { extras: { note: 'x'.repeat(100_001) } };

    const byPartner = await checkouts.dealer.write('PATCH', path, large);
    const byBuyer = await buyer.send(`/api/transaction/${uuid}`, { method: 'PATCH', body: large });
    const beyondGateway = await checkouts.dealer.write('PATCH', path, { note: 'x'.repeat(10 * 1024 * 1024) });

    expect([byPartner.status, byBuyer.status, beyondGateway.status]).toEqual([413, 413, 413]);
    expect(byPartner.json().detail).toMatch(/100.?000 bytes/);
    expect(beyondGateway.json()).toMatchObject({ status: 413, name: 'Content Too Large' });
    expect((await checkouts.dealer.get(path)).headers.get('etag')).toBe(before);
  });
});

describe('moves and deletion', () => {
  test('OWN-2 a moved transaction is seen where it is now', async () => {
    const { uuid, buyer, path } = await begin();
    const [atNorth = 0] = await totalsOf(checkouts.northOnly);
    const [inGroup = 0] = await totalsOf(checkouts.dealer);

    const moved = await buyer.send(`/api/transaction/${uuid}?expand=ndMeta`, {
      method: 'PATCH',
      body: { location: 'S' },
    });

    expect([moved.status, moved.body.ndMeta.location]).toEqual([200, 'S']);
    expect((await checkouts.northOnly.get(path)).status).toBe(404);
    expect((await checkouts.dealer.get(path)).status).toBe(200);
    expect((await totalsOf(checkouts.northOnly))[0]).toBe(atNorth - 1);
    expect((await totalsOf(checkouts.dealer))[0]).toBe(inGroup);
  });

  test('OWN-2 a partner moves within its own scope only', async () => {
    const { path } = await begin();

    const beyond = await checkouts.northOnly.write('PATCH', path, { location: 'S' });
    const elsewhere = await checkouts.dealer.write('PATCH', path, { location: 'Q' });
    const within = await checkouts.dealer.write('PATCH', path, { location: 'S' });

    expect([beyond.status, elsewhere.status, within.status]).toEqual([403, 403, 200]);
  });

  test('DEL-1 deletion hides from every list and read, and only the operator brings back', async () => {
    const { uuid, buyer, path } = await begin({ vehicle: { identifiers: { ndstockid: 'STOCK-D' } } });
    const before = await totalsOf(checkouts.dealer);
    const found = () => checkouts.dealer.uuids('filter[identifiers][ndstockid]=STOCK-D');

    const deleted = await buyer.send(`/api/transaction/${uuid}`, { method: 'PATCH', body: { isDeleted: 1 } });
    const hidden = [
      (await checkouts.dealer.get(path)).status,
      (await buyer.send(`/api/transaction?uuid=${uuid}`)).status,
      (await checkouts.dealer.write('PATCH', path, { isDeleted: 0 })).status,
      (await checkouts.dealer.write('PATCH', path, { guestEmail: null })).status,
    ];

    expect(deleted.status).toBe(200);
    expect(hidden).toEqual([404, 404, 422, 404]);
    expect(await found()).toEqual([]);
    expect((await totalsOf(checkouts.dealer))[0]).toBe((before[0] ?? 0) - 1);

    await checkouts.operator('transactions', 'restore', uuid);

    expect(await found()).toEqual([uuid]);
    expect(await totalsOf(checkouts.dealer)).toEqual(before);
    expect(await driftThatStays()).toBe(0);
  });
});
