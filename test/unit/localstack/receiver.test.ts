import { expect, test } from '@jest/globals';
import { receivedLine } from '../../../localstack/embedded/receiver.ts';
import type { Receipt } from '../../../partner-kit/src/index.ts';

const received = {
  type: 'TransactionUpdated',
  uuid: '5f3c1a52-9f0a-4f6e-8a39-0a4d3a7f2b11-0000',
  changed: ['customer', 'payments removed'],
  range: { from: 3, to: 5 },
  omitted: [],
  outcome: 'applied',
  link: 'fits',
  message: { detail: { customer: { first_name: 'Ann' } } },
};
/** Without the time of day at its beginning. */
const lineOf = (facts: object) =>
  receivedLine('northgate-crm', { ...received, ...facts } as unknown as Receipt).replace(
    /^\d\d:\d\d:\d\d {2}/,
    '',
  );

const completed = { type: 'TransactionCompleted', changed: [], omitted: ['payments'], link: undefined };
const deleted = { changed: ['deleted'], isDeletion: true };
const both = 'customer, payments removed  versions 3 → 5';
const own = 'properties of the transaction, or its owner  versions 3 → 5';
const gone = 'deleted  versions 3 → 5  deleted: nothing to read';

// An omitted element is no move, and nobody is sent to read a deleted transaction, which answers 404.
test.each<[object, string]>([
  [{}, both],
  [{ outcome: 'duplicate', link: undefined }, `${both}  duplicate: its id is known`],
  [{ link: 'starts-in-the-middle' }, `${both}  new for this partner: read the API`],
  [{ link: 'gap' }, `${both}  an earlier event is missing: read the API`],
  [{ outcome: 'older', link: 'older' }, `${both}  late: a newer event was accepted, so it is ignored`],
  [{ link: 'older' }, `${both}  late: only elements without a newer value were accepted`],
  [{ omitted: ['vehicle', 'extras'] }, `${both}  too large, without vehicle, extras: read the API`],
  [{ changed: [], link: 'starts-in-the-middle' }, `${own}  new for this partner: read the API`],
  [completed, 'versions 3 → 5  too large, without payments: read the API'],
  [
    { ...completed, link: 'starts-in-the-middle' },
    'versions 3 → 5  new for this partner, too large, without payments: read the API',
  ],
  [deleted, gone],
  [{ ...deleted, link: 'starts-in-the-middle' }, gone],
  [{ ...deleted, link: 'gap' }, gone],
])('EV-3 EV-4 EV-9 EV-11 the demo receiver says of a message with %j: %s', (facts, said) => {
  const type = 'type' in facts ? 'TransactionCompleted' : 'TransactionUpdated  ';

  expect(lineOf(facts)).toBe(`northgate-crm  ${type}  5f3c1a52…  ${said}`);
});

test('RUN-1 a test of the endpoint is a line of the demo receiver, too', () => {
  expect(lineOf({ type: 'WebhookTest', outcome: 'passed-by' })).toBe('northgate-crm  WebhookTest');
});
