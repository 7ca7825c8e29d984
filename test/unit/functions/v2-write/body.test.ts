import { describe, expect, test } from '@jest/globals';
import { type AskWith, aV2Write } from '../../../support/apis/v2-write.ts';
import { cpuMsOf } from '../../../support/builders/cpu-time.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';
import { aWholePayment } from '../../../support/builders/whole-elements.ts';

const uuid = uuidOf(1);
const address = `/api/v2/transaction/${uuid}`;
const nested = (levels: number) => `{"vehicle":${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}}`;
const vehicle = (text: string) => `{"vehicle":{"note":${text}}}`;

/** The answer to one change of a new transaction, and what is stored of it then. */
const change = async (asked: AskWith, query = '') => {
  const { ask, store } = await aV2Write({ transactions: [{ uuid }] });
  const answer = await ask(`${address}?${query}`, asked);
  return { ...answer, stored: await store.byUuid(uuid) };
};
const put = (body: string, query = '') => change({ method: 'PUT', body }, query);

describe('WR-4 S-37 bodies that are refused before they are parsed', () => {
  const tooLarge = 'A body may have at most 100,000 bytes.';
  const inBase64 = (bytes: number[]) => ({
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  });
  test.each<[string, AskWith, number, string]>([
    ['not JSON', { body: '{"vehicle":' }, 400, 'The body is not JSON.'],
    ['no body', { body: '' }, 400, 'The body is not JSON.'],
    ['a comment', { body: '{/**/}' }, 400, 'The body is not JSON.'],
    ['a byte order mark', { body: '\ufeff{}' }, 400, 'The body is not JSON.'],
    ['a list', { body: '[]' }, 400, 'The body is not a JSON object.'],
    ['null', { body: 'null' }, 400, 'The body is not a JSON object.'],
    ['text', { body: '"x"' }, 400, 'The body is not a JSON object.'],
    ['a lone surrogate in the transport', { body: vehicle('"\ud800"') }, 400, 'The body is not UTF-8.'],
    ['a wrong byte', inBase64([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'The body is not UTF-8.'],
    ['100,001 bytes', { body: vehicle(`"${'x'.repeat(99_979)}"`) }, 413, tooLarge],
    ['120,000 bytes of 60,000 letters', { body: vehicle(`"${'ü'.repeat(60_000)}"`) }, 413, tooLarge],
  ])('%s', async (_name, asked, expected, detail) => {
    const { status, body, headers, stored } = await change(asked);

    expect([status, body.detail, stored?.version]).toEqual([expected, detail, 1]);
    expect(headers['Content-Type']).toBe('application/problem+json');
  });

  test('a body of 90,000 bytes may come as 120,000 letters of base64', async () => {
    const text = Buffer.from(vehicle(`"${'x'.repeat(90_000)}"`)).toString('base64');

    expect((await change({ body: text, isBase64Encoded: true })).status).toBe(200);
  });

  test('a body in base64 is decoded', async () => {
    const text = Buffer.from('{"guestEmail":"ü@example.com"}').toString('base64');

    const { status, body } = await change({ body: text, isBase64Encoded: true });

    expect([status, body.guestEmail]).toEqual([200, 'ü@example.com']);
  });

  test.each([
    [{ 'Content-Type': 'application/json' }, 200],
    [{ 'Content-Type': 'APPLICATION/JSON;charset=UTF-8' }, 200],
    [{ 'Content-Type': 'application/json; charset="utf-8"' }, 200],
    [{ 'Content-Type': 'application/merge-patch+json; charset=utf-8' }, 200],
    [{ 'Content-Type': 'application/json;' }, 200],
    [{ 'Content-Type': 'application/json ; ;; ' }, 200],
    [{ 'Content-Type': 'application/json;charset=utf-8;' }, 200],
    [{ 'Content-Type': 'application/json\t;\tcharset=UTF-8' }, 200],
    [{ 'Content-Type': 'application/json; charset=utf-8; charset="utf-8"' }, 200],
    [{ 'Content-Type': 'application/json; CharSet="UTF\\-8"' }, 200],
    [{ 'Content-Type': 'application/json; odata.metadata=minimal' }, 200],
    [{ 'Content-Type': 'application/json; version=1;charset=utf-8' }, 200],
    [{ 'Content-Type': 'application/json; profile="a;charset=utf-16,\\"b"' }, 200],
    [{ 'Content-Type': 'application/json; charset=iso-8859-1' }, 415],
    [{ 'Content-Type': 'application/json; version=1; CHARSET=utf-16' }, 415],
    [{ 'Content-Type': 'application/json; charset=utf-8; charset=utf-16' }, 415],
    [{ 'Content-Type': 'application/json; charset=' }, 415],
    [{ 'Content-Type': 'application/json; charset=""' }, 415],
    [{ 'Content-Type': 'application/json; charset' }, 415],
    [{ 'Content-Type': 'application/json; charset = utf-8' }, 415],
    [{ 'Content-Type': 'application/json; charset="utf-8' }, 415],
    [{ 'Content-Type': 'application/json; version=1 charset=utf-8' }, 415],
    [{ 'Content-Type': 'application/json charset=utf-8' }, 415],
    [{ 'Content-Type': 'application/json\u00a0; charset=utf-8' }, 415],
    [{ 'Content-Type': 'application/json, application/json' }, 415],
    [{ 'Content-Type': ['application/json', 'application/json'] }, 415],
    [{ 'Content-Type': ';charset=utf-8' }, 415],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    [{ 'Content-Type': 'text/plain' }, 415],
    [{ 'Content-Type': 'application/jsonp' }, 415],
    [{ 'Content-Type': '' }, 415],
    [{ 'Content-Type': [] }, 415],
    [{ 'Content-Encoding': 'identity' }, 200],
    [{ 'Content-Encoding': 'Identity' }, 200],
    [{ 'Content-Encoding': '' }, 200],
    [{ 'Content-Encoding': 'identity, identity' }, 200],
    [{ 'Content-Encoding': ', \tIDENTITY ,,' }, 200],
    [{ 'Content-Encoding': ['identity', ''] }, 200],
    [{ 'Content-Encoding': 'gzip' }, 415],
    [{ 'Content-Encoding': 'identity, gzip' }, 415],
    [{ 'Content-Encoding': ['identity', 'br'] }, 415],
    [{ 'Content-Encoding': 'identity gzip' }, 415],
    [{ 'Content-Encoding': 'identity;q=1' }, 415],
  ])('WR-4 a body with %j is %i', async (sent: Record<string, string | string[]>, expected) => {
    const { status, headers } = await change({ headers: sent, body: {} });

    const accepted = 'application/json, application/merge-patch+json';
    expect([status, headers.Accept]).toEqual([expected, expected === 415 ? accepted : undefined]);
  });
});

describe('WR-4 S-38 members that cannot be stored exactly are refused by name', () => {
  const twice = 'The object has this name twice.';
  const nul = 'The member contains a NUL character.';
  test.each([
    ['a name twice', '{"vehicle":{},"vehicle":{}}', 'vehicle', twice],
    ['a name twice within', '{"vehicle":{"a":{"x":1,"y":[{"x":1}],"x":2}}}', 'vehicle.a.x', twice],
    ['a name twice, once escaped', '{"vehicle":{"a":1,"\\u0061":2}}', 'vehicle.a', twice],
    ['__proto__ twice', '{"vehicle":{"__proto__":1,"__proto__":2}}', 'vehicle.__proto__', twice],
    ['NUL', vehicle('"a\\u0000"'), 'vehicle.note', nul],
    ['NUL in a name', '{"vehicle":{"a\\u0000":1}}', 'vehicle.a\\u0000', nul],
    ['a lone surrogate', vehicle('"\\ud800"'), 'vehicle.note', 'The member contains a lone surrogate.'],
    [
      'NUL behind a path of more than 80 characters',
      `{"vehicle":{"${'x'.repeat(73)}":"\\u0000"}}`,
      `vehicle.${'x'.repeat(69)}...`,
      nul,
    ],
    [
      'NUL behind a path of 80 characters',
      `{"vehicle":{"${'x'.repeat(72)}":"\\u0000"}}`,
      `vehicle.${'x'.repeat(72)}`,
      nul,
    ],
    ['33 levels', nested(32), `vehicle${'.a'.repeat(31)}`, 'The member is nested deeper than 32 levels.'],
  ])('%s', async (_name, text, field, message) => {
    const { status, body } = await put(text);

    expect([status, body.errors]).toEqual([422, [{ field, message }]]);
  });

  test.each([
    '9007199254740993',
    '1e999',
    '-1e999',
    '1e-400',
    '0.1000000000000000055',
    '1234567890123456789012345',
    '0.1234567890123456789',
    '1.00000000000000000001',
    '1e99999999999999999999',
    '-5e-325',
  ])(
    'ERR-1 the number %s is 422 by name and told what can be kept, and nothing is written',
    async (number) => {
      const answers = [
        await put(vehicle(number)),
        await put(`{"extras":[{"a":[1,"x,]"]},{"b":[{},${number}]}]}`),
        await put(`{"vehicle":{"a":["x",{"b":"x","c":1},${number}]}}`),
      ];

      const type = 'https://api.example/docs/problems#number-out-of-range';
      const message =
        'The member cannot be kept exactly as a double; up to 15 digits between 1e-307 and 1e308 can.';
      expect(
        answers.map(({ status, body, stored }) => [status, body.type, body.errors, stored?.version]),
      ).toEqual(
        ['vehicle.note', 'extras.1.b.1', 'vehicle.a.2'].map((field) => [422, type, [{ field, message }], 1]),
      );
    },
  );

  test.each([
    ['0.1', 0.1],
    ['1.0', 1],
    ['1e2', 100],
    ['1E+2', 100],
    ['1e-3', 0.001],
    ['-0', -0],
    ['0e999999', 0],
    ['0.000', 0],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991.0', -9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['1e22', 1e22],
    ['-1e300', -1e300],
    ['1.7976931348623157e308', 1.7976931348623157e308],
    ['1e-320', 1e-320],
    ['0.30000000000000004', 0.30000000000000004],
    ['9.9000000000000004', 9.9],
    ['5e-324', 5e-324],
    ['0.1000000000000000000000000000000', 0.1],
    ['12300e-2', 123],
  ])('WR-4 the number %s is stored', async (number, value) => {
    const { status, stored } = await put(vehicle(number));

    expect(status).toBe(200);
    expect(stored?.transaction.vehicle).toEqual({ note: value });
  });

  test('S-37 WR-4 a number of 99,000 digits is checked at once', async () => {
    const { ask } = await aV2Write({ transactions: [{ uuid }] });
    const body = vehicle(`0.1${'0'.repeat(98_900)}1`);
    let status = 0;

    const cpuMs = await cpuMsOf(async () => {
      status = (await ask(address, { method: 'PUT', body })).status;
    });

    expect(status).toBe(422);
    expect(cpuMs).toBeLessThan(500);
  });

  test.each([
    ['32 levels', nested(31)],
    ['null and a number within 32 levels', nested(31).replace('{}', '{"a":null,"b":1}')],
    ['astral text', vehicle('"\\ud83d\\ude97"')],
    ['bidirectional controls', vehicle('"\\u202eevil"')],
    ['script', vehicle('"<script>alert(1)</script>"')],
    ['a formula', vehicle('"=cmd|\' /C calc\'!A0"')],
    ['an unknown member', '{"vehicle":{"zeta":[1,{"b":1,"a":null}],"__proto__":{"x":1},"alpha":"<b>"}}'],
  ])('TH-21 %s is stored as it is', async (_name, text) => {
    const { status, body, headers, stored } = await put(text, 'fields=vehicle&expand=vehicle');

    expect([status, JSON.stringify(body)]).toEqual([200, JSON.stringify(JSON.parse(text))]);
    expect(JSON.stringify({ vehicle: stored?.transaction.vehicle })).toBe(JSON.stringify(JSON.parse(text)));
    expect(headers).toMatchObject({
      'Content-Type': 'application/json; charset=UTF-8',
      'X-Content-Type-Options': 'nosniff',
    });
  });
});

describe('S-13 the response names every refused member at once', () => {
  test('S-37 a body with 50,000 faults gets the first 100 and their number', async () => {
    const { status, text, body } = await change({ body: `{"extras":[${'0,'.repeat(49_979)}0]}` });

    expect([status, body.errors.length, body.errors[0].field]).toEqual([422, 100, 'extras.0']);
    expect(body.detail).toBe(
      'Some members of the body are invalid; errors names the first 100 of 49980 of them.',
    );
    expect(text.length).toBeLessThan(10_000);
  });

  test('unknown members, members of the service, and wrong types', async () => {
    const { status, body } = await change({
      body: '{"uuid":"x","status":1,"payments":[],"ndMeta":{},"__proto__":{},"incentive":"yes","deliveryCollection":{"nope":1,"price":4},"vehicle":{"identifiers":{"ndstockid":5}},"extras":[{"price":{}}]}',
    });

    expect(status).toBe(422);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      '__proto__',
      'deliveryCollection.nope',
      'deliveryCollection.price',
      'extras.0.price',
      'incentive',
      'ndMeta',
      'payments',
      'status',
      'uuid',
      'vehicle.identifiers.ndstockid',
    ]);
    expect(body.errors).toContainEqual({
      field: 'uuid',
      message: 'The member is unknown, or you cannot change it.',
    });
  });
});

describe('ERR-1 the response names the bounds of a number or text', () => {
  const money =
    'The member must be a decimal with two decimals and no leading zeros in quotes, from "0.00" to "9999999999999.99".';
  const decimal =
    'The member must be a decimal number in quotes, below "10000000000000", with at most 10 decimals and no leading zeros.';
  const amount =
    'The member must be a number, or a decimal number in quotes between "-10000000000000" and "10000000000000" with at most 10 decimals.';
  test.each([
    ['deliveryCollection.price', '{"deliveryCollection":{"price":"99999999999999999999.00"}}', money],
    ['deliveryCollection.price', '{"deliveryCollection":{"price":"-1.00"}}', money],
    ['deliveryCollection.price', '{"deliveryCollection":{"price":"099.00"}}', money],
    [
      'deliveryCollection.originalPrice',
      '{"deliveryCollection":{"originalPrice":"99999999999999.5"}}',
      decimal,
    ],
    ['deliveryCollection.originalPrice', '{"deliveryCollection":{"originalPrice":"007"}}', decimal],
    ['vehicle.price', '{"vehicle":{"price":"x"}}', amount],
    ['vehicle.price', '{"vehicle":{"price":"99999999999999999999.00"}}', amount],
    ['extras.0.price', '{"extras":[{"price":"1.12345678901"}]}', amount],
    ['vehicle.price', '{"vehicle":{"price":true}}', amount],
    [
      'document_id',
      `{"document_id":"${'x'.repeat(257)}"}`,
      'The member must be text of at most 256 characters.',
    ],
  ])('%s in %s', async (field, text, message) => {
    const { status, body } = await change({ body: text });

    expect([status, body.errors]).toEqual([422, [{ field, message }]]);
  });
});

describe('S-46 SHAPE-1 referrerUrl', () => {
  test.each([
    ['https://shop.example/cars?x=1#y', true],
    ['https://shop.example', true],
    ['HTTPS://shop.example/', true],
    ['https://münchen.example/', true],
    ['', true],
    ['http://shop.example', true],
    ['HTTP://shop.example/', true],
    ['http://user@shop.example', false],
    ['http://shop.example/\r\nSet-Cookie: a=b', false],
    ['ftp://shop.example', false],
    ['httpss://shop.example', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['//shop.example', false],
    ['/cars', false],
    ['https:shop.example', false],
    ['https:/shop.example', false],
    ['https:\\\\shop.example', false],
    ['https://\\shop.example', false],
    ['https://shop.example\\@evil.example', false],
    ['https://user@shop.example', false],
    ['https://user:secret@shop.example', false],
    ['https://@shop.example', false],
    [' https://shop.example', false],
    ['https://shop.example/a b', false],
    ['https://shop.example/\n', false],
    ['https://', false],
    ['https://[::1', false],
    [`https://shop.example/${'x'.repeat(2028)}`, false],
    [null, false],
    [4, false],
  ])('%j: %s', async (referrerUrl, isAccepted) => {
    const { status, body } = await change({ body: { referrerUrl } });

    expect(status).toBe(isAccepted ? 200 : 422);
    if (isAccepted) expect(body.referrerUrl).toBe(referrerUrl);
    else expect(body.errors[0].field).toBe('referrerUrl');
  });
});

test('WR-4 a change beyond 100 kB is 413 with the limit, and so is a payment that is only tried; a taken one completes it', async () => {
  const payments = [aWholePayment({ id: 1, status: 0, settings: 'x'.repeat(99_000) })];
  const vehicle = { note: 'x'.repeat(99_600) };
  const { ask, store } = await aV2Write({ transactions: [{ uuid, vehicle, payments }] });
  const pay = (status: 0 | 1, settings: string) =>
    ask('/api/v2/payment', {
      method: 'POST',
      body: { transaction: uuid, type: 1, value: '9.00', status, settings },
    });

  const changed = await ask(address, { body: { customer: { note: 'x'.repeat(400) } } });
  const tried = await pay(0, 'x'.repeat(1_000));
  const version = (await store.byUuid(uuid))?.version;
  const taken = await pay(1, 'x'.repeat(40_000));

  expect([changed.status, changed.body.detail]).toEqual([
    413,
    'A transaction may have at most 100,000 bytes of JSON beside its payments.',
  ]);
  expect([tried.status, version, taken.status]).toEqual([413, 1, 201]);
  expect((await store.byUuid(uuid))?.transaction.status).toBe(1);
});
