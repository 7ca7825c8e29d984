import { eventExample } from './events.ts';
import { eventId } from './messages.ts';
import { complete } from './transactions.ts';
import { eventAddress, eventCursorExample } from './values.ts';

export const newReplayExample = { since: '2026-11-22T06:00:00Z', state: 'failed' };

/** The same for the next hundred, of one transaction. */
export const nextReplayExample = {
  ...newReplayExample,
  ...{ type: 'TransactionUpdated', transaction: complete.uuid, after: eventCursorExample },
};

const replayedEvent = {
  ...{ id: eventId, type: 'TransactionUpdated', transaction: complete.uuid },
  ...{ fromVersion: 3, toVersion: 5, outcome: 'scheduled', standsFor: [], newerVersion: null },
};

export const replayAnswerExample = { data: [replayedEvent], next: null };

/** An event with later ones after it. */
export const olderReplayedExample = { data: [{ ...replayedEvent, newerVersion: 8 }], next: null };

/** None of a hundred events was to be sent, and there are more. */
export const partReplayedExample = { data: [], next: nextReplayExample };

const { timeline: _timeline, message: _message, ...facts } = eventExample as Record<string, unknown>;

export const webhookTestExample = {
  ...facts,
  ...{ type: 'WebhookTest', transaction: null, fromVersion: 0, toVersion: 0, state: 'waiting' },
  meaning: 'It is about to be sent.',
  nextAttemptAt: '2026-11-22T09:33:00.000Z',
  _links: { self: { href: eventAddress } },
};
