import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import type { OperatorDeps } from '../../../../../bin/operator/deps.ts';
import { linesOf } from '../../../../../bin/operator/import/import-file.ts';
import {
  type ImportOptions,
  importTransactions,
} from '../../../../../bin/operator/import/import-transactions.ts';
import { toExportLine } from '../../../../../bin/operator/import/restore.ts';
import { uuidOf } from '../../../../support/builders/transactions.ts';
import { aWholeDelivery, aWholePayment } from '../../../../support/builders/whole-elements.ts';
import { memoryDeps } from '../../../../support/operator/operator.ts';
import { leeds } from '../../../../support/operator/tool.ts';

const lineOf = (number: number, more: object = {}) =>
  JSON.stringify({
    uuid: uuidOf(number),
    status: 0,
    ndMeta: { group: 'G', franchise: 'F', branch: 'Leeds', location: 'L' },
    ...more,
  });

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => lineOf(from + index));

const fileOf = async function* (text: string | Uint8Array, chunkSize = 65_536) {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += chunkSize)
    yield bytes.subarray(start, start + chunkSize);
};

let stage: ReturnType<typeof memoryDeps>;
beforeEach(() => {
  stage = memoryDeps();
});

const importText = (text: string | Uint8Array, deps = stage.deps, options?: ImportOptions) =>
  importTransactions(linesOf(fileOf(text)), deps, options);

type CreateMany = OperatorDeps['transactions']['createMany'];
/** The same stores, in which transactions are created so. */
const creating = (createMany: CreateMany): OperatorDeps => ({
  ...stage.deps,
  transactions: { ...stage.deps.transactions, createMany },
});
const nothing = {
  ...{ read: 0, imported: 0, unchanged: 0, differs: 0, cleared: 0, refused: [] },
  storefrontsRegistered: 0,
};

const uuids = async () => {
  const found: string[] = [];
  for await (const { transaction } of stage.deps.transactions.inCreationOrder()) found.push(transaction.uuid);
  return found;
};

test('RUN-4 file order is creation order', async () => {
  const summary = await importText([lineOf(3), lineOf(1), lineOf(2)].join('\n'));

  expect(summary).toEqual({ ...nothing, read: 3, imported: 3, storefrontsRegistered: 1 });
  expect(await uuids()).toEqual([uuidOf(3), uuidOf(1), uuidOf(2)]);
});

test('ID-2 ids issued after an import are larger than the imported ones, even if the import died while it wrote', async () => {
  const payment = { type: 0, value: '10.00', status: 1 };
  const first = { ...payment, id: 4_700, transaction_id: 12 };
  const second = { ...payment, id: 3 };
  const third = { ...payment, id: 4, transaction_id: 9_001 };
  const text = [
    lineOf(1),
    lineOf(2, { payments: [first, second] }),
    lineOf(3, { payments: [third] }),
    lineOf(4, { payments: null }),
  ];
  const deps = creating(() => Promise.reject(new Error('crashed')));

  await expect(importText(text.join('\n'), deps)).rejects.toThrow('crashed');

  expect(await stage.deps.ids.next()).toBe(9_002);
});

test('RUN-4 bad lines are reported by number and the others are loaded', async () => {
  const text = [`\ufeff${lineOf(1)}`, 'nonsense', '', lineOf(2, { status: 7 }), lineOf(3)].join('\r\n');

  const summary = await importText(text);

  const refused = [
    { line: 2, reason: 'is not JSON' },
    { line: 4, reason: 'status is not one of 0, 1' },
  ];
  expect(summary).toEqual({ ...nothing, read: 4, imported: 2, refused, storefrontsRegistered: 1 });
  expect(await uuids()).toEqual([uuidOf(1), uuidOf(3)]);
});

test('RUN-4 importing again changes nothing; a uuid that is twice in one file is loaded from its first line', async () => {
  const text = [lineOf(0, { guestEmail: 'first@example.com' }), ...lines(1, 250), lineOf(0)].join('\n');

  const first = await importText(text);
  const again = await importText(text);

  expect(first).toMatchObject({ read: 252, imported: 251, unchanged: 0, differs: 1 });
  expect((await stage.deps.transactions.byUuid(uuidOf(0)))?.transaction.guestEmail).toBe('first@example.com');
  expect(again).toEqual({ ...nothing, read: 252, unchanged: 251, differs: 1 });
  expect(await uuids()).toHaveLength(251);
});

const lineAt = (number: number, branch: string, location: string) =>
  lineOf(number, { ndMeta: { group: 'G', franchise: 'F', branch, location } });

test.each([
  [
    'gets one without origins, named after its branch',
    [lineAt(1, 'Leeds', 'L'), lineAt(2, 'Leeds', 'M'), lineAt(3, 'Leeds', 'L')],
    ['Leeds L', 'Leeds o5D9YAaKk46 M'],
  ],
  [
    'gets a free name where another storefront took that of its branch as a fallback',
    [
      lineAt(1, 'Leeds o5D9YAaKk46', 'K'),
      lineAt(2, 'Leeds', 'L'),
      lineAt(3, 'Leeds', 'M'),
      lineAt(4, 'Leeds', 'N'),
    ],
    ['Leeds L', 'Leeds 0tUlBu13A9o N', 'Leeds o5D9YAaKk46 K', 'Leeds o5D9YAaKk46 2 M'],
  ],
])('RUN-6 an owner without a storefront %s', async (_, text, expected) => {
  const summary = await importText(text.join('\n'));

  const storefronts = await stage.deps.storefronts.all();
  expect(summary).toMatchObject({ imported: text.length, storefrontsRegistered: expected.length });
  expect(storefronts.map(({ name, owner }) => `${name} ${owner.location}`)).toEqual(expected);
  expect(storefronts.flatMap(({ origins }) => origins)).toEqual([]);
});

test('RUN-6 STO-8 an owner is registered before its transactions are written, together, so that grants of its location see them', async () => {
  const written: number[][] = [];
  const deps = creating(async (transactions) => {
    written.push([(await stage.deps.storefronts.all()).length, transactions.length]);
    return stage.deps.transactions.createMany(transactions);
  });

  await importText(lines(1, 3).join('\n'), deps);

  expect(written).toEqual([[1, 3]]);
});

test('RUN-6 a registered storefront is used as it is', async () => {
  const owner = { group: 'G', franchise: 'F', branch: 'Elsewhere', location: 'L', groupSoftware: null };
  await stage.deps.storefronts.register({ ...leeds, name: 'shop', owner });

  const summary = await importText(lineOf(1));

  expect(summary.storefrontsRegistered).toBe(0);
  expect((await stage.deps.storefronts.all()).map(({ name }) => name)).toEqual(['shop']);
});

test('Ctrl-C ends the import after the current batch, and closes the file', async () => {
  const interruption = new AbortController();
  let isOpen = true;
  const watched = async function* () {
    try {
      yield* linesOf(fileOf(lines(1, 3_500).join('\n')));
    } finally {
      isOpen = false;
    }
  };

  const summary = await importTransactions(watched(), stage.deps, {
    signal: interruption.signal,
    onProgress: () => interruption.abort(),
  });

  expect(summary).toMatchObject({ read: 1_000, imported: 1_000 });
  expect(isOpen).toBe(false);
  expect(await uuids()).toHaveLength(1_000);
});

test('a batch of long lines has fewer of them, so that it fits into memory', async () => {
  const read: [lines: number, bytes: number][] = [];
  const long = Array.from({ length: 200 }, (_, index) => lineOf(index, { extras: 'x'.repeat(99_000) }));

  await importText(`${long.join('\n')}\n`, stage.deps, {
    onProgress: (summary, bytes) => read.push([summary.read, bytes]),
  });

  // 162 lines of 99 kB are the first that have 16 MB.
  const bytesOf = (lines: string[]) => Buffer.byteLength(lines.join('\n'));
  expect(read).toEqual([
    [162, bytesOf([...long.slice(0, 162), ''])],
    [200, bytesOf([...long, ''])],
  ]);
});

test('a file that becomes unreadable fails the import when its turn comes', async () => {
  const isBroken = Promise.withResolvers<void>();
  const broken = async function* () {
    yield* linesOf(fileOf(lines(1, 1_000).join('\n')));
    isBroken.resolve();
    throw new Error('the disk is gone');
  };

  const unhandled: unknown[] = [];
  const note = (fault: unknown) => unhandled.push(fault);
  process.on('unhandledRejection', note);
  const deps = creating(async (transactions) => {
    await isBroken.promise;
    await setImmediate();
    return stage.deps.transactions.createMany(transactions);
  });

  await expect(importTransactions(broken(), deps)).rejects.toThrow('the disk is gone');
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  expect(await uuids()).toHaveLength(1_000);
});

const paymentsIn = async (number: number) =>
  (await stage.deps.transactions.byUuid(uuidOf(number)))?.transaction.payments;

test('SHAPE-1 ID-2 a payment with four members is stored with its whole record', async () => {
  const said = { type: 1, value: '99.00', status: 1 };
  await stage.deps.ids.atLeast(40);

  await importText(lineOf(1, { payments: [{ ...said, id: 7 }, said] }));

  const [first = {}, second = {}, ...others] = (await paymentsIn(1)) ?? [];
  const given = {
    ...{ transaction_id: 41, reference: 'No reference given', product_identifier: 'PAY' },
    ...{ created_at: 1_795_262_400, created_by: 'v2/transaction/import' },
    ...{ updated_at: 1_795_262_400, updated_by: 'v2/transaction/import' },
  };
  expect(first).toEqual(aWholePayment({ ...said, ...given, id: 7, hash: first.hash ?? null }));
  expect(second).toEqual(aWholePayment({ ...said, ...given, id: 42, hash: second.hash ?? null }));
  expect(others).toEqual([]);
  expect(Object.keys(second)).toEqual(Object.keys(aWholePayment()));
  expect([first.hash, second.hash]).toEqual([
    '0102030405060708090a0b0c0d0e0f1011121314',
    '15161718191a1b1c1d1e1f202122232425262728',
  ]);
});

test('SHAPE-1 a payment keeps each member that it has; null counts as absent', async () => {
  const whole = aWholePayment({
    ...{ id: 7, transaction_id: 3, hash: 'a'.repeat(40), token: 'tok', reference: 'R', type: 8 },
    ...{ product_identifier: 'FEE', value: '1.00', status: 0, message: 'declined', is_selected: 1 },
    ...{ settings: {}, details: 'D', transaction_completed_at: '2026-01-02 03:04:05', gateway_id: 2 },
    ...{ created_at: 1, created_by: 'a', updated_at: 5, updated_by: 'b' },
  });

  const second = { ...whole, id: 8, transaction_id: null, hash: null };
  await importText(lineOf(1, { payments: [whole, second] }));

  const hash = expect.stringMatching(/^[0-9a-f]{40}$/);
  expect(await paymentsIn(1)).toEqual([whole, { ...whole, id: 8, hash }]);
});

test('RUN-6 a line without ids that is imported again changes nothing: generated values are not compared', async () => {
  const text = lineOf(1, { payments: [{ type: 1, value: '99.00', status: 1 }] });
  await importText(text);
  const before = await paymentsIn(1);

  expect(await importText(text)).toMatchObject({ imported: 0, unchanged: 1, differs: 0 });
  expect(await paymentsIn(1)).toEqual(before);
});

test('RUN-6 zero dates of lines that are taken are counted, and a line imported again changes nothing', async () => {
  const deliveryCollection = { preferred_date: '0000-00-00', minDate: '0000-00-00' };
  const text = [
    lineOf(1, { deliveryCollection }),
    lineOf(2, { deliveryCollection, payments: [{ type: 1, value: '1.00', status: 1, id: 7 }] }),
    lineOf(3, { deliveryCollection, payments: [{ type: 1, value: '1.00', status: 1, id: 7 }] }),
    lineOf(4, { deliveryCollection, status: 7 }),
  ].join('\n');

  const first = await importText(text);
  const again = await importText(text);

  expect(first).toMatchObject({ imported: 2, cleared: 4, refused: [{ line: 3 }, { line: 4 }] });
  expect(again).toMatchObject({ imported: 0, unchanged: 2, differs: 0, cleared: 4 });
  expect((await stage.deps.transactions.byUuid(uuidOf(1)))?.transaction.deliveryCollection).toEqual({
    ...{ preferred_date: null, minDate: null },
  });
});

const paid = { id: 7, type: 1, value: '99.00', status: 1 };
const paying = (number: number, ...changes: object[]) =>
  lineOf(number, { payments: changes.map((change) => ({ ...paid, ...change })) });

test.each([
  ['an own property', { guestEmail: 'b@example.com' }],
  ['an element', { vehicle: { make: 'Kia' } }],
  ['a further payment', { payments: [paid, { ...paid, id: 8 }] }],
  ['another amount', { payments: [{ ...paid, value: '98.00' }] }],
  ['another payment id', { payments: [{ ...paid, id: 9 }] }],
  ['a reference', { payments: [{ ...paid, reference: 'R' }] }],
  ['no payments', { payments: null }],
  ['another owner', { ndMeta: { group: 'G', franchise: 'F', branch: 'York', location: 'L' } }],
  ['another time of creation', { createdAt: 1_700_000_001 }],
])('RUN-6 a known uuid with other contents differs, and is left as it is: %s', async (_what, other) => {
  const line = { payments: [paid], createdAt: 1_700_000_000 };
  await importText(lineOf(1, line));
  const before = await stage.deps.transactions.byUuid(uuidOf(1));

  const summary = await importText(lineOf(1, { ...line, ...other }));

  expect(summary).toMatchObject({ imported: 0, unchanged: 0, differs: 1, refused: [] });
  expect(await stage.deps.transactions.byUuid(uuidOf(1))).toEqual(before);
});

const ofAnother = (line: number, what: string) => ({
  line,
  reason: `the ${what} is that of another transaction`,
});

test('ID-2 a payment id of another transaction is refused with its line, whichever import brought it', async () => {
  await importText([paying(1, {}), paying(2, { id: 20 })].join('\n'));
  const text = [
    ...[paying(3, { id: 30 }), 'nonsense', paying(4, { id: 5 }, {}), paying(5, { id: 30 })],
    ...[lineOf(6, { status: 7 }), paying(2, { id: 20 }), paying(7, { id: 6 })],
  ];

  const summary = await importText(text.join('\n'));

  expect(summary).toMatchObject({
    ...{ imported: 2, unchanged: 1, differs: 0 },
    refused: [
      { line: 2, reason: 'is not JSON' },
      ofAnother(3, 'payment id 7'),
      ofAnother(4, 'payment id 30'),
      { line: 5, reason: 'status is not one of 0, 1' },
    ],
  });
  expect(await uuids()).toEqual([1, 2, 3, 7].map((number) => uuidOf(number)));
});

test('ID-2 a transaction_id of another transaction is refused with its line, whichever import brought it', async () => {
  const paidAs = (number: number, id: number, transaction_id: number | null) =>
    paying(number, { id, transaction_id });
  await importText([paidAs(1, 7, 12), paidAs(2, 20, null)].join('\n'));
  const [given] = (await paymentsIn(2)) ?? [];

  const text = [paidAs(3, 30, 15), paidAs(4, 31, 12), paidAs(5, 32, 15), paidAs(6, 33, 21), paidAs(1, 7, 12)];
  const summary = await importText(text.join('\n'));

  expect(given?.transaction_id).toBe(21);
  expect(summary).toMatchObject({
    ...{ imported: 1, unchanged: 1, differs: 0 },
    refused: [12, 15, 21].map((id, index) => ofAnother(index + 2, `transaction_id ${id}`)),
  });
});

test('ID-2 an id that the API issues during an import is seen by the next batch', async () => {
  const deps = creating(async (transactions) => {
    const outcomes = await stage.deps.transactions.createMany(transactions);
    const id = await stage.deps.ids.next();
    const [first] = outcomes;
    if (first?.ok && id === 9) {
      const transaction = { ...first.value.transaction, payments: [{ ...paid, id }] };
      await stage.deps.transactions.replace(first.value, { ...first.value, transaction });
    }
    return outcomes;
  });
  const text = [paying(1, {}), ...lines(2, 1_000), paying(1_001, { id: 9 })];

  const summary = await importText(text.join('\n'), deps);

  expect(summary).toMatchObject({ imported: 1_000, refused: [ofAnother(1_001, 'payment id 9')] });
});

test('ID-2 a file of unused ids, in any order, costs no read of the table', async () => {
  stage.deps.transactions.paymentNumbers = () => {
    throw new Error('the table was read');
  };
  const text = Array.from({ length: 2_500 }, (_, index) =>
    paying(index, { id: ((index * 7) % 2_500) + 1, transaction_id: index + 1 }),
  );

  const summary = await importText(text.join('\n'));

  expect(summary).toMatchObject({ imported: 2_500, refused: [] });
});

const exported = async () => {
  const stored = await stage.deps.transactions.byUuid(uuidOf(1));
  return stored ? toExportLine(stored) : '';
};

test('SHAPE-1 an export completes imported values, and can be imported unchanged', async () => {
  await importText(lineOf(1, { deliveryCollection: { type: 2 }, payments: [paid] }));

  const text = await exported();

  expect(JSON.parse(text)).toMatchObject({
    ndMeta: { group: 'G', franchise: 'F', branch: 'Leeds', location: 'L', groupSoftware: '' },
    deliveryCollection: aWholeDelivery({ type: 2 }),
    payments: await paymentsIn(1),
  });
  expect(await importText(text, memoryDeps().deps)).toMatchObject({ imported: 1, refused: [] });
  expect(await importText(text)).toMatchObject({ unchanged: 1, differs: 0, refused: [] });
});

test('WR-4 payments are measured as they are stored: what an import completes counts', async () => {
  const extras = { text: 'x'.repeat(99_000) };
  const lineWith = (number: number, count: number) =>
    lineOf(number, { payments: Array(count).fill({ type: 1, value: '99.00', status: 0 }), extras });

  const summary = await importText([lineWith(1, 800), lineWith(2, 600)].join('\n'));

  const refused = [{ line: 1, reason: 'payments are larger than 300,000 bytes' }];
  expect(summary).toMatchObject({ imported: 1, refused });
});

test('WR-4 an export of the largest transaction can be imported, with failed payments', async () => {
  const payments = [{ ...paid, status: 0, message: 'm'.repeat(299_500) }];
  await importText(lineOf(1, { payments, extras: { text: 'x'.repeat(99_000) } }));

  const text = await exported();

  expect(text.length).toBeGreaterThan(399_000);
  expect(await importText(text, memoryDeps().deps)).toMatchObject({ imported: 1, refused: [] });
});

test('a line is read whole, however the file is chunked', async () => {
  const second = lineOf(2, { customer: { name: '☃ 𝒳' } });
  const text = `${lineOf(1, { guestEmail: 'zoë@example.com' })}\n${second}`;
  const whole = await collect(linesOf(fileOf(text)));

  for (const size of [1, 2, 3, 7, 64]) expect(await collect(linesOf(fileOf(text, size)))).toEqual(whole);
  expect(whole).toHaveLength(2);
});

test('a line that is too long or not UTF-8 is refused and the next one is read', async () => {
  const bytes = [Buffer.alloc(3_000_000, 'x'), Buffer.from(`\n"\xff"\n${lineOf(1)}`, 'latin1')];

  const { read, imported, refused } = await importText(Buffer.concat(bytes));

  expect([read, imported]).toEqual([3, 1]);
  expect(refused.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    ...['1 is longer than 1 MB', '2 is not UTF-8'],
  ]);
});

const collect = async <Value>(values: AsyncIterable<Value>) => {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
};
