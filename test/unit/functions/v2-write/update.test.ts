import { describe, expect, test } from '@jest/globals';
import { aStorefront } from '../../../support/apis/v1-transaction.ts';
import { aV2Write } from '../../../support/apis/v2-write.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../../support/builders/transactions.ts';
import { aWholeDelivery } from '../../../support/builders/whole-elements.ts';

const uuid = uuidOf(1);
const address = `/api/v2/transaction/${uuid}`;
const one = { transactions: [{ uuid }] };
const none = { Authorization: [] };

describe('V2-2 a partner changes a transaction', () => {
  test('PATCH of one element is stored and returned', async () => {
    const { ask, store } = await aV2Write(one);
    const vehicle = { make: 'Ford', identifiers: { ndstockid: 'ND1' } };

    const answer = await ask(`${address}?expand=vehicle&fields=uuid,vehicle`, { body: { vehicle } });

    expect(answer).toMatchObject({
      status: 200,
      headers: { ETag: expect.stringMatching(/^"2\./) },
      body: { uuid, vehicle },
    });
    expect(await store.byUuid(uuid)).toMatchObject({
      version: 2,
      elementVersions: { vehicle: 2, own: 1, ndMeta: 0 },
      notifyFromVersion: 1,
    });
  });

  test('FLT-2 TH-04 a disguised selection is 422 by name, and nothing is written', async () => {
    const { ask, store } = await aV2Write({ transactions: [{ uuid }] });

    const { status, body } = await ask(`${address}?%20fields=uuid`, { body: { incentive: true } });

    expect([status, body.errors[0].field]).toEqual([422, ' fields']);
    expect((await store.byUuid(uuid))?.version).toBe(1);
  });

  test.each([`${address}/`, `/v2/transaction/${uuid}`])('VERB-1 %s is an address, too', async (path) => {
    const { ask } = await aV2Write(one);

    expect((await ask(path, { body: { incentive: true } })).status).toBe(200);
  });

  test('S-85 a method override is no fault at V2: a client without PATCH may need it', async () => {
    const { ask } = await aV2Write(one);
    const headers = { 'X-HTTP-Method-Override': ['PATCH'] };

    expect((await ask(address, { body: { incentive: true }, headers })).status).toBe(200);
  });

  test('a complete transaction can be changed, too: deliveries happen after payment', async () => {
    const { ask } = await aV2Write({ transactions: [{ uuid, status: 1, editable: false }] });
    const deliveryCollection = { delivery_status: 'delivered' };

    const { status, body } = await ask(`${address}?expand=deliveryCollection`, {
      body: { deliveryCollection },
    });

    expect([status, body.status]).toEqual([200, 1]);
    expect(body.deliveryCollection).toEqual(aWholeDelivery(deliveryCollection));
  });

  test('S-09 unknown, hidden, deleted and malformed are the same 404, for writes of any kind', async () => {
    const { ask } = await aV2Write({
      transactions: [
        { uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) },
        { uuid: uuidOf(3), isDeleted: 1 },
      ],
    });
    const uuids = [uuidOf(9), uuidOf(2), uuidOf(3), 'x', '%00', 'a'.repeat(5000)];

    const answers = await Promise.all(
      uuids.flatMap((other) => [
        ask(`/api/v2/transaction/${other}`, { body: { incentive: true } }),
        ask(`/api/v2/transaction/${other}`, { body: {}, headers: { 'If-Match': '"1.x"' } }),
        ask(`/api/v2/transaction/${other}`, { method: 'PUT', body: { location: 'location-a' } }),
      ]),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(18).fill(404));
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, instance: '' }))).size).toBe(1);
  });
});

describe('WR-2 If-Match', () => {
  test.each([
    ['the tag as answered', (tag: string) => tag, 200],
    ['the version part with another representation', () => '"1.another"', 200],
    ['a list with it', (tag: string) => `"9.x", ${tag}`, 200],
    ['two headers', (tag: string) => ['"9.x"', tag], 200],
    ['any tag', () => '*', 200],
    ['another version', () => '"2.x"', 412],
    ['a version that begins alike', () => '"10.x"', 412],
    ['the weak form', (tag: string) => `W/${tag}`, 412],
    ['a tag without quotes', () => '1.x', 412],
    ['nothing', () => '', 412],
  ])('%s', async (_name, asked, expected) => {
    const { ask, store } = await aV2Write(one);
    const { headers } = await ask(address, { body: {} });

    const { status } = await ask(address, {
      headers: { 'If-Match': asked(String(headers.ETag)) },
      body: { incentive: true },
    });

    expect(status).toBe(expected);
    expect((await store.byUuid(uuid))?.version).toBe(expected === 200 ? 2 : 1);
  });

  test.each<[string, Record<string, string>, number[], number]>([
    ['under one tag one is refused', { 'If-Match': '"1.x"' }, [200, 412], 1],
    ['without a tag both are made', {}, [200, 200], 2],
  ])('of two changes at once %s', async (_, headers, statuses, members) => {
    const { ask, store } = await aV2Write(one);

    const answers = await Promise.all([
      ask(address, { headers, body: { vehicle: { make: 'Ford' } } }),
      ask(address, { headers, body: { vehicle: { model: 'Focus' } } }),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual(statuses);
    const stored = await store.byUuid(uuid);
    expect(Object.keys(stored?.transaction.vehicle ?? {})).toHaveLength(members);
  });
});

describe('WR-3 a write without effect', () => {
  test.each([
    {},
    { incentive: false },
    { vehicle: { make: 'Ford' } },
    { customer: null },
    { location: 'location-a' },
  ])('%j is 200 in the same version', async (body) => {
    const { ask, store } = await aV2Write({ transactions: [{ uuid, vehicle: { make: 'Ford' } }] });
    const before = await store.byUuid(uuid);

    const { status, headers } = await ask(address, { body });

    expect(status).toBe(200);
    expect(headers.ETag).toMatch(/^"1\./);
    expect(await store.byUuid(uuid)).toEqual(before);
  });
});

describe('DEL-1 deletion', () => {
  test('isDeleted 1 is answered once more, and hides the transaction from then on', async () => {
    const { ask, store } = await aV2Write(one);

    const answer = await ask(address, { body: { isDeleted: 1 } });

    expect([answer.status, answer.body.isDeleted]).toEqual([200, 1]);
    expect((await ask(address, { body: { incentive: true } })).status).toBe(404);
    expect(await store.byUuid(uuid)).toMatchObject({ version: 2, elementVersions: { own: 2 } });
  });

  test.each([0, '1', true, null, 2])('isDeleted %j is refused by name', async (isDeleted) => {
    const { ask } = await aV2Write(one);

    const { status, body } = await ask(address, { body: { isDeleted } });

    const message = 'The member may only be set to 1.';
    expect([status, body.errors]).toEqual([422, [{ field: 'isDeleted', message }]]);
  });
});

describe('OWN-2 moves', () => {
  const aPlace = (group: string, location: string) => ({
    ...aStorefront('franchise-a', location, { origins: [] }),
    owner: anOwner({ group, location }),
  });
  const registered = [
    aPlace('group-a', 'location-b'),
    aPlace('group-b', 'location-c'),
    aPlace('group-c', 'location-d'),
  ];
  const partners = [
    aPartner({ grants: [{ group: 'group-a' }, { group: 'group-b', location: 'location-c' }] }),
  ];

  test.each([
    ['location-b', 'group-a'],
    ['location-c', 'group-b'],
  ])('to %s: the storefront determines the owner', async (location, group) => {
    const { ask, store } = await aV2Write({ ...one, registered, partners });

    const { status, body } = await ask(`${address}?expand=ndMeta`, { body: { location } });

    expect([status, body.ndMeta.group, body.ndMeta.location]).toEqual([200, group, location]);
    expect(await store.byUuid(uuid)).toMatchObject({
      sequenceNumber: 1,
      elementVersions: { ndMeta: 2, own: 1 },
    });
  });

  test('a location that two franchises of the own group have is ambiguous, and not looked for in other groups', async () => {
    const ofB = { ...aPlace('group-a', 'location-b'), name: 'B' };
    const second = { ...ofB, name: 'B2', owner: { ...ofB.owner, franchise: 'franchise-b' } };
    const elsewhere = { ...aPlace('group-b', 'location-b'), name: 'elsewhere' };
    const { ask, store } = await aV2Write({
      ...one,
      registered: [ofB, second, elsewhere],
      partners: [aPartner({ grants: [{ group: 'group-a' }, { group: 'group-b' }] })],
    });

    const { status, body } = await ask(address, { body: { location: 'location-b' } });

    expect([status, body.type]).toEqual([422, 'https://api.example/docs/problems#several-franchises']);
    expect((await store.byUuid(uuid))?.version).toBe(1);
  });

  test.each([{ location: 'location-b' }, { incentive: true }])(
    'EV-10 %j of a checkout that no partner was notified of is a change like any other',
    async (body) => {
      const { ask, store } = await aV2Write({ registered, partners });
      await store.create(aNewTransaction({ uuid }, { session: 's', notifyFromVersion: 2 }));

      const { status } = await ask(address, { body });

      expect(status).toBe(200);
      expect(await store.byUuid(uuid)).toMatchObject({ version: 2, notifyFromVersion: 2 });
    },
  );

  test('locations out of scope and unknown ones are refused alike, and nothing is written', async () => {
    const { ask, store } = await aV2Write({ ...one, registered, partners });

    const answers = await Promise.all(
      ['location-d', 'nowhere'].map((location) => ask(address, { body: { location, incentive: true } })),
    );

    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await store.byUuid(uuid))?.version).toBe(1);
  });
});

describe('S-11 R-44 OAuth scopes', () => {
  const partner = aPartner().clientId;
  const payment = { transaction: uuid, type: 1, value: '1.00', status: 0 };
  test.each([
    ['PATCH', address, { incentive: true }, 200],
    ['PUT', address, { incentive: true }, 200],
    ['POST', '/api/v2/payment', payment, 201],
  ])('%s needs nop2/write, which nop2/read does not replace', async (method, path, body, done) => {
    const { ask, store } = await aV2Write(one);

    const read = await ask(path, { method, body, partner: `read.${partner}` });
    const untouched = await store.byUuid(uuid);
    const statuses = [];
    for (const scopes of ['write', 'read.write'])
      statuses.push((await ask(path, { method, body, partner: `${scopes}.${partner}` })).status);

    const challenge = 'Bearer realm="api", error="insufficient_scope", scope="nop2/write"';
    expect([read.status, read.headers['WWW-Authenticate'], untouched?.version]).toEqual([403, challenge, 1]);
    expect(statuses).toEqual([done, done]);
  });

  test.each([
    ['a token of nop2/write alone', `write.${partner}`, aPartner()],
    ['a token from before its partner lost nop2/read', partner, aPartner({ oauthScopes: ['nop2/write'] })],
  ])('%s without nop2/read reads nothing, not even in the response or its tag', async (_, token, owner) => {
    const { ask } = await aV2Write({
      transactions: [{ uuid, customer: { lastName: 'Hidden' } }],
      partners: [owner],
    });
    const write = (query: string) => ask(`${address}?${query}`, { body: {}, partner: token });

    const { status, body, headers } = await write('expand=customer,ndMeta');

    expect([status, body]).toEqual([200, { uuid }]);
    expect(headers.ETag).toBe((await write('fields=uuid')).headers.ETag);
  });
});

describe('ERR-3 the order of checks', () => {
  const unknown = `/api/v2/transaction/${uuidOf(8)}`;
  const noKey = { 'Idempotency-Key': '' };
  const faulty = { body: '{"nope":1', headers: noKey };
  const stale = { 'If-Match': '"7.x"' };
  test.each([
    ['route', '/api/v2/nope', { method: 'PATCH', headers: none }, 404],
    ['route of payments', '/api/v2/payment/1', { method: 'POST', headers: none }, 404],
    ['method', address, { method: 'DELETE', headers: none }, 405],
    ['method of payments', '/api/v2/payment', { method: 'GET', headers: none }, 405],
    ['token', address, { body: '{"nope":1', headers: none }, 401],
    ['OAuth scope', address, { ...faulty, partner: `read.${aPartner().clientId}` }, 403],
    ['parameters before the body', `${address}?a[b][c][d][e]=1`, faulty, 400],
    ['body before the key', address, { body: { nope: 1 }, headers: noKey }, 422],
    ['key before existence', unknown, { body: {}, headers: noKey }, 400],
    ['existence before the precondition', unknown, { body: {}, headers: stale }, 404],
    ['precondition before ownership', address, { body: { location: 'x' }, headers: stale }, 412],
  ])('%s', async (_name, path, asked, expected) => {
    const { ask } = await aV2Write(one);

    expect((await ask(path, asked)).status).toBe(expected);
  });

  test.each([
    [address, 'GET, HEAD, PATCH, PUT, OPTIONS'],
    ['/api/v2/payment', 'POST, OPTIONS'],
  ])('VERB-1 OPTIONS %s is 204 with Allow, without a token', async (path, allow) => {
    const { ask } = await aV2Write();

    const { status, headers, text } = await ask(path, { method: 'OPTIONS', headers: none });

    expect([status, headers.Allow, text]).toEqual([204, allow, '']);
    expect(Object.keys(headers).filter((name) => name.startsWith('Access-Control'))).toEqual([]);
  });
});
