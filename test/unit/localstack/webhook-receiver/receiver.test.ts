import { describe, expect, test } from '@jest/globals';
import { decideLink } from '../../../../localstack/webhook-receiver/chain.ts';
import { receivedLine } from '../../../../localstack/webhook-receiver/line.ts';
import { readHeaders, readMessage } from '../../../../localstack/webhook-receiver/message.ts';
import { acceptedAfter, isAccepted } from '../../../../localstack/webhook-receiver/signature.ts';

const update = (detail: object = {}) => ({
  version: '0',
  id: '0c9b3f5e-3c77-5a55-9d7b-0d6a2e3a4a10',
  'detail-type': 'TransactionUpdated',
  source: 'svc.local.online-payments',
  detail: { ndMeta: {}, uuid: '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11-0000', status: 0, ...detail },
});
const messageOf = (message: object) => {
  const read = readMessage(JSON.stringify(message));
  if (!read.ok) throw new Error(read.reason);
  return read.value;
};

describe('what the demo receiver takes for a message (interface 6.2)', () => {
  test('the elements are what detail has beside ndMeta, uuid and status', () => {
    const { id, type, source, uuid, elements } = messageOf(update({ extras: null, customer: { a: 1 } }));

    expect({ id, type, source, uuid }).toEqual({
      id: '0c9b3f5e-3c77-5a55-9d7b-0d6a2e3a4a10',
      type: 'TransactionUpdated',
      source: 'svc.local.online-payments',
      uuid: '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11-0000',
    });
    expect([...elements.keys()]).toEqual(['extras', 'customer']);
  });

  test.each([
    ['nope', 'not-json'],
    ['', 'not-json'],
    ['null', 'not-a-message'],
    ['[]', 'not-a-message'],
    [JSON.stringify({ ...update(), id: 7 }), 'not-a-message'],
    [JSON.stringify({ ...update(), source: undefined }), 'not-a-message'],
    [JSON.stringify({ ...update(), 'detail-type': undefined }), 'not-a-message'],
    [JSON.stringify({ ...update(), detail: undefined }), 'not-a-message'],
    [JSON.stringify({ ...update(), detail: { status: 0 } }), 'not-a-message'],
  ])('%s is none', (text, reason) => {
    expect(readMessage(text)).toEqual({ ok: false, reason });
  });

  test('a message of a type to come needs no transaction', () => {
    expect(messageOf({ ...update(), 'detail-type': 'WebhookTest', detail: {} }).uuid).toBeUndefined();
  });

  test('versions and omitted elements stand in the headers (EV-4, EV-9)', () => {
    const versions = { 'x-transaction-from-version': '3', 'x-transaction-version': '5' };

    expect(readHeaders({ ...versions, 'x-transaction-omitted': 'vehicle,extras' })).toEqual({
      range: { from: 3, to: 5 },
      omitted: ['vehicle', 'extras'],
    });
    expect(readHeaders({ ...versions, 'x-transaction-omitted': '' })).toEqual({
      range: { from: 3, to: 5 },
      omitted: [],
    });
    expect(readHeaders({ 'x-transaction-from-version': 'x', 'x-transaction-version': '5' })).toEqual({
      omitted: [],
    });
  });
});

describe('whose message it is (interface 5, TH-03)', () => {
  const old = { value: 'old' };
  const next = { value: 'new' };
  const ending = { value: 'old', untilMs: 601_000 };

  test.each([
    ['old', [old], true],
    ['other', [old], false],
    ['', [old], false],
    ['new', [old, next], true],
    ['old', [old, next], true],
    ['old', [next, ending], true],
    ['old', [next, { value: 'old', untilMs: 1000 }], false],
  ])('%j where %j counts, 1 s later: %j', (signature, accepted, isRight) => {
    expect(isAccepted(signature, accepted, 1000)).toBe(isRight);
  });

  test.each([
    ['nothing is announced', { signature: 'old' }, [old], [old]],
    ['an announced value counts from then on', { signature: 'old', announced: 'new' }, [old], [old, next]],
    ['announced again', { signature: 'old', announced: 'new' }, [old, next], [old, next]],
    [
      'the first event with it ends the former one in ten minutes',
      { signature: 'new' },
      [old, next],
      [next, ending],
    ],
    [
      'a test of the endpoint with it ends nothing',
      { signature: 'new', isTest: true },
      [old, next],
      [old, next],
    ],
    [
      'a late one with the former value changes nothing',
      { signature: 'old' },
      [next, ending],
      [next, ending],
    ],
    [
      'a test of the endpoint announces as well',
      { signature: 'old', announced: 'new', isTest: true },
      [old],
      [old, next],
    ],
  ])('I22 %s', (_, presented, accepted, after) => {
    expect(acceptedAfter({ announced: '', isTest: false, ...presented }, accepted, 1000)).toEqual(after);
  });
});

describe('the version chain of a transaction (EV-4)', () => {
  test.each([
    [undefined, { from: 0, to: 3 }, 'fits'],
    [undefined, { from: 1, to: 3 }, 'starts-in-the-middle'],
    [3, { from: 3, to: 4 }, 'fits'],
    [3, { from: 2, to: 4 }, 'fits'],
    [3, { from: 4, to: 5 }, 'gap'],
    [3, { from: 1, to: 3 }, 'older'],
  ])('known up to %j, an update of %j: %s', (known, range, link) => {
    expect(decideLink(known, range)).toBe(link);
  });
});

describe('the line at the console', () => {
  const at = new Date(2026, 10, 21, 14, 3, 9);
  const lineOf = (facts: Partial<Parameters<typeof receivedLine>[0]> = {}) =>
    receivedLine({
      at,
      partner: 'northgate-crm',
      message: messageOf(update({ customer: { first_name: 'Ann' }, payments: [] })),
      headers: { range: { from: 3, to: 5 }, omitted: [] },
      isDuplicate: false,
      link: 'fits',
      ...facts,
    });

  test('has time, partner, type, short uuid, elements and versions, and nothing that a customer typed', () => {
    expect(lineOf()).toBe(
      '14:03:09  northgate-crm  TransactionUpdated    5f3c1a52…  customer, payments removed  versions 3 → 5',
    );
  });

  test.each([
    [{ isDuplicate: true }, 'duplicate: known by its id'],
    [{ link: 'starts-in-the-middle' as const }, 'starts in the middle: read the API'],
    [{ link: 'gap' as const }, 'something is missing before it: read the API'],
    [{ link: 'older' as const }, 'late, a newer one was taken: passed over'],
    [
      { headers: { range: { from: 3, to: 5 }, omitted: ['vehicle', 'extras'] } },
      'thin, without vehicle, extras: read the API',
    ],
  ])('says what is to be known: %j', (facts, note) => {
    expect(lineOf(facts)).toBe(
      `14:03:09  northgate-crm  TransactionUpdated    5f3c1a52…  customer, payments removed  versions 3 → 5  ${note}`,
    );
  });

  test('EV-11 a deletion is said to be one', () => {
    expect(lineOf({ message: messageOf(update({ isDeleted: 1 })) })).toBe(
      '14:03:09  northgate-crm  TransactionUpdated    5f3c1a52…  deleted  versions 3 → 5',
    );
  });

  test('EV-3 a change without a listed element is one of own properties', () => {
    expect(lineOf({ message: messageOf(update()) })).toContain('  own properties  ');
  });

  test('a test of the endpoint is a line too', () => {
    const message = messageOf({ ...update(), 'detail-type': 'WebhookTest', detail: {} });

    expect(lineOf({ message })).toBe('14:03:09  northgate-crm  WebhookTest');
  });
});
