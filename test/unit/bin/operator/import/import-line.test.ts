import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseImportLine } from '../../../../../bin/operator/import/import-line.ts';
import { columns } from '../../../../../functions/shared/domain/listing/columns.ts';
import {
  elementNames,
  type JsonValue,
} from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { anyText } from '../../../../support/builders/any-text.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';

const noonMs = 1_795_262_400_000;
const now = new Date('2026-11-21T12:00:00.000Z');
const least = {
  uuid: '6f1d2c3b-4a59-4e68-8778-96a5b4c3d2e1-x1',
  status: 0,
  ndMeta: { group: 'G', franchise: 'F', branch: 'Leeds', location: 'L' },
};
const parse = (line: unknown) => parseImportLine(JSON.stringify(line), now);
const reasonOf = (line: string | object) => {
  const parsed = typeof line === 'string' ? parseImportLine(line, now) : parse({ ...least, ...line });
  return parsed.ok ? 'accepted' : parsed.reason;
};
const aPayment = { id: 7, type: 1, value: '99.00', status: 1 };

describe('RUN-4 a line of an import', () => {
  test('EV-10 a minimal line becomes a transaction of version 1 that notifies nobody', () => {
    const parsed = parse(least);

    expect(parsed).toEqual({
      ok: true,
      value: {
        saysWhen: false,
        cleared: 0,
        created: {
          transaction: {
            ...{ uuid: least.uuid, status: 0, editable: true, isDeleted: 0, document_id: null },
            priceAdjustment: { payment: false, priceRule: false },
            ...{ externalRedirect: 0, incentive: false, preselectedPaymentMethod: '', referrerUrl: '' },
            guestEmail: null,
            ndMeta: { ...least.ndMeta, groupSoftware: '' },
          },
          elementVersions: {
            ...{ vehicle: 0, ndMeta: 1, extras: 0, deliveryCollection: 0, selectedPaymentMethod: 0 },
            ...{ financeProposal: 0, valuation: 0, customer: 0, payments: 0, financeDefaults: 0, own: 1 },
          },
          ...{ version: 1, notifyFromVersion: 2, createdAtMs: noonMs, updatedAtMs: noonMs },
        },
      },
    });
  });

  test('RUN-6 elements keep their members in the order of the line, and one that is null is absent', () => {
    const parsed = parse({ ...least, vehicle: { z: 1, a: [null, 1.5] }, customer: null, payments: null });

    const { transaction, elementVersions } = (parsed.ok && parsed.value.created) || {};
    expect(JSON.stringify(transaction?.vehicle)).toBe('{"z":1,"a":[null,1.5]}');
    expect(Object.keys(transaction ?? {})).not.toContain('customer');
    expect(elementVersions?.payments).toBe(0);
  });

  test('WR-4 a number of 17 significant digits is stored in its shortest text', () => {
    const text = JSON.stringify({ ...least, vehicle: { price: 0 } }).replace('0}', '9.9000000000000004}');

    const parsed = parseImportLine(text, now);

    expect(JSON.stringify(parsed.ok && parsed.value.created.transaction.vehicle)).toBe('{"price":9.9}');
  });

  test.each([
    [1_700_000_000, 1_700_000_000_000, 1_700_000_000_000],
    ['2026-03-01T10:00:00Z', 1_772_359_200_000, 1_772_359_200_000],
    ['2026-03-01T10:00:00.250+01:00', 1_772_355_600_250, 1_772_355_600_250],
    ['2026-11-21T13:00:00+00:00', 1_795_266_000_000, noonMs],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999, noonMs],
  ])(
    'I17 createdAt %j is %i ms, and counts as changed then, but not in the future',
    (createdAt, ...times) => {
      const parsed = parse({ ...least, createdAt });
      const { createdAtMs, updatedAtMs } = parsed.ok ? parsed.value.created : {};

      expect([createdAtMs, updatedAtMs]).toEqual(times);
    },
  );

  test.each([
    [{ referrerUrl: 'http://shop.example/cars' }, { referrerUrl: 'http://shop.example/cars' }],
    [{ referrerUrl: 'https://shop.example/cars' }, { referrerUrl: 'https://shop.example/cars' }],
    [{ status: 1 }, { editable: false }],
    [{ status: 1, editable: true }, { editable: true }],
  ])(
    'SHAPE-1 with %j it has %j: an address; a complete one is editable only where the line says so',
    (line, has) => {
      const parsed = parse({ ...least, ...line });

      expect(parsed.ok && parsed.value.created.transaction).toMatchObject(has);
    },
  );
});

const nested = (levels: number): JsonValue => (levels === 0 ? 1 : { a: nested(levels - 1) });
/** The text of a line in which this stands before its status. */
const before = (member: string) => JSON.stringify(least).replace('"status"', `${member},"status"`);
const paid = (...changes: object[]) => ({ payments: changes.map((change) => ({ ...aPayment, ...change })) });
const identified = (member: string, value: unknown) => ({ vehicle: { identifiers: { [member]: value } } });
/** A line with this value at this path. */
const at = (path: string, value: unknown) =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
/** The columns that lists filter by, but for those that every line has. */
const filtered = Object.values(columns)
  .map(({ path }) => path.join('.'))
  .filter((path) => path !== 'uuid' && path !== 'status');

const noObject = 'the line is not an object';
const noWhole = 'is not a whole number up to 9007199254740991 in size';
const tooLarge = 'is larger than 4503599627370496';
const noAddress = 'referrerUrl is not an http or https address of at most 2048 characters, or empty';
const noTime = 'createdAt is neither an ISO 8601 time with its zone nor Unix seconds';
const inexact = 'cannot be kept exactly as a double; up to 15 digits between 1e-307 and 1e308 can';
const elements = [
  ...['vehicle', 'deliveryCollection', 'selectedPaymentMethod', 'financeProposal', 'valuation', 'customer'],
  ...['financeDefaults', 'ndMeta'],
];

/**
 * Refused lines, as a text or by the members that differ, and the reason that is printed beside the line number (WR-4, ID-1,
 * ID-2, S-46).
 */
const refusals: [string, string | object, string][] = [
  ['no JSON', '{"uuid":', 'is not JSON'],
  ['S-37 a member twice', before('"status":1'), 'status appears twice'],
  [
    'S-37 a member twice in an element that keeps what it brings',
    before('"vehicle":{"identifiers":{"vin":"A","v\\u0069n":"B"}}'),
    'vehicle.identifiers.vin appears twice',
  ],
  [
    'S-37 a name twice that a terminal must not be told as it is',
    before('"extras":{"\\u001b":1,"\\u001b":2}'),
    'extras.\\u001b appears twice',
  ],
  ['a list', '[]', noObject],
  ['null', 'null', noObject],
  ['no uuid', { uuid: undefined }, 'uuid is missing'],
  ['no ownership', { ndMeta: undefined }, 'ndMeta is missing'],
  ['no status', { status: undefined }, 'status is missing'],
  ['a plain uuid', { uuid: least.uuid.slice(0, 36) }, 'uuid is not of the form <uuid>-<suffix>'],
  ['another status', { status: 2 }, 'status is not one of 0, 1'],
  ['several faults', { status: '1', colour: 1 }, 'status is not one of 0, 1; colour is unknown'],
  ['an inner name', { sequenceNumber: 1 }, 'sequenceNumber is unknown'],
  ['a prototype name', before('"__proto__":{"x":1}'), '__proto__ is unknown'],
  ['an owner without a group', { ndMeta: { ...least.ndMeta, group: '' } }, 'ndMeta.group is empty'],
  ['an unknown owner member', { ndMeta: { ...least.ndMeta, x: 1 } }, 'ndMeta.x is unknown'],
  ['an element that is a text', { customer: 'Ada' }, 'customer is not an object'],
  ['RUN-6 extras that are a text', { extras: 'x' }, 'extras is neither an object nor a list of objects'],
  ['RUN-6 extras with a text among them', { extras: [{ name: 'mats' }, 'x'] }, 'extras.1 is not an object'],
  ['RUN-6 an address that is no object', { customer: { address: [] } }, 'customer.address is not an object'],
  ['RUN-6 marketing that is none', { customer: { marketing: 'yes' } }, 'customer.marketing is not an object'],
  ['RUN-6 identifiers in a list', { vehicle: { identifiers: [] } }, 'vehicle.identifiers is not an object'],
  ...elements.map((name): [string, object, string] => [
    `RUN-6 a list where the interface has an object: ${name}`,
    { [name]: [{}] },
    `${name} is not an object`,
  ]),
  ['payments that are no list', { payments: {} }, 'payments is not an array'],
  ['a payment with a number for its value', paid({ value: 99 }), 'payments.0.value is not a string'],
  [
    'a value with one decimal',
    paid({ value: '99.0' }),
    'payments.0.value is not a decimal with two decimals and at most 15 digits before them, such as "199.00"',
  ],
  ...['007.00', '00.50', '-01.00', '10000000000000.00'].map((price): [string, object, string] => [
    `V2-3 RUN-6 ${price}, which a write refuses, for the price of a delivery`,
    { deliveryCollection: { price } },
    'deliveryCollection.price is not a decimal with two decimals, at most 13 digits before them and no leading zeros, such as "199.00"',
  ]),
  [
    'V2-3 RUN-6 leading zeros of the original price of a delivery',
    { deliveryCollection: { originalPrice: '007' } },
    'deliveryCollection.originalPrice is not a decimal number with at most 13 digits, 10 decimals and no leading zeros, such as "199.00"',
  ],
  ['an unknown payment member', paid({ colour: 1 }), 'payments.0.colour is unknown'],
  ['a payment id of 2^53', paid({ id: 2 ** 53 }), `payments.0.id ${noWhole}`],
  ['WR-4 a number that could be taken for its neighbour', paid({ type: 1e22 }), `payments.0.type ${noWhole}`],
  ['ID-2 an id with too few behind it', paid({ id: 2 ** 52 + 1 }), `payments.0.id ${tooLarge}`],
  [
    'ID-2 a transaction_id, too',
    paid({ transaction_id: 2 ** 52 + 1 }),
    `payments.0.transaction_id ${tooLarge}`,
  ],
  ['ID-2 an id of 0', paid({ id: 0 }), 'payments.0.id is below 1'],
  ['ID-2 a transaction_id of 0', paid({ transaction_id: 0 }), 'payments.0.transaction_id is below 1'],
  ['ID-2 a payment id twice', paid({}, { id: 8 }, { value: '1.00' }), 'payments.2.id 7 appears twice'],
  [
    'ID-2 two numbers of one transaction',
    paid({ transaction_id: 3 }, { id: 8, transaction_id: null }, { id: 9, transaction_id: 4 }),
    'payments.2.transaction_id 4 is not the 3 of another payment',
  ],
  [
    'a delivery date in words',
    { deliveryCollection: { minDate: 'today' } },
    'deliveryCollection.minDate is not a date of the form YYYY-MM-DD',
  ],
  ['a script as address', { referrerUrl: 'javascript:alert(1)' }, noAddress],
  ['user information', { referrerUrl: 'https://a:b@c.example' }, noAddress],
  ['milliseconds', { createdAt: 1_700_000_000_000 }, noTime],
  ['a time without zone', { createdAt: '2026-03-01T10:00:00' }, noTime],
  ['an instant after what an export can say', { createdAt: '9999-12-31T23:59:59-14:00' }, noTime],
  ['an instant before what an export can say', { createdAt: '1970-01-01T00:00:00+01:00' }, noTime],
  ['NUL in a name', { extras: { 'a\u0000': 1 } }, 'extras.a\\u0000 contains a NUL character'],
  ['a lone surrogate', { extras: ['\ud83d'] }, 'extras.0 contains a lone surrogate'],
  ...Object.entries({
    guestEmail: { guestEmail: 'a@b.example\r\nBcc: c@d.example' },
    document_id: { document_id: 'D\t1' },
    preselectedPaymentMethod: { preselectedPaymentMethod: 'cash\n' },
    'ndMeta.branch': { ndMeta: { ...least.ndMeta, branch: 'Leeds\u0085' } },
    'ndMeta.group': { ndMeta: { ...least.ndMeta, group: 'G\u001b[2J' } },
    'ndMeta.groupSoftware': { ndMeta: { ...least.ndMeta, groupSoftware: '\u007f' } },
    'deliveryCollection.method': { deliveryCollection: { method: 'Home\ndelivery' } },
    'deliveryCollection.delivery_status': { deliveryCollection: { delivery_status: 'booked\r' } },
    'payments.0.token': paid({ token: 'tok\n' }),
    'payments.0.product_identifier': paid({ product_identifier: 'PAY\u009f' }),
    'payments.0.created_by': paid({ created_by: 'v2\n' }),
    'payments.0.updated_by': paid({ updated_by: 'v2\n' }),
    'vehicle.identifiers.ndstockid': identified('ndstockid', 'N\n1'),
    'vehicle.identifiers.salesmasterid': identified('salesmasterid', '\u001f'),
  }).map(([path, members]): [string, object, string] => [
    `S-38 a control character in ${path}`,
    members,
    `${path} is not one line without control characters`,
  ]),
  ['a number that overflows', before('"extras":[1e999]'), `extras.0 ${inexact}`],
  ...['1e-400', '0.1000000000000000055', '9007199254740993'].map((number): [string, string, string] => [
    `WR-4 the number ${number}`,
    before(`"vehicle":{"price":[0,${number}]}`),
    `vehicle.price.1 ${inexact}`,
  ]),
  ['33 levels', { extras: nested(32) }, `extras${'.a'.repeat(31)} is nested deeper than 32 levels`],
  [
    'more than 100 kB beside payments',
    { extras: { text: 'm'.repeat(100_000) } },
    'is larger than 100,000 bytes beside its payments',
  ],
  [
    'an identifier too long for a key',
    identified('ndstockid', 'x'.repeat(513)),
    'vehicle.identifiers.ndstockid is not text of at most 512 bytes',
  ],
  ...filtered.flatMap((path) =>
    [123456, 0, true, ['A'], {}, 1.5].map((value): [string, object, string] => [
      `RUN-6 FLT-1 ${path}: ${JSON.stringify(value)}, which no filter would find`,
      at(path, value),
      `${path} is not a string`,
    ]),
  ),
  ...Object.entries({
    document_id: 256,
    preselectedPaymentMethod: 100,
    guestEmail: 254,
    'vehicle.make': 200,
    'customer.email': 254,
    'customer.address.postcode': 200,
    'valuation.condition': 200,
  }).map(([path, longest]): [string, object, string] => [
    `RUN-6 ${path} with a character more than a write takes`,
    at(path, 'x'.repeat(longest + 1)),
    `${path} is not text of at most ${longest} characters`,
  ]),
  [
    'RUN-6 the name of an extra with a character more than a write takes',
    { extras: [{}, { name: 'x'.repeat(201) }] },
    'extras.1.name is not text of at most 200 characters',
  ],
  ...['method', 'delivery_status'].map((member): [string, object, string] => [
    `RUN-6 deliveryCollection.${member} with a character more than a write takes`,
    { deliveryCollection: { [member]: 'x'.repeat(201) } },
    `deliveryCollection.${member} is longer than 200 characters`,
  ]),
  [
    'S-13 RUN-6 a member with two faults once: too long, and of two lines',
    { deliveryCollection: { method: `${'x'.repeat(200)}\n` } },
    'deliveryCollection.method is not one line without control characters',
  ],
  ...['preferred_date', 'delivery_date', 'minDate', 'maxDate'].flatMap((member) =>
    ['2027-02-29', '2026-13-01', '2026-00-00', '2026-02-30'].map((day): [string, object, string] => [
      `RUN-6 ${member} on ${day}, which does not exist`,
      { deliveryCollection: { [member]: day } },
      `deliveryCollection.${member} is a date of the form YYYY-MM-DD that does not exist`,
    ]),
  ),
  ...['2027-02-29 10:00:00', '2026-02-28 24:00:00', '2026-02-28 10:60:00', '2026-00-00 00:00:00'].map(
    (time): [string, object, string] => [
      `RUN-6 a payment that completed at ${time}, which does not exist`,
      paid({ transaction_completed_at: time }),
      'payments.0.transaction_completed_at is a time of the form YYYY-MM-DD HH:MM:SS that does not exist',
    ],
  ),
];

describe('RUN-4 a line is refused with its reason', () => {
  test.each(refusals)('%s', (_what, line, reason) => {
    expect(reasonOf(line)).toBe(reason);
  });

  test('S-38 free text and open elements may have several lines, and are stored as they are', () => {
    const customer = { firstName: 'Ada\r\nMary', notes: 'one\n\ttwo' };
    const payments = [{ ...aPayment, message: 'declined:\nno funds', details: 'Bank\ntransfer' }];

    const parsed = parse({ ...least, customer, payments });

    expect(parsed.ok && parsed.value.created.transaction.customer).toEqual(customer);
    expect(parsed.ok && parsed.value.created.transaction.payments).toEqual(payments);
  });

  test.each(filtered)('RUN-6 FLT-1 %s may be null or empty, which means unknown', (path) => {
    for (const unknown of [null, '']) expect(reasonOf(at(path, unknown))).toBe('accepted');
    expect(reasonOf(at(path, 'x'.repeat(512)))).toBe('accepted');
  });

  test('RUN-6 texts as long as a write takes, and unknown members of any length, are accepted', () => {
    const vehicle = { make: 'x'.repeat(200), notes: 'x'.repeat(2_000) };

    expect(reasonOf({ vehicle, guestEmail: 'x'.repeat(254), document_id: 'x'.repeat(256) })).toBe('accepted');
    expect(reasonOf({ deliveryCollection: { method: 'x'.repeat(200), maxDate: '2028-02-29' } })).toBe(
      'accepted',
    );
    expect(reasonOf(paid({ message: 'x'.repeat(9_000) }))).toBe('accepted');
  });

  test('RUN-6 known inner objects may be null, members keep the notation of the line, and 32 levels are accepted', () => {
    const customer = { address: null, marketing: { email: 'yes' }, title: 4 };

    expect(reasonOf({ customer, vehicle: { doors: '4' }, extras: [{ quantity: '1' }] })).toBe('accepted');
    expect(reasonOf({ extras: nested(30) })).toBe('accepted');
  });
});

test('RUN-6 the time of a payment is taken on a machine in any zone, summer time too', () => {
  const line = { ...least, ...paid({ transaction_completed_at: '2026-07-01 23:30:00' }) };
  const module = new URL('../../../../../bin/operator/import/import-line.ts', import.meta.url).href;
  const program = `
    const { parseImportLine } = await import(${JSON.stringify(module)});
    console.log(JSON.stringify(parseImportLine(${JSON.stringify(JSON.stringify(line))}, new Date(0))));`;

  const said = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    env: { ...process.env, TZ: 'Europe/London' },
  });

  expect(JSON.parse(said.toString())).toMatchObject({
    ok: true,
    value: { created: { transaction: { payments: [{ transaction_completed_at: '2026-07-01 23:30:00' }] } } },
  });
});

test('RUN-6 a zero date, with a time too, becomes null and is counted', () => {
  const zero = '0000-00-00';
  const deliveryCollection = {
    preferred_date: zero,
    delivery_date: `${zero} 00:00:00`,
    minDate: '2026-06-12',
  };
  const payments = [
    { ...aPayment, transaction_completed_at: `${zero} 00:00:00` },
    { ...aPayment, id: 8, transaction_completed_at: zero, message: zero },
  ];

  const parsed = parse({ ...least, deliveryCollection, payments, vehicle: { registered: zero } });

  expect(parsed.ok && parsed.value).toMatchObject({
    cleared: 4,
    created: {
      transaction: {
        deliveryCollection: { preferred_date: null, delivery_date: null, minDate: '2026-06-12' },
        payments: [
          { ...aPayment, transaction_completed_at: null },
          { ...aPayment, id: 8, transaction_completed_at: null, message: zero },
        ],
        vehicle: { registered: zero },
      },
    },
  });
});

test('RUN-6 amounts of old records stay as they are: negative ones, and leading zeros of a payment', () => {
  const deliveryCollection = { price: '-7.00', originalPrice: '-0.5' };
  const payments = [
    { ...aPayment, value: '-007.00' },
    { ...aPayment, id: 8, value: '123456789012345.00' },
  ];

  const parsed = parse({ ...least, deliveryCollection, payments });

  expect(parsed.ok && parsed.value.created.transaction).toMatchObject({ deliveryCollection, payments });
});

test('WR-4 any content of a line is accepted and stored unchanged, or refused with a reason, and never thrown', () => {
  let accepted = 0;
  const unusual = ['', ' ', 'null', '__proto__', '\u202e', 'ﷺ', '𝒳', '\u0007', '\\u0000'];
  const open = fc.dictionary(
    fc.oneof(fc.constantFrom(...unusual), anyText()),
    fc.jsonValue({ maxDepth: 5 }),
    { maxKeys: 4 },
  );
  const names = elementNames.filter((name) => !['ndMeta', 'payments', 'deliveryCollection'].includes(name));
  fc.assert(
    fc.property(fc.constantFrom(...names), open, (name, element) => {
      const parsed = parse({ ...least, [name]: element });
      if (!parsed.ok) return expect(parsed.reason).toMatch(/NUL|surrogate|kept exactly/);
      accepted += 1;
      expect(JSON.stringify(parsed.value.created.transaction[name])).toBe(JSON.stringify(element));
    }),
    propertyRun('elements of import lines', 2_000),
  );
  expect(accepted).toBeGreaterThan(500);
});
