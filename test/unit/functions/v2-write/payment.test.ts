import { describe, expect, test } from '@jest/globals';
import { aV2Write } from '../../../support/apis/v2-write.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const uuid = uuidOf(1);
const one = { transactions: [{ uuid }] };
const address = '/api/v2/payment';
const paid = { transaction: uuid, type: 1, value: '199.00', status: 1 };
const post = { method: 'POST' };

describe('V2-3 a payment', () => {
  test('201 and the record of interface 2.3', async () => {
    const { ask, store } = await aV2Write(one);

    const answer = await ask(address, {
      ...post,
      body: {
        transaction: uuid,
        type: 1,
        value: '199.00',
        status: 0,
        reference: '4a6dbeff-33dc-479a-8064-2418ab565bd3',
        product_identifier: 'DEPOSIT',
        message: 'Insufficient funds',
        token: 'tok_1',
        settings: { three_ds: true },
        details: { type: 'card', brand: 'visa', method: 'apple_pay', funding: 'debit' },
        gateway_id: 2,
        provider_references: ['a'],
      },
    });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: 1,
      transaction_id: 2,
      hash: expect.stringMatching(/^[0-9a-f]{40}$/),
      token: null,
      reference: '4a6dbeff-33dc-479a-8064-2418ab565bd3',
      provider_references: ['a'],
      type: 1,
      product_identifier: 'DEPOSIT',
      value: '199.00',
      status: 0,
      message: 'Insufficient funds',
      is_selected: null,
      settings: { three_ds: true },
      details: { type: 'card', brand: 'visa', method: 'apple_pay', funding: 'debit' },
      transaction_completed_at: null,
      created_at: 1772366400,
      created_by: 'v2/payment/create',
      updated_at: 1772366400,
      updated_by: 'v2/payment/create',
      gateway_id: 2,
    });
    expect((await store.byUuid(uuid))?.transaction.payments).toEqual([{ ...answer.body, token: 'tok_1' }]);
  });

  test('V2-5 created_by and updated_by name the operation, in the response and in the store', async () => {
    const { ask, store } = await aV2Write(one);

    const { body } = await ask(address, { ...post, body: paid });

    const named = { created_by: 'v2/payment/create', updated_by: 'v2/payment/create' };
    expect(body).toMatchObject(named);
    expect((await store.byUuid(uuid))?.transaction.payments).toMatchObject([named]);
  });

  test('ID-2 a payment with the same number from elsewhere is not taken for this one', async () => {
    const payments = [{ id: 7, transaction_id: 3, hash: 'a'.repeat(40), type: 1, value: '5.00', status: 0 }];
    const { ask, store } = await aV2Write({
      transactions: [{ uuid, payments }],
      ids: { next: async () => 7 },
    });

    const answer = await ask(address, { ...post, body: paid });

    expect([answer.status, answer.body.value]).toEqual([201, '199.00']);
    expect((await store.byUuid(uuid))?.transaction).toMatchObject({
      status: 1,
      payments: [{ value: '5.00' }, { value: '199.00' }],
    });
  });

  test('SHOW-1 the token is shown to a partner that may see it', async () => {
    const { ask } = await aV2Write({ ...one, partners: [aPartner({ showsPaymentTokens: true })] });

    const { body } = await ask(address, { ...post, body: { ...paid, token: 'tok_1' } });

    expect(body.token).toBe('tok_1');
  });

  test('ID-2 every payment has its own number, and names the number of its transaction', async () => {
    const { ask } = await aV2Write({ transactions: [{ uuid, payments: [{ id: 70, transaction_id: 50 }] }] });

    const first = await ask(address, { ...post, body: { ...paid, status: 0 } });
    const second = await ask(address, { ...post, body: { ...paid, status: 0 } });

    expect([first.body.id, first.body.transaction_id]).toEqual([1, 50]);
    expect([second.body.id, second.body.transaction_id]).toEqual([2, 50]);
    expect(first.body.hash).not.toBe(second.body.hash);
  });

  test.each(['/v2/payment', '/api/v2/payment/', '/v2/payment/'])('VERB-1 %s is the address', async (path) => {
    const { ask } = await aV2Write(one);

    expect((await ask(path, { ...post, body: paid })).status).toBe(201);
  });

  test.each([
    [{ transaction: undefined }, 'transaction', 'The member is missing.'],
    [{ type: undefined }, 'type', 'The member is missing.'],
    [{ value: undefined }, 'value', 'The member is missing.'],
    [{ status: undefined }, 'status', 'The member is missing.'],
    [{ type: -1 }, 'type', 'The member must be a whole number from 0 to 9007199254740991.'],
    [{ type: 1.5 }, 'type', 'The member must be a whole number from 0 to 9007199254740991.'],
    [{ type: 1e22 }, 'type', 'The member must be a whole number from 0 to 9007199254740991.'],
    [{ type: '1' }, 'type', 'The member must be a whole number from 0 to 9007199254740991.'],
    ...['1', '1.0', '1.000', '1,00', '-1.00', '+1.00', ' 1.00', '1e2', '', '１.00', 1.5, null].map(
      (value): [object, string, string] => [
        { value },
        'value',
        'The member must be a decimal with two decimals in quotes, from "0.00" to "9999999999999.99".',
      ],
    ),
    [{ status: 2 }, 'status', 'The member must be 0 or 1.'],
    [{ status: '1' }, 'status', 'The member must be 0 or 1.'],
    [{ details: 4 }, 'details', 'The member must be an object or text.'],
    [{ gateway_id: 'x' }, 'gateway_id', 'The member must be a whole number up to 9007199254740991 in size.'],
    [{ transaction: 4 }, 'transaction', 'The member must be text of at most 100 characters.'],
  ])('%j is 422', async (change, field, message) => {
    const { ask, store } = await aV2Write(one);

    const { status, body } = await ask(address, { ...post, body: { ...paid, ...change } });

    expect([status, body.errors]).toEqual([422, [{ field, message }]]);
    expect((await store.byUuid(uuid))?.version).toBe(1);
  });

  test.each([
    'id',
    'transaction_id',
    'hash',
    'is_selected',
    'transaction_completed_at',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
    'uuid',
    'ndMeta',
    '__proto__',
    'constructor',
  ])('S-13 %s is refused by name', async (name) => {
    const { ask } = await aV2Write(one);

    const { status, body } = await ask(address, {
      ...post,
      body: `${JSON.stringify(paid).slice(0, -1)},${JSON.stringify(name)}:1}`,
    });

    expect([status, body.errors]).toEqual([
      422,
      [{ field: name, message: 'The member is unknown, or you cannot change it.' }],
    ]);
  });

  test('unknown, hidden, deleted and malformed transactions are the same 404', async () => {
    const { ask } = await aV2Write({
      transactions: [
        { uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) },
        { uuid: uuidOf(3), isDeleted: 1 },
      ],
    });

    const answers = await Promise.all(
      [uuidOf(9), uuidOf(2), uuidOf(3), 'x', ''].map((transaction) =>
        ask(address, { ...post, body: { ...paid, transaction } }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

describe('V2-4 TH-20 completion', () => {
  test('a payment with status 1 completes the transaction in the same write', async () => {
    const { ask, store } = await aV2Write(one);

    const { body } = await ask(address, { ...post, body: paid });

    expect(body).toMatchObject({ is_selected: 1, transaction_completed_at: '2026-03-01 12:00:00' });
    expect(await store.byUuid(uuid)).toMatchObject({
      version: 2,
      transaction: { status: 1, editable: false, payments: [body] },
      elementVersions: { payments: 2, own: 2, vehicle: 0 },
    });
  });

  test('failed payments do not complete the transaction', async () => {
    const { ask, store } = await aV2Write(one);

    await ask(address, { ...post, body: { ...paid, status: 0 } });
    await ask(address, { ...post, body: { ...paid, status: 0 } });

    expect(await store.byUuid(uuid)).toMatchObject({
      version: 3,
      transaction: { status: 0, editable: true },
      elementVersions: { payments: 3, own: 1 },
    });
  });

  test('a later payment is stored and completes nothing', async () => {
    const { ask, store } = await aV2Write(one);
    await ask(address, { ...post, body: paid });

    const { status, body } = await ask(address, { ...post, body: paid });

    expect([status, body.is_selected, body.transaction_completed_at]).toEqual([201, null, null]);
    expect(await store.byUuid(uuid)).toMatchObject({ version: 3, elementVersions: { payments: 3, own: 2 } });
  });

  test('of fifteen parallel payments one completes the transaction, and all are stored', async () => {
    const { ask, store } = await aV2Write(one);

    const answers = await Promise.all(
      Array.from({ length: 15 }, () => ask(address, { ...post, body: paid })),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(15).fill(201));
    const payments = (await store.byUuid(uuid))?.transaction.payments ?? [];
    expect(payments.filter(({ is_selected }) => is_selected === 1)).toHaveLength(1);
    expect(new Set(payments.map(({ id }) => id)).size).toBe(15);
    expect(new Set(payments.map(({ transaction_id }) => transaction_id)).size).toBe(1);
  });

  test('WR-4 a payment is accepted by a transaction that is full for everything else', async () => {
    const { ask } = await aV2Write({ transactions: [{ uuid, vehicle: { note: 'x'.repeat(99_400) } }] });

    const edit = await ask(`/api/v2/transaction/${uuid}`, { body: { customer: { note: 'x'.repeat(400) } } });
    const payment = await ask(address, { ...post, body: { ...paid, message: 'x'.repeat(2000) } });

    expect([edit.status, payment.status]).toEqual([413, 201]);
  });
});
