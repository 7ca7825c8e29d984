import fc from 'fast-check';
import { type ImportedLine, parseImportLine } from '../../../bin/operator/import/import-line.ts';
import { applyChange, toChange } from '../../../functions/shared/domain/transaction/change.ts';
import { jsonFault } from '../../../functions/shared/domain/transaction/json-limits.ts';
import { nextState } from '../../../functions/shared/domain/transaction/next-state.ts';
import {
  addPayment,
  completePayment,
  givenMembers,
  type PaymentFacts,
} from '../../../functions/shared/domain/transaction/payment.ts';
import { sizeFault } from '../../../functions/shared/domain/transaction/size.ts';
import type {
  JsonObject,
  JsonValue,
  StoredTransaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { isLine } from '../../../functions/shared/schema/fields.ts';
import { transactionSchema } from '../../../functions/shared/schema/transaction.ts';
import { schemaErrors } from '../../../functions/shared/schema/validate.ts';
import { naughtyStrings } from './naughty-strings.ts';
import { anOwner, uuidOf } from './transactions.ts';

/** Random lives of one transaction through the code that imports and writes, nothing of it made up for tests. */

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    ...naughtyStrings.filter((one) => one.length < 100 && one.isWellFormed() && !one.includes('\0')),
  ),
);
const line = text.filter(isLine);
const size = (bytes: number) => 'x'.repeat(bytes);
const note = fc.oneof(
  { weight: 8, arbitrary: text },
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue> },
  // Alone below the 60 kB of a message, two of them above (EV-9).
  { weight: 1, arbitrary: fc.constantFrom(size(20_000), size(35_000)) },
);
const amount = fc.constantFrom<JsonValue>(0, 1.5, 24_999, '199.00', '-5');
const day = fc.constantFrom('2026-12-24', '2027-01-02');
const flag = fc.constantFrom(0, 1);
const nullable = <Value extends JsonValue>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 4 });
const some = (members: { [name: string]: fc.Arbitrary<JsonValue> }) =>
  fc.record(members, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;

const elements = {
  vehicle: some({
    identifiers: some({ ndstockid: fc.constant('N1'), registration: nullable(text) }),
    make: nullable(text),
    price: nullable(amount),
    isVatQualifying: fc.boolean(),
    note,
  }),
  extras: fc.oneof(fc.array(some({ name: text, price: amount, note }), { maxLength: 3 }), some({ note })),
  deliveryCollection: some({
    is_default: flag,
    price: fc.constant('9.00'),
    minDate: day,
    type: flag,
    units: note,
  }),
  selectedPaymentMethod: some({ name: text }),
  financeProposal: some({ product: nullable(text), deposit: amount, note }),
  valuation: some({ mileage: amount, note }),
  customer: some({ firstName: text, address: some({ postcode: text }), note }),
  financeDefaults: some({ term: fc.constantFrom(12, 48) }),
};
const ownProperties = {
  guestEmail: fc.constantFrom(null, 'a@b.example'),
  incentive: fc.boolean(),
  isDeleted: fc.constant(1),
  priceAdjustment: some({ payment: fc.boolean() }),
};
const removable = Object.fromEntries(
  Object.entries(elements).map(([name, element]) => [name, fc.option(element, { freq: 5 })]),
);

const changes = fc
  .tuple(fc.constantFrom('merge', 'replace'), some({ ...removable, ...ownProperties }))
  .filter(([, body]) => jsonFault(body) === undefined && schemaErrors(transactionSchema, body).length === 0)
  .map(([kind, body]) => ({ step: 'change', change: toChange(kind as 'merge' | 'replace', body) }) as const);

const payments = fc
  .record(
    {
      type: fc.constantFrom(0, 1, 8),
      value: fc.constantFrom('10.00', '199.99'),
      status: flag,
      reference: nullable(line),
      message: nullable(text),
      token: nullable(fc.constantFrom('tok_1', 'tok_2')),
      settings: note,
      details: fc.oneof(text, fc.constant({ type: 'card', brand: 'visa' }), fc.constant(null)),
      gateway_id: fc.constantFrom(null, 3),
    },
    { requiredKeys: ['type', 'value', 'status'] },
  )
  .map((facts) => ({ step: 'payment', facts: facts as PaymentFacts }) as const);

const moves = fc
  .constantFrom('location-a', 'location-b')
  .map((location) => ({ step: 'move', owner: anOwner({ location }) }) as const);

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: changes },
    { weight: 2, arbitrary: payments },
    { weight: 1, arbitrary: moves },
  ),
  { minLength: 1, maxLength: 8 },
);
type Step = (typeof steps extends fc.Arbitrary<infer Value> ? Value : never)[number];

/** What other systems export: known members may be absent or null, and open elements hold anything (RUN-6). */
const importedPayment = some({
  id: fc.constantFrom(1, 2 ** 52),
  transaction_id: nullable(fc.constant(77)),
  hash: fc.constantFrom('A'.repeat(40), 'b'.repeat(40)),
  token: nullable(fc.constant('tok_0')),
  type: fc.constantFrom(-1, 0, 8),
  value: fc.constantFrom('-10.00', '99.00'),
  status: flag,
  details: fc.oneof(nullable(text), fc.constant<JsonValue>({ any: ['thing'] })),
  transaction_completed_at: nullable(fc.constant('2026-01-01 10:00:00')),
  created_at: fc.constant(1_700_000_000),
  provider_references: note,
}).filter((one) => ['id', 'type', 'value', 'status'].every((name) => name in one));
const anything = fc.dictionary(text, note, { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
const imports = some({
  vehicle: anything,
  extras: fc.oneof(anything, fc.array(note, { maxLength: 2 })),
  deliveryCollection: some({
    is_live: nullable(flag),
    price: fc.constantFrom(null, '-1.00'),
    minDate: fc.constantFrom(null, '2026-02-31'),
    method: fc.constant('x'.repeat(300)),
  }),
  valuation: anything,
  customer: anything,
  financeProposal: anything,
  payments: fc.array(importedPayment, { maxLength: 2 }) as fc.Arbitrary<JsonValue>,
})
  .map((line) => {
    const { groupSoftware: _, ...ndMeta } = anOwner();
    return parseImportLine(
      JSON.stringify({ uuid: uuidOf(1), status: 0, ndMeta, ...line }),
      new Date('2026-11-21T12:00:00Z'),
    );
  })
  .filter((parsed) => parsed.ok)
  .map((parsed) => stored((parsed as { value: ImportedLine }).value));

/** As an import stores it, with whole records of payments (SHAPE-1). */
const stored = ({ created }: ImportedLine): StoredTransaction => {
  const identity = { id: 5, transactionId: 77, hash: 'd'.repeat(40), operation: 'v2/transaction/import' };
  const given = givenMembers(identity, new Date('2026-11-21T12:00:00Z'));
  const completed = created.transaction.payments?.map((said) => completePayment(said, given));
  const transaction = { ...created.transaction, ...(completed && { payments: completed }) };
  return { ...created, transaction, sequenceNumber: 1 };
};

/** The states of one transaction, one a version, the imported one first; nothing is written after a deletion. */
export const histories: fc.Arbitrary<[StoredTransaction, ...StoredTransaction[]]> = fc
  .tuple(imports, steps)
  .map(([imported, taken]) => {
    const states: [StoredTransaction, ...StoredTransaction[]] = [imported];
    for (const step of taken) {
      const before = states.at(-1) ?? imported;
      if (before.transaction.isDeleted === 1) break;
      const now = new Date(before.updatedAtMs + 1_000);
      const after = nextState(before, transactionAfter(before, step, now), now);
      if (after && sizeFault(after.transaction, before.transaction, 'partner') === undefined)
        states.push(after);
    }
    return states;
  });

const transactionAfter = ({ transaction, version }: StoredTransaction, step: Step, now: Date) => {
  switch (step.step) {
    case 'change':
      return applyChange(transaction, step.change);
    case 'move':
      return { ...transaction, ndMeta: step.owner };
    case 'payment': {
      const identity = { id: 1_000 + version, transactionId: 77, hash: 'c'.repeat(40) };
      return addPayment(transaction, step.facts, { ...identity, operation: 'v2/payment/create', now })
        .transaction;
    }
    default:
      return step satisfies never;
  }
};
