import { describe, expect, test } from '@jest/globals';
import { toChange } from '../../../../../../functions/shared/domain/transaction/change.ts';
import {
  isEmptyCheckout,
  notifyFromVersionAfter,
  sendsContent,
} from '../../../../../../functions/shared/domain/transaction/empty-checkout.ts';

describe('EV-10 V1-8 a body', () => {
  test.each([
    { extras: {} },
    { financeDefaults: null },
    { isDeleted: 1 },
    { incentive: false },
    { guestEmail: 'a@b.example' },
    { location: 'south', incentive: true },
  ])('%j has content', (body) => {
    expect(sendsContent(toChange('merge', body))).toBe(true);
  });

  test.each([{}, { location: 'south' }, { franchise: 'F2' }, { location: 'south', franchise: 'F2' }])(
    '%j has only a location',
    (body) => {
      expect(sendsContent(toChange('merge', body))).toBe(false);
    },
  );
});

describe('EV-10 a checkout without content', () => {
  const of = (session: string | undefined, version: number, notifyFromVersion: number) => ({
    ...(session !== undefined && { session }),
    ...{ version, notifyFromVersion },
  });

  test.each([
    ['as it began', of('s', 1, 2), true],
    ['after moves', of('s', 4, 5), true],
    ['no more after anything else', of('s', 2, 2), false],
    ['never when it began with something', of('s', 1, 1), false],
    ['never when it was imported', of(undefined, 1, 2), false],
  ])('%s', (_, stored, expected) => {
    expect(isEmptyCheckout(stored)).toBe(expected);
  });
});

describe('EV-10 the first version that partners are notified of', () => {
  const silent = { session: 's', version: 3, notifyFromVersion: 4 };

  test.each([
    ['its session moves it: the next one', silent, true, 5],
    ['anything else is sent: this one', silent, false, 4],
    ['a move after something was sent is a change', { ...silent, notifyFromVersion: 2 }, true, 2],
    ['an import changes for the first time: this one', { version: 3, notifyFromVersion: 4 }, true, 4],
  ])('%s', (_, before, staysEmpty, expected) => {
    expect(notifyFromVersionAfter(before, { version: 4 }, { staysEmpty })).toBe(expected);
  });
});
