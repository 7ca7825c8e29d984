import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { assertProblem, at, json, list, text } from './answers.ts';
import { aBuyer, type Buyer, type Program, programOf, totalsOf, uuidsIn } from './clients.ts';
import type { Journey, World } from './world.ts';

/** A whole checkout from a vehicle to its completion by a payment, each step seen by the partner. */
export const checkoutJourney = (): Journey => {
  /** No other checkout has this vehicle, not even one that a run left that was killed. */
  const stockId = `CHECKOUT-${randomUUID()}`;
  let buyer: Buyer;
  let uuid = '';
  let firstTag = '';
  /** The partner's totals before the checkout: all, incomplete, complete. */
  let before = [0, 0, 0];
  const path = () => `/api/v2/transaction/${uuid}`;
  const assertTotals = async (program: Program, ...more: number[]) =>
    assert.deepEqual(
      await totalsOf(program),
      before.map((total, index) => total + (more[index] ?? 0)),
    );
  const pay = (world: World, status: 0 | 1, value: string, key: string) =>
    programOf(world, world.tokens.writeOnly).write(
      ...(['POST', '/api/v2/payment'] as const),
      { transaction: uuid, type: 8, value, status, token: 'tok_1', details: { type: 'card', brand: 'visa' } },
      { 'Idempotency-Key': key },
    );
  /** The transaction as the partner finds it in its list by the vehicle. */
  const seen = async (world: World, expand: string) => {
    const filter = `filter[identifiers][ndstockid]=${stockId}`;
    const answer = await programOf(world).ask(`/api/v2/transaction?${filter}&expand=${expand}`);
    assert.deepEqual(uuidsIn(answer), [uuid]);
    return Object(at(json(answer), 'data', 0));
  };

  return {
    name: 'a whole checkout, each step seen by the partner',
    steps: [
      {
        title: "V1-6 a checkout begins with a vehicle: 201, its address, and the session's token",
        check: async (world) => {
          const program = programOf(world);
          before = await totalsOf(program);
          buyer = aBuyer(world);
          const identifiers = { ndstockid: stockId };
          const vehicle = { make: 'Ford', model: 'Focus', identifiers, colour: 'red' };
          const created = await buyer.send('?expand=vehicle,ndMeta', { method: 'POST', body: { vehicle } });

          assert.equal(created.status, 201, created.text);
          uuid = text(at(json(created), 'uuid'));
          firstTag = text(created.headers.get('ETag'));
          assert.equal(created.headers.get('Location'), `${world.baseUrl}/transaction/${uuid}`);
          assert.match(created.token ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/);
          assert.match(created.headers.get('Access-Control-Expose-Headers') ?? '', /Location/);
          const open = { status: 0, editable: true, ndMeta: world.shop.owner, vehicle };
          assert.partialDeepStrictEqual(json(created), open);
          assert.partialDeepStrictEqual(await seen(world, 'vehicle,ndMeta'), open);
          await assertTotals(program, 1, 1, 0);
        },
      },
      {
        title: 'V1-6 the buyer adds a customer, then chooses delivery; what is not named stays',
        check: async (world) => {
          const customer = { firstName: 'Ada', lastName: 'Lovelace' };
          const deliveryCollection = { method: 'delivery', price: '149.00', preferred_date: '2026-12-01' };
          const patched = await buyer.send(`/${uuid}`, { method: 'PATCH', body: { customer } });
          const put = await buyer.send(`/${uuid}`, { method: 'PUT', body: { deliveryCollection } });

          assert.deepEqual([patched.status, put.status], [200, 200], patched.text);
          const both = { customer, deliveryCollection };
          assert.partialDeepStrictEqual(await seen(world, 'deliveryCollection,customer'), both);
        },
      },
      {
        title: 'V2-2 WR-2 the partner changes it, but not on a stale If-Match; any tag is current until then',
        check: async (world) => {
          const { ask, write } = programOf(world);
          const change = (method: 'PATCH' | 'PUT', lastName: string, ifMatch: string | null) =>
            write(method, path(), { customer: { lastName } }, { 'If-Match': ifMatch });
          const stale = await change('PUT', 'Stale', firstTag);
          const first = await change('PATCH', 'Byron', (await ask(path())).headers.get('ETag'));
          const between = at(await seen(world, 'customer'), 'customer');
          const next = await change('PUT', 'King', first.headers.get('ETag'));

          assertProblem(stale, 412, 'Precondition Failed');
          assert.deepEqual([first.status, next.status], [200, 200]);
          assert.deepEqual(between, { firstName: 'Ada', lastName: 'Byron' });
          assert.deepEqual(at(await seen(world, 'customer'), 'customer'), { lastName: 'King' });
        },
      },
      {
        title:
          'V2-3 WR-1 a payment that failed, sent twice under one key, is recorded once, and it stays open',
        check: async (world) => {
          const first = await pay(world, 0, '10.00', 'pay-1');
          const again = await pay(world, 0, '10.00', 'pay-1');
          const other = await pay(world, 0, '20.00', 'pay-1');

          assert.deepEqual([first.status, again.status, other.status], [201, 201, 422]);
          assert.equal(again.text, first.text);
          assert.equal(first.headers.get('Idempotency-Replayed'), null);
          assert.equal(again.headers.get('Idempotency-Replayed'), 'true');
          const failed = { status: 0, is_selected: null, transaction_completed_at: null };
          assert.partialDeepStrictEqual(json(first), { ...failed, created_by: 'v2/payment/create' });
          const open = await seen(world, 'payments');
          assert.partialDeepStrictEqual(open, { status: 0, editable: true });
          assert.deepEqual(at(open, 'payments'), [json(first)]);
          await assertTotals(programOf(world), 1, 1, 0);
        },
      },
      {
        title:
          'V2-4 WR-1 PAGE-4 FLT-1 a good payment completes it once, however often it is sent, and lists have followed',
        mend: 'AccessDenied in the log of v2-write means a key that its role may not touch (docs/rights.md)',
        check: async (world) => {
          const paid = await pay(world, 1, '99.00', 'pay-2');
          const again = await pay(world, 1, '99.00', 'pay-2');
          const complete = await seen(world, 'payments');

          assert.deepEqual([paid.status, again.status, again.text], [201, 201, paid.text]);
          assert.partialDeepStrictEqual(json(paid), { status: 1, is_selected: 1 });
          assert.match(text(at(json(paid), 'transaction_completed_at')), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
          assert.partialDeepStrictEqual(complete, { status: 1, editable: false });
          assert.deepEqual(list(at(complete, 'payments')).slice(1), [json(paid)]);
          const found = await programOf(world).uuids(
            `filter[status]=1&filter[identifiers][ndstockid]=${stockId}`,
          );
          assert.deepEqual(found, [uuid]);
          await assertTotals(programOf(world), 1, 0, 1);
        },
      },
      {
        title: 'SHOW-1 the buyer sees the payments too, and neither it nor the partner the card token',
        check: async (world) => {
          const byBuyer = await buyer.send(`?uuid=${uuid}&expand=payments`);
          const byPartner = await programOf(world).ask(`${path()}?expand=payments`);

          for (const answer of [byBuyer, byPartner]) {
            const tokens = list(at(json(answer), 'payments')).map((payment) => at(payment, 'token'));
            assert.deepEqual(tokens, [null, null]);
            assert.ok(!answer.text.includes('tok_1'));
          }
        },
      },
      {
        title: 'V1-6 V2-2 then the buyer may change it no more, and the partner may: deliveries follow',
        check: async (world) => {
          const edited = await buyer.send(`/${uuid}`, { method: 'PATCH', body: { customer: null } });
          const delivered = { deliveryCollection: { delivery_status: 'delivered' } };
          const answer = await programOf(world).write('PATCH', path(), delivered);

          assertProblem(edited, 409, 'Conflict');
          assert.equal(answer.status, 200, answer.text);
          assert.partialDeepStrictEqual(await seen(world, 'customer,deliveryCollection'), {
            customer: { lastName: 'King' },
            deliveryCollection: { method: 'delivery', delivery_status: 'delivered' },
          });
        },
      },
      {
        title: 'VERB-1 every function of an address names the same methods',
        check: async (world) => {
          const { ask } = programOf(world);
          const allowOf = async (method: string, target: string) =>
            (await ask(target, { method })).headers.get('Allow');

          assert.equal(await allowOf('OPTIONS', path()), 'GET, HEAD, PATCH, PUT, OPTIONS');
          assert.equal(await allowOf('DELETE', path()), 'GET, HEAD, PATCH, PUT, OPTIONS');
          assert.equal(await allowOf('GET', '/api/v2/payment'), 'POST, OPTIONS');
        },
      },
    ],
  };
};
