import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseImportLine } from '../../../../../bin/operator/import/import-line.ts';
import { applyChange } from '../../../../../functions/shared/domain/transaction/change.ts';
import { nextState } from '../../../../../functions/shared/domain/transaction/next-state.ts';
import { completeTransaction } from '../../../../../functions/shared/domain/transaction/shape.ts';
import { readChange } from '../../../../../functions/shared/http/write-body.ts';
import { anyText } from '../../../../support/builders/any-text.ts';
import { httpEvent, sending } from '../../../../support/builders/http-event.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';
import { anOwner, uuidOf } from '../../../../support/builders/transactions.ts';
import { deliveryMembers } from '../../../../support/builders/whole-elements.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

const digits = (most: number, length: number) =>
  fc.integer({ min: 0, max: most }).map((number) => `${number}`.padStart(length, '0'));
const day = fc.tuple(digits(9999, 4), digits(13, 2), digits(32, 2)).map((parts) => parts.join('-'));
const text = fc.oneof(
  anyText({ maxLength: 4 }),
  fc.constantFrom(...['', ' ', 'a\nb', 'https://shop.example/', 'javascript:', 'x'.repeat(2_100)]),
  fc.constantFrom(99, 100, 101, 199, 200, 201, 253, 254, 255, 256, 257).map((length) => 'x'.repeat(length)),
);
/** Without negative ones, which old records keep. */
const amount = fc.stringMatching(/^[0-9]{1,16}(\.[0-9]{1,11})?$/);
const value = fc.oneof(
  ...[day, day.map((date) => `${date} 10:00:00`), amount, text, fc.jsonValue({ maxDepth: 1 })],
  fc.constantFrom(...['0000-00-00', '0000-00-00 00:00:00', 'A'.repeat(40), '0.50', '007.00', '2027-02-29']),
  fc.constantFrom<unknown>(0, 1, 2, 1.5, -1, null, true),
);
/** One to three of these members, each with some value. */
const someOf = (names: string, values: fc.Arbitrary<unknown> = value) =>
  fc.dictionary(fc.constantFrom(...names.split(' ')), values, { minKeys: 1, maxKeys: 3 });
const isNegativeAmount = (member: unknown) => typeof member === 'string' && member.startsWith('-');

/** Members of open elements have texts where a write demands text: other types stay as they are. */
const ofText = fc.oneof(text, fc.constant(null));
const line = fc.oneof(
  someOf('document_id preselectedPaymentMethod referrerUrl guestEmail incentive externalRedirect').map(
    (own) => own as object,
  ),
  someOf('payment priceRule').map((priceAdjustment) => ({ priceAdjustment })),
  someOf(deliveryMembers)
    .filter(({ price, originalPrice }) => ![price, originalPrice].some(isNegativeAmount))
    .map((deliveryCollection) => ({ deliveryCollection })),
  someOf('ndstockid salesmasterid').map((identifiers) => ({ vehicle: { identifiers } })),
  someOf('make model notes', ofText).map((vehicle) => ({ vehicle })),
  someOf('firstName email', ofText).map((customer) => ({ customer })),
  someOf('line1 postcode', ofText).map((address) => ({ customer: { address } })),
  fc.array(someOf('name category', ofText), { maxLength: 2 }).map((extras) => ({ extras })),
  someOf('product provider', ofText).map((financeProposal) => ({ financeProposal })),
);

test('RUN-6 WR-3 whatever an import takes and answers show can be sent back, and changes nothing', () => {
  let taken = 0;
  let refused = 0;
  fc.assert(
    fc.property(line, (members) => {
      const whole = { uuid: uuidOf(1), status: 0, ndMeta: anOwner(), ...members };
      const parsed = parseImportLine(JSON.stringify(whole), now);
      if (!parsed.ok) {
        refused += 1;
        return;
      }
      taken += 1;
      const { created } = parsed.value;
      const { uuid, status, editable, isDeleted, ndMeta, ...shown } = completeTransaction(
        created.transaction,
      );

      const sent = readChange(httpEvent('/', sending('PUT', shown)));

      expect(sent).toMatchObject({ ok: true });
      if (!sent.ok) return;
      const after = applyChange(created.transaction, sent.value.change);
      expect(nextState({ ...created, sequenceNumber: 1 }, after, now)).toBeUndefined();
    }),
    propertyRun('import lines whose elements are sent back', 3_000, 200_000),
  );
  expect(taken).toBeGreaterThan(300);
  expect(refused).toBeGreaterThan(300);
});
