import { expect, test } from '@jest/globals';
import type { Delivery } from '../../../../../../functions/shared/domain/event/delivery.ts';
import { isOnItsWay, isUnnoted } from '../../../../../../functions/shared/domain/event/new-delivery.ts';
import { anUnnotedDelivery, claimedAtMs } from '../../../../../support/builders/events.ts';

const { timeline } = anUnnotedDelivery();
const refused: Partial<Delivery> = {
  timeline: [...timeline, { atMs: claimedAtMs, step: 'refused' }],
};

test.each<[string, Partial<Delivery>, boolean]>([
  ['was claimed', {}, true],
  ['was refused once', refused, false],
  ['is due by itself', { dueAtMs: claimedAtMs }, false],
  ['is held', { state: 'HELD' }, false],
])('I16 whether nothing is noted of a delivery that %s', (_, values, isSo) => {
  expect(isUnnoted(anUnnotedDelivery(values))).toBe(isSo);
});

test.each<[string, Partial<Delivery>, boolean, boolean]>([
  ['was claimed', {}, true, false],
  ['was refused once', refused, true, true],
  ['is due by itself', { dueAtMs: claimedAtMs }, true, true],
  ['was accepted', { state: 'ACCEPTED' }, false, false],
])('I16 what %s is on its way, within an hour of its claim and later', (_, values, before, later) => {
  const delivery = anUnnotedDelivery(values);
  const hourMs = 60 * 60 * 1000;

  expect(isOnItsWay(delivery, claimedAtMs + hourMs - 1)).toBe(before);
  expect(isOnItsWay(delivery, claimedAtMs + hourMs)).toBe(later);
});
