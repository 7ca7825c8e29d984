import { renderMessages, renderTestMessage } from '../../../functions/shared/domain/event/message.ts';
import { configOf } from '../../../lib/config.ts';
import { paidTransaction } from './payments.ts';
import { complete } from './transactions.ts';

const origin = { source: 'svc.production.online-payments', region: configOf('production').region };
const publishedAt = new Date('2026-11-22T09:33:00Z');
export const eventId = 'e2ae2d5f-22a0-5c9c-8a0b-0f2e6f3bb0b1';

const rendered = (
  facts: Pick<Parameters<typeof renderMessages>[0], 'type' | 'elements'>,
  transaction = complete,
) => JSON.parse(renderMessages({ ...facts, eventId, publishedAt }, transaction, origin).bodies.plain);

export const updatedExample = rendered({
  type: 'TransactionUpdated',
  elements: ['deliveryCollection', 'customer'],
});

export const deletedExample = rendered(
  { type: 'TransactionUpdated', elements: [] },
  { ...complete, isDeleted: 1 },
);

export const completedExample = rendered(
  { type: 'TransactionCompleted', elements: ['payments'] },
  paidTransaction,
);

export const testExample = JSON.parse(renderTestMessage({ id: eventId, publishedAt }, origin));
