import { expect, test } from '@jest/globals';
import type { Transaction } from '../../../../functions/shared/domain/transaction/transaction.ts';
import { aV2Read } from '../../../support/apis/v2-read.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { anOwner } from '../../../support/builders/transactions.ts';
import { aWholeDelivery, aWholePayment } from '../../../support/builders/whole-elements.ts';

const uuid = '6f1d2c3b-4a59-4e68-8778-96a5b4c3d2e1-7k3q';
const cardPayment = {
  id: 7,
  transaction_id: 3,
  hash: '0123456789abcdef0123456789abcdef01234567',
  token: 'tok_card',
  details: { type: 'card', brand: 'visa', method: 'online', funding: 'credit' },
  value: '99.00',
};
const bankPayment = { value: '1.00', details: 'bank transfer', id: 8 };
const untouched = {
  uuid,
  preselectedPaymentMethod: 'finance',
  referrerUrl: 'https://shop.example/cars',
  priceAdjustment: { payment: true, priceRule: false },
};
const transaction: Partial<Transaction> = {
  ...untouched,
  extras: [],
  customer: { name: 'Ada', address: { city: 'Leeds', lines: [{ text: 'a', n: 1 }, 'b', null] } },
  deliveryCollection: { method: 'collection', price: '0.00', is_default: 1, units: null },
  payments: [cardPayment, bankPayment],
};

const shown = async (query: string, stored: Partial<Transaction> = transaction) => {
  const { get } = await aV2Read({ transactions: [stored] });
  const { text } = await get(`/api/v2/transaction/${uuid}?${query}`);
  return text;
};

const own =
  `"uuid":"${uuid}","status":0,"editable":true,"isDeleted":0,"priceAdjustment":{"payment":true,"priceRule":false},` +
  '"externalRedirect":0,"incentive":false,"document_id":null,"preselectedPaymentMethod":"finance",' +
  '"referrerUrl":"https://shop.example/cars","guestEmail":null';
const deliveryCollection = { method: 'collection', price: '0.00', is_default: 1 };
const delivery = `"deliveryCollection":${JSON.stringify(aWholeDelivery(deliveryCollection))}`;

test.each([
  ['', `{${own}}`],
  ['fields=', `{${own}}`],
  ['fields=,,', `{${own}}`],
  ['fields=*', `{${own}}`],
  ['fields=status,*', `{${own}}`],
  ['fields=*.x', `{${own}}`],
  ['fields=nope', '{}'],
  ['fields=UUID', '{}'],
  ['fields=__proto__,constructor,toString,version,session,own', '{}'],
  ['fields=status,uuid', `{"uuid":"${uuid}","status":0}`],
  ['fields=%20status%20,,uuid', `{"uuid":"${uuid}","status":0}`],
  ['fields[]=status&fields[]=uuid', `{"uuid":"${uuid}","status":0}`],
  ['fields[0]=status&fields[1]=uuid', `{"uuid":"${uuid}","status":0}`],
  ['fields[0=status', `{${own}}`],
  ['fields[0][1]=status', `{${own}}`],
  ['fields=uuid&fields=status', '{"status":0}'],
  ['fields=priceAdjustment', '{"priceAdjustment":{"payment":true,"priceRule":false}}'],
  ['fields=priceAdjustment.payment', '{"priceAdjustment":{"payment":true}}'],
  ['fields=priceAdjustment.nope', '{"priceAdjustment":{}}'],
  [
    'fields=priceAdjustment.payment,priceAdjustment.*',
    '{"priceAdjustment":{"payment":true,"priceRule":false}}',
  ],
  ['fields=status.x,document_id.y', '{"status":0,"document_id":null}'],
])('FLD-1 FLD-2 FLD-4 own properties for "%s"', async (query, expected) => {
  expect(await shown(query)).toBe(expected);
});

test.each([
  ['expand=deliveryCollection', `{${own},${delivery}}`],
  ['expand=deliveryCollection.price.x', `{${own},${delivery}}`],
  ['expand=*', `{${own}}`],
  ['expand=nope,__proto__', `{${own}}`],
  ['expand=valuation', `{${own},"valuation":null}`],
  ['expand[]=valuation&expand[]=extras', `{${own},"extras":[],"valuation":null}`],
  ['fields=uuid&expand=valuation', `{"uuid":"${uuid}","valuation":null}`],
  ['fields=payments', '{}'],
  ['fields=valuation&expand=valuation', '{"valuation":null}'],
  ['fields=deliveryCollection&expand=deliveryCollection', `{${delivery}}`],
  ['fields=deliveryCollection.price', '{"deliveryCollection":{"price":"0.00"}}'],
  ['fields=deliveryCollection.price,deliveryCollection.*', `{${delivery}}`],
  ['fields=deliveryCollection,deliveryCollection.price', '{"deliveryCollection":{"price":"0.00"}}'],
  ['fields=deliveryCollection,deliveryCollection.price&expand=deliveryCollection', `{${delivery}}`],
  ['fields=deliveryCollection.nope', '{"deliveryCollection":{}}'],
  ['fields=payments.value', '{"payments":[{"value":"99.00"},{"value":"1.00"}]}'],
  ['fields=payments.value&expand=payments', '{"payments":[{"value":"99.00"},{"value":"1.00"}]}'],
  ['fields=status,payments.id', '{"status":0,"payments":[{"id":7},{"id":8}]}'],
  [
    'fields=payments.details.brand',
    '{"payments":[{"details":{"brand":"visa"}},{"details":"bank transfer"}]}',
  ],
  ['fields=customer.address.city', '{"customer":{"address":{"city":"Leeds"}}}'],
  ['fields=customer.address.lines.n', '{"customer":{"address":{"lines":[{"n":1},"b",null]}}}'],
  ['fields=customer.name,vehicle.x', '{"vehicle":null,"customer":{"name":"Ada"}}'],
  ['fields=valuation.amount', '{"valuation":null}'],
  ['fields=customer.', '{}'],
  ['fields=customer.__proto__,customer.constructor.name', '{"customer":{}}'],
])('FLD-3 FLD-4 EXP-1 elements for "%s"', async (query, expected) => {
  expect(await shown(query)).toBe(expected);
});

test('FLD-4 absent payments are an empty list, with or without narrowing', async () => {
  expect(await shown('fields=uuid&expand=payments', { uuid })).toBe(`{"uuid":"${uuid}","payments":[]}`);
  expect(await shown('fields=payments.value', { uuid })).toBe('{"payments":[]}');
});

test('EXP-1 every element follows the own properties in declared order', async () => {
  const { get } = await aV2Read({ transactions: [transaction] });
  const inOrder =
    'vehicle,ndMeta,extras,deliveryCollection,selectedPaymentMethod,financeProposal,valuation,customer,payments,financeDefaults';
  const reversed = inOrder.split(',').toReversed();

  const { body } = await get(`/api/v2/transaction/${uuid}?fields=uuid&expand=${reversed}`);

  expect(Object.keys(body).join()).toBe(`uuid,${inOrder}`);
});

test.each([
  [false, null],
  [true, 'tok_card'],
])(
  'SHOW-1 S-16 to a partner that may see payment tokens (%s) one is %j, alone and in lists',
  async (...row) => {
    const [showsPaymentTokens, token] = row;
    const partners = [aPartner({ showsPaymentTokens })];
    const { get } = await aV2Read({ transactions: [transaction], partners });
    const query = 'fields=payments.id,payments.token';

    const one = await get(`/api/v2/transaction/${uuid}?${query}`);
    const list = await get(`/api/v2/transaction?${query}`);

    const payments = [
      { id: 7, token },
      { id: 8, token: null },
    ];
    expect([one.body, list.body.data]).toEqual([{ payments }, [{ payments }]]);
  },
);

test('SHOW-1 S-14 unknown members of a closed element are not shown', async () => {
  const slipped = {
    ...untouched,
    ndMeta: { ...anOwner(), pk: 'x' },
    payments: [{ id: 1, shard: 3 }],
    pk: 'x',
    expiresAt: 9,
  };

  expect(await shown('fields=*&expand=ndMeta,payments', slipped)).toBe(
    `{${own},"ndMeta":{"group":"group-a","franchise":"franchise-a","branch":"Branch A","location":"location-a","groupSoftware":""},"payments":[${JSON.stringify(aWholePayment({ id: 1 }))}]}`,
  );
});

test('SHAPE-1 a response completes imported values, in the order of the interface', async () => {
  const imported = {
    ...untouched,
    ndMeta: anOwner({ groupSoftware: null }),
    deliveryCollection: { originalPrice: '9', type: 2 },
    payments: [{ status: 1, value: '99.00', type: 8, id: 7 }],
  };

  expect(await shown('fields=uuid&expand=ndMeta,deliveryCollection,payments', imported)).toBe(
    `{"uuid":"${uuid}","ndMeta":{"group":"group-a","franchise":"franchise-a","branch":"Branch A","location":"location-a","groupSoftware":""},` +
      '"deliveryCollection":{"is_default":null,"is_live":null,"lead_time":null,"method":null,"order":null,"price":null,"hash":null,' +
      '"preferred_date":null,"delivery_date":null,"delivery_status":null,"minDate":null,"maxDate":null,"type":2,"units":null,"originalPrice":"9"},' +
      '"payments":[{"id":7,"transaction_id":null,"hash":null,"token":null,"reference":null,"provider_references":null,"type":8,' +
      '"product_identifier":null,"value":"99.00","status":1,"message":null,"is_selected":null,"settings":null,"details":null,' +
      '"transaction_completed_at":null,"created_at":null,"created_by":null,"updated_at":null,"updated_by":null,"gateway_id":null}]}',
  );
});

test('SHAPE-1 an open element is shown as stored, and an absent one is null', async () => {
  const imported = { uuid, vehicle: { z: 1, make: null }, extras: [{ b: 2 }], selectedPaymentMethod: {} };

  expect(
    await shown(
      'fields=uuid&expand=vehicle,extras,selectedPaymentMethod,deliveryCollection,payments',
      imported,
    ),
  ).toBe(
    `{"uuid":"${uuid}","vehicle":{"z":1,"make":null},"extras":[{"b":2}],"deliveryCollection":null,"selectedPaymentMethod":{},"payments":[]}`,
  );
});

test('SHAPE-1 FLD-4 fields narrow the complete shape: an unknown member is null, not missing', async () => {
  const imported = { uuid, deliveryCollection: { type: 2 }, payments: [{ id: 7 }] };

  expect(await shown('fields=deliveryCollection.price,payments.id,payments.reference', imported)).toBe(
    '{"deliveryCollection":{"price":null},"payments":[{"id":7,"reference":null}]}',
  );
});

test('S-15 a member named __proto__ is data like any other', async () => {
  const customer = JSON.parse('{"__proto__":{"a":1},"name":"Ada"}');

  expect(await shown('fields=customer.__proto__', { uuid, customer })).toBe(
    '{"customer":{"__proto__":{"a":1}}}',
  );
});

test.each([
  [31, '{"customer":{}}'],
  [32, '{}'],
])(
  'FLD-1 a path may have %i levels below an element: 32 levels are read, and a deeper path is unknown',
  async (below, text) => {
    expect(await shown(`fields=customer${'.a'.repeat(below)}`)).toBe(text);
  },
);

test.each([
  ['a path of 50,000 levels', `customer${'.a'.repeat(50_000)}`],
  ['50,000 names', 'nope,'.repeat(50_000)],
  ['50,000 paths', 'customer.nope,'.repeat(50_000)],
  ['50,000 stars', '*'.repeat(50_000)],
  ['50,000 blanks', ' '.repeat(50_000)],
])('ERR-4 S-39 %s cause no fault', async (_, names) => {
  expect(await shown(`fields=uuid,${names}&expand=${names}&page=${names}&filter=${names}`)).toContain(uuid);
});
