import { describe, expect, test } from '@jest/globals';
import { receivedLine } from '../../../../localstack/webhook-receiver/line.ts';
import type { Receipt } from '../../../../partner-kit/src/index.ts';

const at = new Date(2026, 10, 21, 14, 3, 9);
const received = (facts: Partial<Receipt> = {}): Receipt =>
  ({
    type: 'TransactionUpdated',
    uuid: '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11-0000',
    changed: ['customer', 'payments removed'],
    range: { from: 3, to: 5 },
    omitted: [],
    outcome: 'applied',
    link: 'fits',
    message: { detail: { customer: { first_name: 'Ann' } } },
    ...facts,
  }) as Receipt;
const lineOf = (facts: Partial<Receipt> = {}) => receivedLine(at, 'northgate-crm', received(facts));

describe('the line at the console', () => {
  test('has time, partner, type, short uuid, elements and versions, and nothing that a customer typed', () => {
    expect(lineOf()).toBe(
      '14:03:09  northgate-crm  TransactionUpdated    5f3c1a52…  customer, payments removed  versions 3 → 5',
    );
  });

  test.each<[Partial<Receipt>, string]>([
    [{ outcome: 'duplicate', link: undefined }, 'duplicate: its id is known'],
    [{ link: 'starts-in-the-middle' }, 'new for this partner: read the API'],
    [{ link: 'gap' }, 'an earlier event is missing: read the API'],
    [{ outcome: 'older', link: 'older' }, 'late: a newer event was accepted, so it is ignored'],
    [{ link: 'older' }, 'late: only what no newer event has was accepted'],
    [{ omitted: ['vehicle', 'extras'] }, 'too large, without vehicle, extras: read the API'],
  ])('says what is to be known: %j', (facts, note) => {
    expect(lineOf(facts)).toBe(
      `14:03:09  northgate-crm  TransactionUpdated    5f3c1a52…  customer, payments removed  versions 3 → 5  ${note}`,
    );
  });

  test('EV-3 EV-4 what brings no element is of properties of the transaction, or its owner, and may be new to the partner', () => {
    expect(lineOf({ changed: [], link: 'starts-in-the-middle' })).toBe(
      '14:03:09  northgate-crm  TransactionUpdated    5f3c1a52…  properties of the transaction, or its owner  versions 3 → 5  new for this partner: read the API',
    );
  });

  test('EV-9 one whose only change was omitted is no move, and is sent to the API once where it is new too', () => {
    const facts = { type: 'TransactionCompleted', changed: [], omitted: ['payments'] };

    expect(lineOf({ ...facts, link: undefined })).toBe(
      '14:03:09  northgate-crm  TransactionCompleted  5f3c1a52…  versions 3 → 5  too large, without payments: read the API',
    );
    expect(lineOf({ ...facts, link: 'starts-in-the-middle' })).toBe(
      '14:03:09  northgate-crm  TransactionCompleted  5f3c1a52…  versions 3 → 5  new for this partner, too large, without payments: read the API',
    );
  });

  test.each<Partial<Receipt>>([{ link: 'starts-in-the-middle' }, { link: 'gap' }, { link: 'fits' }])(
    'EV-11 a deletion is gone, and nobody is sent to read what answers 404: %j',
    (facts) => {
      expect(lineOf({ changed: ['deleted'], isDeletion: true, ...facts })).toBe(
        '14:03:09  northgate-crm  TransactionUpdated    5f3c1a52…  deleted  versions 3 → 5  deleted: nothing to read',
      );
    },
  );

  test('a test of the endpoint is a line too', () => {
    expect(lineOf({ type: 'WebhookTest', outcome: 'passed-by' })).toBe(
      '14:03:09  northgate-crm  WebhookTest',
    );
  });
});
