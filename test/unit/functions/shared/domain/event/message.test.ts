import { describe, expect, test } from '@jest/globals';
import {
  type EventElementName,
  eventElementNames,
  eventIdOf,
} from '../../../../../../functions/shared/domain/event/event.ts';
import { renderMessages } from '../../../../../../functions/shared/domain/event/message.ts';
import type { Transaction } from '../../../../../../functions/shared/domain/transaction/transaction.ts';
import { messageIn, origin } from '../../../../../support/builders/sent-events.ts';
import { anOwner, aTransaction } from '../../../../../support/builders/transactions.ts';
import { aWholeDelivery, aWholePayment } from '../../../../../support/builders/whole-elements.ts';

const facts = (elements: readonly EventElementName[]) => ({
  eventId: '82798bdc-1481-597d-b485-d6457b82d406',
  type: 'TransactionUpdated' as const,
  publishedAt: new Date('2026-11-21T12:00:00.999Z'),
  elements,
});
const render = (values: Partial<Transaction>, elements: readonly EventElementName[]) =>
  renderMessages(facts(elements), aTransaction(values), origin);
const detailOf = (values: Partial<Transaction>, elements: readonly EventElementName[]) =>
  messageIn(render(values, elements).bodies.plain).detail;

describe('interface 6.2 message', () => {
  test('I10 has nine properties in the order of the interface, with its time in whole seconds', () => {
    const { detail, ...rest } = messageIn(render({}, []).bodies.plain);

    expect(Object.entries(rest)).toEqual([
      ['version', '0'],
      ['id', '82798bdc-1481-597d-b485-d6457b82d406'],
      ['detail-type', 'TransactionUpdated'],
      ['source', 'svc.local.online-payments'],
      ['account', '000000000000'],
      ['time', '2026-11-21T12:00:00Z'],
      ['region', 'eu-west-2'],
      ['resources', []],
    ]);
    expect(Object.keys(detail)).toEqual(['uuid', 'status', 'ndMeta']);
  });

  test('EV-3 without an element it has only uuid, status and ndMeta', () => {
    const { uuid, ndMeta } = aTransaction();

    expect(detailOf({ guestEmail: 'a@example.org', extras: [{ id: 1 }] }, [])).toEqual({
      uuid,
      status: 0,
      ndMeta,
    });
  });

  test('SHAPE-1 its elements are complete, as in a response', () => {
    const imported = {
      ndMeta: anOwner({ groupSoftware: null }),
      deliveryCollection: { type: 2 },
      payments: [{ id: 7, token: 'tok_1' }],
    };
    const { bodies } = render(imported, ['deliveryCollection', 'payments']);

    const notified = messageIn(bodies.plain).detail;

    expect(notified.ndMeta).toEqual({
      group: 'group-a',
      franchise: 'franchise-a',
      branch: 'Branch A',
      location: 'location-a',
      groupSoftware: '',
    });
    expect(notified.deliveryCollection).toEqual(aWholeDelivery({ type: 2 }));
    expect(notified.payments).toEqual([aWholePayment({ id: 7 })]);
    expect(messageIn(bodies.tokens ?? '').detail.payments).toEqual([
      aWholePayment({ id: 7, token: 'tok_1' }),
    ]);
  });

  test('EV-11 of a deleted transaction has only uuid, status, isDeleted and ndMeta', () => {
    const notified = detailOf({ isDeleted: 1, customer: { firstName: 'A' }, guestEmail: 'a@b.example' }, []);

    expect(Object.keys(notified)).toEqual(['uuid', 'status', 'isDeleted', 'ndMeta']);
    expect(notified.isDeleted).toBe(1);
  });

  test('I5 has the changed elements, and nothing else', () => {
    const notified = detailOf({ customer: { firstName: 'A' }, vehicle: { make: 'B' } }, ['customer']);

    expect(notified.customer).toEqual({ firstName: 'A' });
    expect(notified).not.toHaveProperty('vehicle');
  });

  test('EV-9 a removed element is null, and removed payments are []', () => {
    const notified = detailOf({}, eventElementNames);

    expect(eventElementNames.map((name) => [name, notified[name]])).toEqual([
      ['vehicle', null],
      ['extras', null],
      ['deliveryCollection', null],
      ['financeProposal', null],
      ['valuation', null],
      ['customer', null],
      ['payments', []],
    ]);
  });

  test('TH-08 SHOW-1 payment tokens are in a separate body, and only if there are any', () => {
    const { bodies } = render({ payments: [{ id: 1, token: 'tok_secret' }] }, ['payments']);

    expect(bodies.plain).not.toContain('tok_secret');
    expect(bodies.tokens).toContain('"token":"tok_secret"');
    expect(render({ payments: [{ id: 1, token: null }] }, ['payments']).bodies).not.toHaveProperty('tokens');
  });
});

describe('EV-9 a message that is too large', () => {
  const largest = 59_000;
  const empty = Buffer.byteLength(render({ vehicle: { text: '' } }, ['vehicle']).bodies.plain);
  const filled = (bytes: number) => ({ text: 'x'.repeat(bytes) });

  test('a message of 59,000 bytes is complete, and a longer one lacks elements', () => {
    const whole = render({ vehicle: filled(largest - empty) }, ['vehicle']);
    const thin = render({ vehicle: filled(largest - empty + 1) }, ['vehicle']);

    expect([Buffer.byteLength(whole.bodies.plain), whole.omitted]).toEqual([largest, []]);
    expect(thin.omitted).toEqual(['vehicle']);
    expect(Object.keys(messageIn(thin.bodies.plain).detail)).toEqual(['uuid', 'status', 'ndMeta']);
  });

  test('the largest elements are left out whole, and no more than necessary', () => {
    const values = { vehicle: filled(30_000), customer: filled(40_000), valuation: filled(20_000) };

    const { bodies, omitted } = render(values, ['vehicle', 'valuation', 'customer']);

    expect(omitted).toEqual(['customer']);
    expect(messageIn(bodies.plain).detail).toMatchObject({
      vehicle: values.vehicle,
      valuation: values.valuation,
    });
  });

  test('bytes count, not characters', () => {
    expect(render({ vehicle: { text: 'é'.repeat(30_000) } }, ['vehicle']).omitted).toEqual(['vehicle']);
  });

  test('with and without tokens the same elements are left out, since one header names them', () => {
    const { bodies, omitted } = render({ payments: [{ id: 1, token: 'x'.repeat(60_000) }] }, ['payments']);

    expect([omitted, bodies.tokens]).toEqual([['payments'], undefined]);
  });
});

describe('EV-6 the id of an event', () => {
  const range = { from: 1, to: 2 };
  const id = (stage: string, type: 'TransactionUpdated' | 'TransactionCompleted', uuid: string, to = 2) =>
    eventIdOf(stage, type, uuid, { ...range, to });

  test('is a UUIDv5 that never changes', () => {
    expect(id('production', 'TransactionUpdated', 'u')).toBe('ff6700b8-be90-56cd-9b67-5f457be29d66');
  });

  test('differs by environment, type, transaction and each end of the range', () => {
    const ids = [
      id('production', 'TransactionUpdated', 'u'),
      id('staging', 'TransactionUpdated', 'u'),
      id('production', 'TransactionCompleted', 'u'),
      id('production', 'TransactionUpdated', 'v'),
      id('production', 'TransactionUpdated', 'u', 3),
      eventIdOf('production', 'TransactionUpdated', 'u', { from: 0, to: 2 }),
    ];

    expect(new Set(ids).size).toBe(6);
  });
});
