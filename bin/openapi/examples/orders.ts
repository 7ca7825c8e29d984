import { addresses } from './addresses.ts';
import { eventId } from './messages.ts';
import { complete } from './transactions.ts';

export const replaySinceExample = { since: '2026-11-22T06:00:00Z' };

/** Of one transaction. */
export const narrowReplayExample = {
  ...replaySinceExample,
  ...{ type: 'TransactionUpdated', transaction: complete.uuid },
};

export const replayFailedExample = { state: 'failed' };

export const replayAnswerExample = { since: '2026-11-22T06:00:00.000Z', until: '2026-11-22T09:35:00.000Z' };
export const failedAnswerExample = { ...replayAnswerExample, since: null };

export const webhookTestExample = {
  ...{ id: eventId, type: 'WebhookTest', state: 'waiting' },
  _links: { events: { href: `${addresses.baseUrl}/v2/event` } },
};
