import { describe, expect, test } from '@jest/globals';
import { refuse } from '../../../../functions/shared/domain/outcome.ts';
import { aV2Write } from '../../../support/apis/v2-write.ts';
import { anOwner, uuidOf } from '../../../support/builders/transactions.ts';

const uuid = uuidOf(1);
const paid = { transaction: uuid, type: 1, value: '199.00', status: 1 };

/** The V2 writes over one transaction, and its payments. */
const aPayer = async (world: Parameters<typeof aV2Write>[0] = {}) => {
  const v2 = await aV2Write({ transactions: [{ uuid }], ...world });
  return {
    pay: (body: object = {}, path = '/api/v2/payment') =>
      v2.ask(path, { method: 'POST', body: { ...paid, ...body } }),
    stored: () => v2.store.byUuid(uuid),
    /** The transactions whose completion was asked for. */
    asked: v2.asked,
  };
};

describe('V2-3 a payment', () => {
  test('V2-5 is answered by the record of interface 2.3, with the operation’s name', async () => {
    const { pay, stored } = await aPayer();
    const named = {
      type: 1,
      value: '199.00',
      status: 0,
      reference: '4a6dbeff-33dc-479a-8064-2418ab565bd3',
      product_identifier: 'DEPOSIT',
      message: 'Insufficient funds',
      settings: { three_ds: true },
      details: { type: 'card', brand: 'visa', method: 'apple_pay', funding: 'debit' },
      gateway_id: 2,
      provider_references: ['a'],
    };

    const { status, body } = await pay({ ...named, token: 'tok_1' });

    expect(status).toBe(201);
    expect(body).toEqual({
      ...named,
      id: 1,
      transaction_id: 2,
      hash: expect.stringMatching(/^[0-9a-f]{40}$/),
      token: null,
      is_selected: null,
      transaction_completed_at: null,
      created_at: 1772366400,
      created_by: 'v2/payment/create',
      updated_at: 1772366400,
      updated_by: 'v2/payment/create',
    });
    expect((await stored())?.transaction.payments).toEqual([{ ...body, token: 'tok_1' }]);
  });

  test('V2-3 ID-2 a payment whose answer from the table was lost is found by its number, and recorded once', async () => {
    const { ask, store } = await aV2Write({ transactions: [{ uuid }] });
    const { replace } = store;
    store.replace = async (...change) => {
      store.replace = replace;
      await replace(...change);
      return refuse('perhaps-done');
    };

    const { status, body } = await ask('/api/v2/payment', { method: 'POST', body: { ...paid, status: 0 } });

    const payments = (await store.byUuid(uuid))?.transaction.payments;
    expect([status, body.id]).toEqual([201, 1]);
    expect(payments).toMatchObject([{ id: 1 }]);
  });

  test('ID-2 a payment with the same number from elsewhere is not taken for this one', async () => {
    const payments = [{ id: 7, transaction_id: 3, hash: 'a'.repeat(40), type: 1, value: '5.00', status: 0 }];
    const { pay, stored } = await aPayer({
      transactions: [{ uuid, payments }],
      ids: { next: async () => 7 },
    });

    const { status, body } = await pay();

    expect([status, body.value]).toEqual([201, '199.00']);
    expect((await stored())?.transaction).toMatchObject({
      status: 1,
      payments: [{ value: '5.00' }, { value: '199.00' }],
    });
  });

  test('ID-2 every payment has its own number, and names the number of its transaction', async () => {
    const { pay } = await aPayer({ transactions: [{ uuid, payments: [{ id: 70, transaction_id: 50 }] }] });

    const [first, second] = [await pay({ status: 0 }), await pay({ status: 0 })];

    expect([first.body.id, first.body.transaction_id]).toEqual([1, 50]);
    expect([second.body.id, second.body.transaction_id]).toEqual([2, 50]);
    expect(first.body.hash).not.toBe(second.body.hash);
  });

  test.each(['/v2/payment', '/api/v2/payment/', '/v2/payment/'])('VERB-1 %s is the address', async (path) => {
    const { pay } = await aPayer();

    expect((await pay({}, path)).status).toBe(201);
  });

  const missing = 'The member is missing.';
  const whole = 'The member must be a whole number from 0 to 9007199254740991.';
  const money =
    'The member must be a decimal with two decimals and no leading zeros in quotes, from "0.00" to "9999999999999.99".';
  const values = [
    ...['1', '1.0', '1.000', '1,00', '-1.00', '+1.00', ' 1.00', '1e2', '', '１.00', 1.5, null],
    ...['007.00', '00.50', '01.00', '.50', '00000000000000.00'],
  ];
  test.each<[object, string, string]>([
    [{ transaction: undefined }, 'transaction', missing],
    [{ type: undefined }, 'type', missing],
    [{ value: undefined }, 'value', missing],
    [{ status: undefined }, 'status', missing],
    [{ type: -1 }, 'type', whole],
    [{ type: 1.5 }, 'type', whole],
    [{ type: 1e22 }, 'type', whole],
    [{ type: '1' }, 'type', whole],
    ...values.map((value): [object, string, string] => [{ value }, 'value', money]),
    [{ value: '99999999999999999999.00' }, 'value', money],
    [{ status: 2 }, 'status', 'The member must be 0 or 1.'],
    [{ status: '1' }, 'status', 'The member must be 0 or 1.'],
    [{ details: 4 }, 'details', 'The member must be an object or text.'],
    [{ gateway_id: 'x' }, 'gateway_id', 'The member must be a whole number up to 9007199254740991 in size.'],
    [{ transaction: 4 }, 'transaction', 'The member must be text of at most 100 characters.'],
    [{ hash: 1 }, 'hash', 'The member is unknown, or you cannot change it.'],
  ])('%j is 422', async (change, field, message) => {
    const { pay, stored } = await aPayer();

    const { status, body } = await pay(change);

    expect([status, body.errors]).toEqual([422, [{ field, message }]]);
    expect((await stored())?.version).toBe(1);
  });

  test('unknown, hidden, deleted and malformed transactions are the same 404', async () => {
    const { pay } = await aPayer({
      transactions: [
        { uuid: uuidOf(2), ndMeta: anOwner({ group: 'group-b' }) },
        { uuid: uuidOf(3), isDeleted: 1 },
      ],
    });

    const answers = await Promise.all(
      [uuidOf(9), uuidOf(2), uuidOf(3), 'x', ''].map((transaction) => pay({ transaction })),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

describe('V2-4 TH-20 completion', () => {
  test('the first payment with status 1 completes the transaction in the same write, and no later one does', async () => {
    const { pay, stored } = await aPayer();

    const failed = await pay({ status: 0 });
    const completing = await pay();
    const complete = await stored();
    const later = await pay();

    expect([failed, completing, later].map(({ body }) => body.is_selected)).toEqual([null, 1, null]);
    expect(complete).toMatchObject({
      version: 3,
      transaction: { status: 1, editable: false, payments: [failed.body, completing.body] },
      elementVersions: { payments: 3, own: 3, vehicle: 0 },
    });
    expect(await stored()).toMatchObject({ version: 4, elementVersions: { payments: 4, own: 3 } });
  });

  test('I8 of fifteen payments at once one completes and is announced, and all are recorded', async () => {
    const { pay, stored, asked } = await aPayer();

    const answers = await Promise.all(Array.from({ length: 15 }, () => pay()));

    expect(answers.map(({ status }) => status)).toEqual(Array(15).fill(201));
    expect(asked).toEqual([uuid]);
    const payments = (await stored())?.transaction.payments ?? [];
    expect(payments.filter(({ is_selected }) => is_selected === 1)).toHaveLength(1);
    expect(new Set(payments.map(({ id }) => id)).size).toBe(15);
    expect(new Set(payments.map(({ transaction_id }) => transaction_id)).size).toBe(1);
  });
});
