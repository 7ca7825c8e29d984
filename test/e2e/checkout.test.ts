import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../functions/shared/domain/transaction/transaction.ts';
import { type Checkouts, shop, startCheckouts, totalsOf } from '../support/builders/checkouts.ts';

let checkouts: Checkouts;
beforeAll(async () => {
  checkouts = await startCheckouts();
}, 180_000);
afterAll(() => checkouts.stage.stop(), 30_000);

describe('a whole checkout, each step seen by the partner', () => {
  let buyer: ReturnType<Checkouts['aBuyer']>;
  let uuid = '';
  /** The transaction as the partner finds it in its list by the vehicle. */
  const seen = async (expand: string): Promise<JsonObject | undefined> => {
    const filter = 'filter[identifiers][ndstockid]=STOCK-1';
    const answer = await checkouts.dealer.get(`/api/v2/transaction?${filter}&expand=${expand}`);
    return answer.list().data[0];
  };
  const pay = (status: 0 | 1, message: string | null) =>
    checkouts.dealer.write('POST', '/api/v2/payment', {
      ...{ transaction: uuid, type: 8, value: '99.00', status, message, token: 'tok_1' },
      details: { type: 'card', brand: 'visa', method: 'online', funding: 'debit' },
    });

  test('V1-6 begins with a vehicle: 201, its address, and the session’s token', async () => {
    buyer = checkouts.aBuyer();
    const created = await buyer.send('/api/transaction?expand=vehicle,ndMeta', {
      method: 'POST',
      body: {
        vehicle: { make: 'Ford', model: 'Focus', identifiers: { ndstockid: 'STOCK-1' }, colour: 'red' },
        referrerUrl: 'https://shop.example/focus?from=mail',
      },
    });
    uuid = created.body.uuid;

    expect([created.status, created.headers.get('location')]).toEqual([
      201,
      `${checkouts.stage.baseUrl}/transaction/${uuid}`,
    ]);
    expect(created.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(created.headers.get('access-control-expose-headers')).toContain('Location');
    expect(created.body).toMatchObject({
      status: 0,
      editable: true,
      referrerUrl: 'https://shop.example/focus?from=mail',
      vehicle: { identifiers: { ndstockid: 'STOCK-1' }, colour: 'red' },
      ndMeta: { group: 'G', location: 'N' },
    });
    expect(await seen('vehicle')).toMatchObject({ uuid, vehicle: { make: 'Ford', colour: 'red' } });
    expect(await totalsOf(checkouts.dealer)).toEqual([1, 1, 0]);
  });

  test('V1-6 goes on with a customer, added in two steps', async () => {
    const path = `/api/transaction/${uuid}`;
    await buyer.send(path, {
      method: 'PATCH',
      body: { customer: { firstName: 'Ada', email: 'a@b.example' } },
    });
    const { status, body } = await buyer.send(`${path}?expand=customer`, {
      method: 'PATCH',
      body: { customer: { lastName: 'Lovelace', email: null } },
    });

    expect(status).toBe(200);
    expect(body.customer).toEqual({ firstName: 'Ada', lastName: 'Lovelace' });
    expect((await seen('customer'))?.customer).toEqual({ firstName: 'Ada', lastName: 'Lovelace' });
    expect(await totalsOf(checkouts.dealer)).toEqual([1, 1, 0]);
  });

  test('V1-6 chooses delivery and finance; what is not named stays', async () => {
    const { status } = await buyer.send(`/api/transaction/${uuid}`, {
      method: 'PUT',
      body: {
        deliveryCollection: { method: 'delivery', price: '149.00', preferred_date: '2026-12-01' },
        financeProposal: { product: 'PCP', term: 48, apr: 9.9 },
      },
    });

    expect(status).toBe(200);
    expect(await seen('deliveryCollection,financeProposal,customer')).toMatchObject({
      deliveryCollection: { method: 'delivery', price: '149.00', preferred_date: '2026-12-01' },
      financeProposal: { product: 'PCP', term: 48, apr: 9.9 },
      customer: { firstName: 'Ada' },
    });
  });

  test('V2-3 two payments fail: both are recorded, and the checkout stays open', async () => {
    const first = await pay(0, 'Declined');
    const second = await pay(0, 'Expired card');

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json()).toMatchObject({
      transaction_id: first.json().transaction_id,
      status: 0,
      message: 'Expired card',
      is_selected: null,
      transaction_completed_at: null,
      created_by: 'v2/payment/create',
      details: { type: 'card', brand: 'visa', method: 'online', funding: 'debit' },
    });
    expect(await seen('payments')).toMatchObject({ status: 0, editable: true, payments: [{}, {}] });
    expect(await totalsOf(checkouts.dealer)).toEqual([1, 1, 0]);
  });

  test('V2-4 a good payment completes it', async () => {
    const paid = await pay(1, null);
    const [first, second, third] = ((await seen('payments'))?.payments ?? []) as JsonObject[];

    expect(paid.status).toBe(201);
    expect(paid.json()).toMatchObject({ status: 1, is_selected: 1 });
    expect(paid.json().transaction_completed_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect([first?.is_selected, second?.is_selected, third?.is_selected]).toEqual([null, null, 1]);
    expect(third).toEqual(paid.json());
    expect(await seen('')).toMatchObject({ status: 1, editable: false });
    expect(await totalsOf(checkouts.dealer)).toEqual([1, 0, 1]);
  });

  test('V1-6 the buyer’s edit is then refused with 409 and changes nothing', async () => {
    const before = await seen('customer');
    const { status, body } = await buyer.send(`/api/transaction/${uuid}`, {
      method: 'PATCH',
      body: { customer: { firstName: 'Eve' } },
    });

    expect([status, body.name]).toEqual([409, 'Conflict']);
    expect(await seen('customer')).toEqual(before);
  });

  test('V2-2 the partner may still change it: deliveries happen after payment', async () => {
    const { status } = await checkouts.dealer.write('PATCH', `/api/v2/transaction/${uuid}`, {
      deliveryCollection: { delivery_status: 'delivered' },
    });

    expect(status).toBe(200);
    expect(await seen('deliveryCollection')).toMatchObject({
      status: 1,
      deliveryCollection: { method: 'delivery', delivery_status: 'delivered' },
    });
  });

  test('V2-3 a later payment is recorded and completes nothing again', async () => {
    const later = await pay(1, null);

    expect(later.json()).toMatchObject({ status: 1, is_selected: null, transaction_completed_at: null });
    expect(await totalsOf(checkouts.dealer)).toEqual([1, 0, 1]);
  });

  test('the buyer sees the payments too, and nobody the card token (SHOW-1)', async () => {
    const { text, body } = await buyer.send(`/api/transaction?uuid=${uuid}&expand=payments`);

    expect(body.payments.map(({ token }: JsonObject) => token)).toEqual([null, null, null, null]);
    expect(text).not.toContain('tok_1');
  });
});

/** A new transaction of a new buyer, as its V2 address. */
const begin = async (body: object = {}) => {
  const buyer = checkouts.aBuyer();
  const created = await buyer.send('/api/transaction', { method: 'POST', body });
  const { uuid } = created.body as { uuid: string };
  return { buyer, uuid, path: `/api/v2/transaction/${uuid}`, tag: created.headers.get('etag') ?? '' };
};

describe('writes that come again', () => {
  test('WR-1 the same key answers as the first time, and nothing is written twice', async () => {
    const { path, uuid } = await begin();
    const payment = { transaction: uuid, type: 1, value: '10.00', status: 0 };
    const write = (value: unknown) =>
      checkouts.dealer.write('POST', '/api/v2/payment', value, { 'Idempotency-Key': 'pay-1' });

    const first = await write(payment);
    const again = await write(payment);
    const other = await write({ ...payment, value: '20.00' });
    const stored = (await checkouts.dealer.get(`${path}?expand=payments`)).json();

    expect([first.status, again.status, other.status]).toEqual([201, 201, 422]);
    expect(again.text).toBe(first.text);
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(stored.payments).toEqual([first.json()]);
  });

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

  test('WR-2 a stale If-Match is 412 and writes nothing; the tag of any read or write is current until then', async () => {
    const { path, tag } = await begin();
    const read = (await checkouts.dealer.get(path)).headers.get('etag') ?? '';
    const first = await checkouts.dealer.write(
      'PATCH',
      path,
      { guestEmail: 'one@b.example' },
      { 'If-Match': read },
    );
    const stale = await checkouts.dealer.write(
      'PATCH',
      path,
      { guestEmail: 'two@b.example' },
      { 'If-Match': tag },
    );
    const next = await checkouts.dealer.write(
      ...(['PUT', path, { guestEmail: 'three@b.example' }] as const),
      { 'If-Match': first.headers.get('etag') ?? '' },
    );

    expect([first.status, stale.status, next.status]).toEqual([200, 412, 200]);
    expect((await checkouts.dealer.get(path)).json().guestEmail).toBe('three@b.example');
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
    expect(await checkouts.operator('listing', 'audit')).toMatchObject({ drift: 0 });
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

describe('who may write what', () => {
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
    expect(new Set(answers.map((answer) => answer.json().detail))).toEqual(
      new Set(['The requested resource was not found.']),
    );
    expect((await checkouts.dealer.get(path)).headers.get('etag')).toBe(before);
  });

  test('S-13 nothing is written beyond the list, and each refused member is named', async () => {
    const { path, buyer, uuid } = await begin();
    const forged = { uuid: 'x', status: 1, editable: true, ndMeta: { group: 'H' }, payments: [], version: 9 };

    const byPartner = await checkouts.dealer.write('PATCH', path, forged);
    const byBuyer = await buyer.send(`/api/transaction/${uuid}`, { method: 'PUT', body: forged });

    for (const { status, errors } of [byPartner.json(), byBuyer.body]) {
      expect(status).toBe(422);
      expect(errors.map(({ field }: { field: string }) => field).sort()).toEqual(Object.keys(forged).sort());
    }
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
      fetch(`${checkouts.stage.baseUrl}${path}`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'PATCH' },
      });

    const own = await preflight(`/api/transaction/${uuid}`, shop);
    const others = [
      await preflight(`/api/transaction/${uuid}`, 'https://evil.example'),
      await preflight(`/api/v2/transaction/${uuid}`, shop),
      await preflight('/api/v2/payment', shop),
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

  test('VERB-1 every function of an address names the same methods', async () => {
    const { path } = await begin();
    const allowOf = async (method: string, target = path) =>
      (await checkouts.dealer.get(target, { method })).headers.get('allow');

    expect(await allowOf('OPTIONS')).toBe('GET, HEAD, PATCH, PUT, OPTIONS');
    expect(await allowOf('DELETE')).toBe('GET, HEAD, PATCH, PUT, OPTIONS');
    expect(await allowOf('GET', '/api/v2/payment')).toBe('POST, OPTIONS');
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
    expect(await checkouts.operator('listing', 'audit')).toMatchObject({ drift: 0 });
  });
});
