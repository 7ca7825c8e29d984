import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { paymentSchema } from '../../../../../functions/shared/schema/elements.ts';
import {
  newTransactionSchema,
  transactionSchema,
} from '../../../../../functions/shared/schema/transaction.ts';
import { schemaErrors } from '../../../../../functions/shared/schema/validate.ts';
import { cpuMsOf } from '../../../../support/builders/cpu-time.ts';
import { aWholeDelivery } from '../../../../support/builders/whole-elements.ts';

const aPayment = {
  transaction: '6f1d2c3b-4a59-4e68-8778-96a5b4c3d2e1-x1',
  type: 1,
  value: '99.00',
  status: 1,
};
const fieldsOf = (body: object) =>
  schemaErrors(transactionSchema, JSON.parse(JSON.stringify(body))).map(({ field }) => field);

describe('interface 2.4 deliveryCollection accepts its members and no others', () => {
  const whole = {
    is_default: 0,
    is_live: 1,
    lead_time: 10,
    method: 'Home delivery',
    order: 2,
    price: '99.00',
    hash: '65a5b626b407cfdac1673cd4759e1a31da18a6c6',
    preferred_date: '2026-06-20',
    delivery_date: '2026-06-21',
    delivery_status: 'booked',
    minDate: '2026-06-12',
    maxDate: '2028-02-29',
    type: 1,
    units: 'miles',
    originalPrice: '99',
  };

  test('all members, each alone, and none', () => {
    expect(fieldsOf({ deliveryCollection: whole })).toEqual([]);
    expect(fieldsOf({ deliveryCollection: {} })).toEqual([]);
    for (const [name, value] of Object.entries(whole)) {
      expect(fieldsOf({ deliveryCollection: { [name]: value } })).toEqual([]);
    }
  });

  test.each<[string, unknown[]]>([
    ['is_default', [2, '0', true]],
    ['is_live', [-1, '1']],
    ['lead_time', [1.5, '10']],
    ['method', [1, 'x'.repeat(201)]],
    ['order', ['2']],
    ['price', [99, '99', '99.0', '-99.00', '99.000', '099.00', '00.50']],
    ['hash', ['65a5', 'g'.repeat(40)]],
    ['preferred_date', ['2026-6-20', '2026-02-30', '20.06.2026', '2026-06-20T00:00:00Z']],
    ['delivery_date', ['2027-02-29']],
    ['delivery_status', [1]],
    ['minDate', ['x']],
    ['maxDate', ['2026-13-01']],
    ['type', ['1']],
    ['originalPrice', [99, 'x', '', '099', '00.5', '-1']],
    ['Method', ['x']],
    ['id', [1]],
    ['constructor', [1]],
  ])('%s refuses %j', (name, values) => {
    for (const value of values) {
      expect(fieldsOf({ deliveryCollection: { [name]: value } })).toEqual([`deliveryCollection.${name}`]);
    }
  });

  test('SHAPE-1 null for each member, as in a response, so that a response can be sent back', () => {
    expect(fieldsOf({ deliveryCollection: aWholeDelivery() })).toEqual([]);
  });

  test.each([null, 1, true, { per: 'mile' }, ['a']])('units may be %j', (units) => {
    expect(fieldsOf({ deliveryCollection: { units } })).toEqual([]);
  });
});

test('V2-3 an amount has no leading zeros but 0.xx: value, price and originalPrice', () => {
  for (const amount of ['0.00', '0.50', '7.00', '10.00', '9999999999999.99']) {
    expect(schemaErrors(paymentSchema, { ...aPayment, value: amount })).toEqual([]);
    expect(fieldsOf({ deliveryCollection: { price: amount, originalPrice: amount } })).toEqual([]);
  }
  expect(fieldsOf({ deliveryCollection: { originalPrice: '0' } })).toEqual([]);
  for (const amount of ['007.00', '00.00', '01.00', '-7.00', '10000000000000.00']) {
    expect(schemaErrors(paymentSchema, { ...aPayment, value: amount })).toHaveLength(1);
    expect(fieldsOf({ deliveryCollection: { price: amount, originalPrice: amount } })).toEqual([
      ...['deliveryCollection.price', 'deliveryCollection.originalPrice'],
    ]);
  }
});

describe('open elements have some typed members, which may be null, and keep others', () => {
  test.each<[object, string[]]>([
    [{ vehicle: { identifiers: { ndstockid: 4, other: 4 } } }, ['vehicle.identifiers.ndstockid']],
    [{ vehicle: { identifiers: [] } }, ['vehicle.identifiers']],
    [{ vehicle: { make: null, price: null, wheels: { any: [1] } } }, []],
    [{ vehicle: { price: 10_695, mileage: '51276' } }, []],
    [
      { vehicle: { price: 'cheap', doors: 4.5, isVatQualifying: 'no' } },
      ['vehicle.doors', 'vehicle.price', 'vehicle.isVatQualifying'],
    ],
    [{ vehicle: [] }, ['vehicle']],
    [{ vehicle: 'x' }, ['vehicle']],
    [
      { customer: { email: 1, address: { line1: 2, planet: 3 }, marketing: { sms: 'yes' } } },
      ['customer.email', 'customer.address.line1', 'customer.marketing.sms'],
    ],
    [{ extras: [] }, []],
    [{ extras: [{ name: 'Mats', price: '65.00', quantity: 1, colour: 'red' }] }, []],
    [{ extras: { roof: true } }, []],
    [{ extras: [1] }, ['extras.0']],
    [{ extras: 'x' }, ['extras']],
    [{ extras: [{ name: 'a' }, { quantity: 'two' }] }, ['extras.1.quantity']],
    [{ financeProposal: { term: '48', apr: '6.9', monthlyPayment: 566.07 } }, ['financeProposal.term']],
    [{ financeDefaults: { depositPercent: {}, x: 1 } }, ['financeDefaults.depositPercent']],
    [{ valuation: { value: true, x: 1 } }, ['valuation.value']],
    [{ selectedPaymentMethod: { name: 1, x: 1 } }, ['selectedPaymentMethod.name']],
  ])('%j: %j', (body, fields) => {
    expect(fieldsOf(body)).toEqual(fields);
  });

  test('FLT-1 identifiers that lists filter by have at most 512 bytes', () => {
    expect(fieldsOf({ vehicle: { identifiers: { ndstockid: 'x'.repeat(512) } } })).toEqual([]);
    expect(fieldsOf({ vehicle: { identifiers: { ndstockid: 'x'.repeat(513) } } })).toEqual([
      'vehicle.identifiers.ndstockid',
    ]);
    expect(fieldsOf({ vehicle: { identifiers: { salesmasterid: 'ü'.repeat(257) } } })).toEqual([
      'vehicle.identifiers.salesmasterid',
    ]);
  });

  test('null removes each of them', () => {
    const names =
      'vehicle extras deliveryCollection selectedPaymentMethod financeProposal valuation customer financeDefaults';

    expect(fieldsOf(Object.fromEntries(names.split(' ').map((name) => [name, null])))).toEqual([]);
  });

  test('every element of the demo data is accepted unchanged', () => {
    const lines = readFileSync('localstack/embedded/demo/transactions.ndjson', 'utf8').trim().split('\n');
    const faults = lines.flatMap((line) => {
      const { uuid, status, editable, isDeleted, ndMeta, payments, createdAt, ...body } = JSON.parse(line);
      return schemaErrors(newTransactionSchema, body);
    });

    expect(lines.length).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });
});

describe('interface 2.1 own properties accept exactly their values', () => {
  test.each<[string, unknown[], unknown[]]>([
    [
      'priceAdjustment',
      [{}, { payment: true }, { payment: false, priceRule: true }],
      [null, [], { payment: 1 }, { payment: null }, { x: true }],
    ],
    ['externalRedirect', [0, 1], [2, '1', true, null]],
    ['incentive', [true, false], [0, 'true', null]],
    ['document_id', [null, '', 'D1', 'x'.repeat(256)], [1, 'x'.repeat(257)]],
    ['preselectedPaymentMethod', ['', 'cash'], [null, 1, 'x'.repeat(101)]],
    ['guestEmail', [null, 'a@b.example'], [1, {}, 'x'.repeat(255)]],
    ['location', ['l', 'x'.repeat(256)], ['', null, 1, 'x'.repeat(257)]],
    ['franchise', ['f'], ['', null, []]],
  ])('%s', (name, taken, refused) => {
    for (const value of taken) expect(fieldsOf({ [name]: value })).toEqual([]);
    for (const value of refused) {
      const [field = ''] = fieldsOf({ [name]: value });
      expect(field.split('.')[0]).toBe(name);
    }
  });
});

/** Both ends of C0, DEL and C1, and what breaks a line or drives a terminal. NUL is refused before (WR-4). */
const controlCharacters = [...'\u0001\t\n\r\u001b\u001f\u007f\u0080\u0085\u009f'];
const notOneLine = 'The member must be one line without control characters.';

describe('S-38 a single-line text has no control character', () => {
  test.each([
    ...['guestEmail', 'document_id', 'preselectedPaymentMethod', 'location', 'franchise'],
    ...['deliveryCollection.method', 'deliveryCollection.delivery_status'],
    ...['vehicle.identifiers.ndstockid', 'vehicle.identifiers.salesmasterid'],
  ])('%s', (field) => {
    const bodyWith = (text: string) =>
      field.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), text) as object;

    for (const character of controlCharacters)
      for (const schema of [transactionSchema, newTransactionSchema])
        expect(schemaErrors(schema, { ...bodyWith(`a${character}b`) })).toEqual([
          { field, message: notOneLine },
        ]);
    expect(schemaErrors(transactionSchema, { ...bodyWith('Zoë \u00a0 田中 \u2028 👩‍👩‍👧') })).toEqual([]);
  });

  test.each(['transaction', 'product_identifier', 'token'])('%s of a payment', (name) => {
    for (const character of controlCharacters)
      expect(schemaErrors(paymentSchema, { ...aPayment, [name]: `a${character}` })).toEqual([
        { field: name, message: notOneLine },
      ]);
  });

  test('free text and the contents of open elements may have several lines', () => {
    const lines = 'one\r\n\ttwo';
    const free = { reference: lines, message: lines, details: lines, provider_references: lines };

    expect(schemaErrors(paymentSchema, { ...aPayment, ...free, settings: { a: lines } })).toEqual([]);
    expect(schemaErrors(paymentSchema, { ...aPayment, details: { note: lines } })).toEqual([]);
    expect(
      fieldsOf({
        vehicle: { derivative: lines, notes: lines, identifiers: { other: lines } },
        extras: [{ name: lines, description: lines }],
        customer: { firstName: lines, address: { line1: lines } },
        deliveryCollection: { units: lines },
        financeProposal: { product: lines },
        selectedPaymentMethod: { label: lines },
      }),
    ).toEqual([]);
  });
});

test.each([
  '0'.repeat(100_000),
  `${'0'.repeat(99_999)}x`,
  `https://${'a'.repeat(99_000)}@`,
  `https://${'a.'.repeat(50_000)}`,
  `https://${'%'.repeat(99_000)}`,
  `-${'1.'.repeat(50_000)}`,
  ' '.repeat(100_000),
  '2026-01-'.repeat(12_500),
])('S-39 100 kB that begin with %.12s are checked by linear expressions', async (text) => {
  const members = {
    referrerUrl: text,
    deliveryCollection: { price: text, originalPrice: text, minDate: text, hash: text },
  };

  const cpuMs = await cpuMsOf(() => {
    schemaErrors(transactionSchema, { ...members, vehicle: { price: text } });
    schemaErrors(paymentSchema, { transaction: text, value: text, type: 1, status: 1 });
  });

  // Some milliseconds; an expression that tries twice as often for each character would take seconds.
  expect(cpuMs).toBeLessThan(500);
});

test.each<[string, object, string, string]>([
  ['an empty list', { location: [] }, 'location', 'The member must be text of at most 256 characters.'],
  [
    'two long lines',
    { document_id: `${'x'.repeat(300)}\n` },
    'document_id',
    'The member must be text of at most 256 characters.',
  ],
  [
    'two long lines within an element',
    { deliveryCollection: { method: `${'x'.repeat(300)}\n` } },
    'deliveryCollection.method',
    'The member must be text of at most 200 characters.',
  ],
])('S-13 a member is listed once, with its first fault: %s', (_, body, field, message) => {
  expect(schemaErrors(transactionSchema, JSON.parse(JSON.stringify(body)))).toEqual([{ field, message }]);
});
