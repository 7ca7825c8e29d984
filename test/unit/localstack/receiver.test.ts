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
const both = 'customer, payments removed  versions 3 → 5';

test.each<[object, string]>([
  [{}, both],
  [{ outcome: 'duplicate', link: undefined }, `${both}  duplicate`],
  [{ link: 'starts-in-the-middle' }, `${both}  starts in the middle`],
  [{ link: 'gap' }, `${both}  gap`],
  [{ outcome: 'older', link: 'older' }, `${both}  older`],
  [{ omitted: ['vehicle', 'extras'] }, `${both}  too large, so without vehicle, extras`],
  [completed, 'versions 3 → 5  too large, so without payments'],
  [{ changed: ['deleted'], isDeletion: true }, 'deleted  versions 3 → 5'],
])('EV-3 EV-4 EV-9 EV-11 the demo receiver says of a message with %j: %s', (facts, said) => {
  const type = 'type' in facts ? 'TransactionCompleted' : 'TransactionUpdated  ';

  expect(lineOf(facts)).toBe(`northgate-crm  ${type}  5f3c1a52…  ${said}`);
});

test('RUN-1 a test of the endpoint is a line of the demo receiver, too', () => {
  expect(
    lineOf({ type: 'WebhookTest', outcome: 'passed-by', uuid: undefined, changed: [], range: undefined }),
  ).toBe('northgate-crm  WebhookTest');
});
