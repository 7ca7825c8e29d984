import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderTestMessage } from '../../../../functions/shared/domain/event/message.ts';
import type {
  JsonObject,
  StoredTransaction,
} from '../../../../functions/shared/domain/transaction/transaction.ts';
import { histories } from '../../../support/builders/histories.ts';
import { checkMessage } from '../../../support/builders/message-schema.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';
import { eventOf, messageIn, origin } from '../../../support/builders/sent-events.ts';
import { aWholeDelivery, aWholePayment } from '../../../support/builders/whole-elements.ts';

const lastOf = (states: readonly [StoredTransaction, ...StoredTransaction[]]) => states.at(-1) ?? states[0];
/** Every body that may be sent of a random transaction. */
const bodies = fc.tuple(histories, fc.nat(3)).map(([states, from]) => {
  const last = lastOf(states);
  const updated = eventOf(last, Math.min(from, last.version - 1));
  const isComplete = last.transaction.status === 1;
  const completed = isComplete && eventOf(last, last.version - 1, 'TransactionCompleted');
  const { plain, tokens } = updated.bodies;
  return [plain, tokens, ...(completed ? [completed.bodies.plain, completed.bodies.tokens] : [])].filter(
    (body) => body !== undefined,
  );
});

describe('interface 6.2 every message', () => {
  test('of every transaction matches its schema', () => {
    const types = new Set<unknown>();
    fc.assert(
      fc.property(bodies, (sent) => {
        for (const body of sent) {
          types.add(messageIn(body)['detail-type']);
          expect(checkMessage(JSON.parse(body))).toEqual([]);
        }
      }),
      propertyRun('messages of random transactions', 200, 1_000),
    );
    expect([...types].sort()).toEqual(['TransactionCompleted', 'TransactionUpdated']);
  });

  test('with an extra member, or without one, does not', () => {
    const omittable = [
      ...['vehicle', 'extras', 'deliveryCollection', 'financeProposal', 'valuation', 'customer'],
      ...['payments', 'isDeleted'],
    ];
    fc.assert(
      fc.property(bodies, fc.nat(), fc.boolean(), (sent, choice, isInDetail) => {
        const message = messageIn(sent[choice % sent.length] ?? '');
        const where: JsonObject = isInDetail ? message.detail : message;
        const names = Object.keys(where).filter((name) => !omittable.includes(name));
        const name = names[choice % names.length] ?? '';
        const { [name]: gone, ...rest } = where;
        const changed = (members: JsonObject) =>
          isInDetail ? { ...message, detail: members } : (members as typeof message);

        expect(gone).toBeDefined();
        expect(checkMessage(changed(rest))).not.toEqual([]);
        expect(checkMessage(changed({ ...where, version2: 1 }))).not.toEqual([]);
      }),
      propertyRun('messages with a member more or less', 120, 600),
    );
  });

  test('of a test matches its schema', () => {
    const body = renderTestMessage(
      { id: 'e2ae2d5f-22a0-5c9c-8a0b-0f2e6f3bb0b1', publishedAt: new Date('2026-11-21T12:00:00.5Z') },
      origin,
    );

    expect(checkMessage(JSON.parse(body))).toEqual([]);
    expect(checkMessage({ ...JSON.parse(body), detail: { uuid: 'x' } })).not.toEqual([]);
  });
});

const uuid = '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11-0000';
const ndMeta = { group: 'G', franchise: 'F', branch: 'Leeds', location: 'L', groupSoftware: '' };
const aPayment = aWholePayment({
  ...{ id: 7, transaction_id: 8, hash: 'a'.repeat(40), reference: 'R', type: 1, product_identifier: 'PAY' },
  ...{ value: '99.00', status: 1, created_at: 1, created_by: 'a', updated_at: 1, updated_by: 'a' },
});
const updated = (detail: object, more: object = {}) => ({
  version: '0',
  id: 'e2ae2d5f-22a0-5c9c-8a0b-0f2e6f3bb0b1',
  'detail-type': 'TransactionUpdated',
  source: 'svc.production.online-payments',
  account: '000000000000',
  time: '2026-11-21T12:00:00Z',
  region: 'eu-west-2',
  resources: [],
  detail: { uuid, status: 0, ndMeta, ...detail },
  ...more,
});

/** What the service can send: removed elements, and what imports bring (EV-9, RUN-6). */
const accepted: [string, object][] = [
  ['the three alone', updated({})],
  ['removed elements', updated({ vehicle: null, deliveryCollection: null, payments: [] })],
  ['an open element with members of its own', updated({ customer: { shoeSize: 43, title: 7 } })],
  ['extras of anything', updated({ extras: [{ any: 'thing' }, 7] })],
  ['a deletion', updated({ isDeleted: 1 })],
  ['the least payment', updated({ payments: [aPayment] })],
  ['a delivery with nulls', updated({ deliveryCollection: aWholeDelivery({ units: ['x'] }) })],
];
test.each(accepted)('EV-9 RUN-6 a message may have %s', (_, message) => {
  expect(checkMessage(message)).toEqual([]);
});

const { id: _id, ...withoutId } = aPayment;
const refused: [string, unknown, RegExp][] = [
  ['nothing', null, /detail-type/],
  ['another type', updated({}, { 'detail-type': 'TransactionDeleted' }), /detail-type/],
  ['an id that is no UUID', updated({}, { id: '1' }), /\/id/],
  ['a source without a stage', updated({}, { source: 'svc.online-payments' }), /\/source/],
  ['a time with milliseconds', updated({}, { time: '2026-11-21T12:00:00.000Z' }), /\/time/],
  ['resources', updated({}, { resources: ['x'] }), /\/resources/],
  ['a deletion with an element', updated({ isDeleted: 1, vehicle: {} }), /\/detail/],
  ['another status', updated({ status: 2 }), /\/detail\/status/],
  ['an owner whose software is null', updated({ ndMeta: { ...ndMeta, groupSoftware: null } }), /\/ndMeta/],
  ['an element that is a list', updated({ vehicle: [{}] }), /\/detail\/vehicle/],
  ['payments that are null', updated({ payments: null }), /\/detail\/payments/],
  ['a payment with an inner member', updated({ payments: [{ ...aPayment, pk: 'x' }] }), /\/payments\/0/],
  ['a payment without its id', updated({ payments: [withoutId] }), /\/payments\/0/],
  ['a payment with a number for its value', updated({ payments: [{ ...aPayment, value: 9 }] }), /\/value/],
  ['a delivery with one member of fifteen', updated({ deliveryCollection: { type: 1 } }), /deliveryColl/],
  [
    'a completion of what is incomplete',
    updated({ payments: [aPayment] }, { 'detail-type': 'TransactionCompleted' }),
    /\/detail\/status/,
  ],
];
test.each(refused)('S-14 a message may not have %s', (_, message, fault) => {
  expect(checkMessage(message).join('\n')).toMatch(fault);
});
