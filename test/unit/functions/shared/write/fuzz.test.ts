import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type {
  JsonValue,
  StoredTransaction,
} from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { aService, uuid, type WriteName, writeNames } from '../../../../support/apis/writes.ts';
import { anyText } from '../../../../support/builders/any-text.ts';
import { unknownNames } from '../../../../support/builders/closed-shape.ts';
import { naughtyStrings } from '../../../../support/builders/naughty-strings.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';

const knownNames = fc.constantFrom(
  ...[
    'location franchise isDeleted priceAdjustment externalRedirect incentive document_id preselectedPaymentMethod referrerUrl guestEmail',
    'vehicle extras deliveryCollection selectedPaymentMethod financeProposal valuation customer financeDefaults',
    'transaction type value status reference product_identifier message token settings details gateway_id provider_references',
    'identifiers ndstockid salesmasterid make price payment priceRule method hash preferred_date units name address',
  ].flatMap((names) => names.split(' ')),
);
const foreignNames = fc.constantFrom(
  ...'uuid status ndMeta payments editable version session sequenceNumber own created_by __proto__ constructor prototype toString toJSON'.split(
    ' ',
  ),
);
const names = fc.oneof(
  { weight: 12, arbitrary: knownNames },
  { weight: 2, arbitrary: foreignNames },
  { weight: 1, arbitrary: fc.constantFrom(...naughtyStrings) },
);

const plausible = fc.constantFrom<JsonValue>(
  ...[uuid, 'location-a', 'location-b', 'franchise-a', 'nowhere'],
  ...['199.00', '1.0', 'https://shop.example/', 'http://x'],
  ...[0, 1, 2, -0, 1.5, 1e21, 2 ** 53, true, false, null, '2026-04-01', '2026-02-30', 'a'.repeat(40)],
);
const texts = fc.oneof(fc.constantFrom(...naughtyStrings), anyText({ maxLength: 20 }));
const { value: values } = fc.letrec<{ value: JsonValue; object: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 6, arbitrary: plausible },
    { weight: 2, arbitrary: texts },
    { weight: 1, arbitrary: fc.double() },
    { weight: 3, arbitrary: tie('object') },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
  ),
  object: fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map(toObject),
}));

/** As `JSON.parse` makes it: `__proto__` is a member like any other. */
function toObject(pairs: [string, JsonValue][]): JsonValue {
  return Object.fromEntries(pairs);
}

const some = (members: { [name: string]: fc.Arbitrary<unknown> }) => fc.record(members, { requiredKeys: [] });

/** Members that fit where they stand, so that much is accepted and the stores are reached. */
const fitting = some({
  vehicle: some({ identifiers: fc.constant({ ndstockid: 'N1' }), note: values }),
  customer: fc.option(some({ lastName: fc.constant('X'), more: values })),
  extras: fc.option(fc.array(some({ name: fc.constant('Mats'), more: values }), { maxLength: 2 })),
  deliveryCollection: some({ method: fc.constant('x'), units: values, price: fc.constant('9.00') }),
  guestEmail: fc.constantFrom(null, 'a@b.example'),
  location: fc.constantFrom('location-a', 'location-b', 'nowhere'),
  incentive: fc.boolean(),
  isDeleted: fc.constant(1),
  priceAdjustment: fc.record({ payment: fc.boolean() }),
}) as fc.Arbitrary<JsonValue>;
const payments = fc.record(
  {
    transaction: fc.constant(uuid),
    type: fc.constantFrom(0, 1, 8),
    value: fc.constant('10.00'),
    status: fc.constantFrom(0, 1),
    settings: values,
    details: fc.oneof(values, fc.constant('card')),
    message: fc.oneof(texts, fc.constant(null)),
    token: fc.oneof(texts, fc.constant(null)),
  },
  { requiredKeys: ['transaction', 'type', 'value', 'status'] },
) as fc.Arbitrary<JsonValue>;

const objects = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.tuple(names, values), { maxLength: 5 }).map(toObject) },
  { weight: 8, arbitrary: fitting },
  { weight: 3, arbitrary: payments },
);

const openings = fc.constantFrom('{"vehicle":', '{"a":', '[');
const depths = fc.constantFrom(5, 31, 32, 33, 33, 200, 200, 200, 20_000);
const sizes = fc.constantFrom(1_000, 89_000, 89_990, 90_500, 99_900, 100_100, 300_000);

/** JSON as others write it: names twice, levels without end, spaces, escapes, cut off, too large, or none at all. */
const bodies = fc.oneof(
  { weight: 20, arbitrary: objects.map((value) => JSON.stringify(value)) },
  ...[
    objects.map((value) => JSON.stringify(value, undefined, '\t\n')),
    fc
      .tuple(objects, objects)
      .map(([a, b]) => `${JSON.stringify(a).slice(0, -1)},${JSON.stringify(b).slice(1)}`),
    fc.tuple(objects, fc.nat(400)).map(([a, at]) => JSON.stringify(a).slice(0, at)),
    values.map((value) => JSON.stringify(value)),
    anyText({ maxLength: 40 }),
    fc
      .tuple(openings, depths)
      .map(([open, levels]) => `${open.repeat(levels)}1${(open === '[' ? ']' : '}').repeat(levels)}`),
    sizes.map((size) => JSON.stringify({ vehicle: { note: 'x'.repeat(size) } })),
  ].map((arbitrary) => ({ weight: 1, arbitrary })),
);

const headers = fc.record(
  {
    'Content-Type': fc.constantFrom(
      ...['application/json', 'application/json', 'application/merge-patch+json', 'text/plain', ''],
    ),
    'If-Match': fc.constantFrom('"1.x"', '"2.x"', '*', 'W/"1.x"', '', '"'),
    'Idempotency-Key': fc.constantFrom('k', '', 'x'.repeat(300), 'ü'),
  },
  { requiredKeys: [] },
);
const stateOf = {
  untouched: {},
  edited: {
    vehicle: { make: 'Ford', note: [1] },
    extras: [{ name: 'Mats' }],
    payments: [{ id: 9, transaction_id: 7 }],
  },
  complete: { status: 1, editable: false, customer: { lastName: 'X' } },
  deleted: { isDeleted: 1 },
  full: { financeDefaults: { note: 'x'.repeat(89_000) } },
} as const;
const states = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('untouched', 'edited', 'edited', 'complete', 'deleted') },
  { weight: 1, arbitrary: fc.constant('full') },
) as fc.Arbitrary<keyof typeof stateOf>;

const expectedStatuses = [200, 201, 400, 403, 404, 409, 412, 413, 415, 422];

test('ERR-4 S-13 S-37 S-38 no body causes a fault, and nothing is stored that callers may not write', async () => {
  const counts = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...writeNames),
      states,
      bodies,
      fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: headers }),
      fc.boolean(),
      async (write, state, body, more, isBase64Encoded) => {
        const service = await aService(stateOf[state] as object);
        const before = await service.transactions.byUuid(uuid);
        const sent = isBase64Encoded ? Buffer.from(body).toString('base64') : body;

        const answer = await service.run(write, sent, { headers: more, isBase64Encoded });

        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
        expect(expectedStatuses).toContain(answer.status);
        const after = await service.transactions.byUuid(uuid);
        for (const one of await service.all()) expectSound(one);
        expectUntouched(write, before, after);
        if (answer.status >= 300) expect(after).toEqual(before);
        if (write !== 'V2 payment' && answer.status < 300) expect(unknownNames(answer.body)).toEqual([]);
      },
    ),
    propertyRun('bodies of writes through both functions', 400, 20_000),
  );

  process.stdout.write(`answers by status: ${JSON.stringify([...counts].sort())}\n`);
  for (const status of expectedStatuses) expect(counts.get(status) ?? 0).toBeGreaterThan(0);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}, 600_000);

/** What holds of every stored transaction. */
const expectSound = ({ transaction }: StoredTransaction) => {
  const text = JSON.stringify(transaction);
  expect(unknownNames(transaction)).toEqual([]);
  expect(text.length).toBeLessThanOrEqual(100_000);
  expect(text).not.toContain('\\u0000');
  expect(text).not.toMatch(/\\ud[89a-f]/i);
  expect(['location-a', 'location-b']).toContain(transaction.ndMeta?.location);
  expect(transaction.referrerUrl === '' || /^https?:\/\//i.test(transaction.referrerUrl ?? '')).toBe(true);
};

/** What no body can change: identity, place in the list, session, and status or payments but by a payment. */
const expectUntouched = (
  write: WriteName,
  before: StoredTransaction | undefined,
  after: StoredTransaction | undefined,
) => {
  const fixed = (one: StoredTransaction | undefined) => [
    ...[one?.transaction.uuid, one?.session, one?.sequenceNumber],
    ...[one?.createdAtMs, one?.notifyFromVersion],
  ];
  const ofPayments = (one: StoredTransaction | undefined) =>
    [one?.transaction].map((said) => [said?.status, said?.editable, said?.payments]);
  expect(fixed(after)).toEqual(fixed(before));
  if (write !== 'V2 payment') expect(ofPayments(after)).toEqual(ofPayments(before));
  const isChanged = JSON.stringify(after?.transaction) !== JSON.stringify(before?.transaction);
  if (isChanged) expect(after?.version).toBe((before?.version ?? 0) + 1);
};
