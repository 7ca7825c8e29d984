import { expect, test } from '@jest/globals';
import type { Delivery } from '../../../../../../functions/shared/domain/event/delivery.ts';
import { isPendingDelivery } from '../../../../../../functions/shared/domain/event/new-delivery.ts';
import { aPendingDelivery, claimedAtMs } from '../../../../../support/builders/events.ts';

const { timeline } = aPendingDelivery();
const refused: Partial<Delivery> = {
  timeline: [...timeline, { atMs: claimedAtMs, step: 'refused' }],
};

test.each<[string, Partial<Delivery>, boolean]>([
  ['was claimed', {}, true],
  ['was refused once', refused, false],
  ['is due by itself', { dueAtMs: claimedAtMs }, false],
  ['is held', { state: 'HELD' }, false],
])('I16 whether a delivery is pending that %s', (_, values, isSo) => {
  expect(isPendingDelivery(aPendingDelivery(values))).toBe(isSo);
});
