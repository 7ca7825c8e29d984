import assert from 'node:assert/strict';
import { at, json, text } from './answers.ts';
import { aBuyer, programOf } from './clients.ts';
import type { Journey } from './world.ts';

/** A checkout page's first minutes. */
export const buyerJourney: Journey = {
  name: 'a buyer opens a checkout',
  steps: [
    {
      title: 'V1-1 V1-2 a buyer creates a transaction, comes back with the token, and is refused without',
      check: async (world) => {
        const buyer = aBuyer(world);
        const created = await buyer.send('?expand=ndMeta');
        const uuid = text(at(json(created), 'uuid'));
        const again = await buyer.send('?expand=ndMeta');
        const byUuid = await buyer.send(`?uuid=${uuid}&expand=ndMeta`);
        const stranger = await aBuyer(world).send(`?uuid=${uuid}`);

        assert.equal(created.status, 200, created.text);
        assert.equal(at(json(created), 'status'), 0);
        assert.deepEqual(at(json(created), 'ndMeta'), world.shop.owner);
        assert.match(created.token ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/);
        assert.deepEqual([again.status, again.text, again.token], [200, created.text, created.token]);
        assert.deepEqual([byUuid.status, byUuid.text, byUuid.token], [200, created.text, created.token]);
        assert.deepEqual([stranger.status, stranger.token], [404, null]);
      },
    },
    {
      title: 'V1-7 scripts of the own shop alone are let through, and read the token',
      check: async (world) => {
        const headers = {
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'authorization,traceparent,x-datadog-trace-id',
        };
        const preflight = { method: 'OPTIONS', headers };
        const own = await aBuyer(world).send('', preflight);
        const evil = await aBuyer(world, 'https://evil.example').send('', preflight);
        const created = await aBuyer(world).send('');

        assert.equal(own.status, 204);
        assert.equal(own.headers.get('Access-Control-Allow-Origin'), world.shop.origin);
        assert.match(own.headers.get('Access-Control-Allow-Headers') ?? '', /^Authorization, .*, \*$/);
        assert.equal(own.headers.get('Access-Control-Allow-Credentials'), null);
        assert.equal(evil.headers.get('Access-Control-Allow-Origin'), null);
        assert.equal(created.headers.get('Access-Control-Allow-Origin'), world.shop.origin);
        assert.match(created.headers.get('Access-Control-Expose-Headers') ?? '', /authentication-token/);
        assert.equal(created.headers.get('Cache-Control'), 'no-store');
      },
      mend: 'see `operator storefront list`: the origin is registered, and functions/v1-transaction answers its pages',
    },
    {
      title: 'V1-6 WR-1 S-66 the same POST again makes no other transaction',
      check: async (world) => {
        const buyer = aBuyer(world);
        await buyer.send('');
        const make = () =>
          buyer.send('', {
            method: 'POST',
            headers: { 'Idempotency-Key': 'make-1' },
            body: { vehicle: { make: 'Ford' } },
          });

        const first = await make();
        const again = await make();

        assert.equal(first.status, 201, first.text);
        assert.deepEqual([again.status, again.text], [201, first.text]);
        assert.equal(again.headers.get('Idempotency-Replayed'), 'true');
      },
      mend: 'AccessDenied in the log of v1-transaction means a key that its role may not touch (docs/rights.md)',
    },
    {
      title: "V1-5 R-07 R-08 J-12 neither API takes the other's token, and no token comes back",
      check: async (world) => {
        const buyer = aBuyer(world);
        await buyer.send('');

        const headers = { Authorization: `Bearer ${world.tokens.both}` };
        const onV1 = await aBuyer(world).send('', { headers });
        const onV2 = await programOf(world, buyer.session()).ask('/api/v2/transaction');

        assert.deepEqual([onV1.status, onV2.status], [401, 401]);
        assert.equal(onV1.token, null);
        assert.equal(onV2.headers.get('authentication-token'), null);
      },
      mend: 'revoke nothing, ask why: functions/shared/auth/signed-token.ts tells the kinds apart',
    },
    {
      title: 'GRANT-1 PAGE-4 the partner of the group sees a new transaction at once, last of one more',
      check: async (world) => {
        const { total, ask } = programOf(world);
        const before = await total();

        const uuid = at(json(await aBuyer(world).send('')), 'uuid');

        const last = await ask(`/api/v2/transaction?per-page=1&page=${before + 1}`);
        assert.equal(at(json(last), '_meta', 'totalCount'), before + 1);
        assert.equal(at(json(last), 'data', 0, 'uuid'), uuid);
      },
    },
  ],
};
