import { z } from 'zod';
import { replaySchema } from '../../../functions/v2-partner/replay-request.ts';
import { eventFacts, eventId, eventType } from './events.ts';
import { selfLinks } from './links.ts';
import { describeMembers, named } from './named.ts';

export const newReplay = named(replaySchema, 'NewReplay', {
  description: 'Which events to replay: everything since a time, narrowed by the other members.',
});

describeMembers(replaySchema, {
  since:
    'Replay events created at this time or later. It is in UTC, and ends with `Z` or `+00:00`: `2026-11-22T12:00:00Z`.',
  type: 'Replay only events of this type.',
  state: 'Replay only events in this state: `failed` for what your endpoint did not accept.',
  transaction: 'Replay only events of the transaction with this uuid.',
  after: 'From `next` of the answer before. Do not construct it: send `next` as it is.',
});

const replayedEvent = named(
  z.strictObject({
    id: eventId,
    type: eventType,
    transaction: eventFacts.transaction,
    fromVersion: eventFacts.fromVersion,
    toVersion: eventFacts.toVersion,
    outcome: z
      .enum(['scheduled', 'underway', 'expired'])
      .describe(
        '`scheduled`: sent within ten seconds, or together with a newer change that is about to be sent. If something newer was sent since, the event has a new ID. `underway`: it was about to be sent anyway. `expired`: its message is no longer kept.',
      ),
    standsFor: z.array(eventId).describe('Events that this one covers. They are not sent separately.'),
    newerVersion: z
      .int()
      .nullable()
      .describe('The newer version that you were already sent; null if this event is the newest.'),
  }),
  'ReplayedEvent',
  { description: 'An event that is replayed.' },
);

export const replayAnswer = named(
  z.strictObject({
    data: z.array(replayedEvent).describe('The events that are replayed; empty without `nop2/read`.'),
    next: z
      .looseObject({
        since: z.string().describe('The same time as in your request.'),
        after: z.string().describe('Where the next request continues. Send it back as it is.'),
      })
      .nullable()
      .describe('The body of the next request; null at the end.'),
  }),
  'ReplayAnswer',
  { description: 'The events that are replayed.' },
);

export const webhookTestAnswer = named(
  z.strictObject({
    ...eventFacts,
    _links: selfLinks('The event of the test, which shows what became of it.'),
  }),
  'WebhookTestAnswer',
  { description: 'The event of a test that is about to be sent.' },
);
