import { z } from 'zod';
import { replaySchema } from '../../../functions/v2-partner/replay-request.ts';
import { eventFacts, eventId, eventType } from './events.ts';
import { selfLinks } from './links.ts';
import { named, tellOf } from './named.ts';

export const newReplay = named(replaySchema, 'NewReplay', {
  description: 'What to send again: everything since a time, narrowed as a list of events is.',
});

tellOf(replaySchema, {
  since: 'Send events that were created at this time in UTC or later: `2026-11-22T12:00:00Z`.',
  type: 'Send only events of this type.',
  state: 'Send only events in this state: `failed` is what your endpoint did not take.',
  transaction: 'Send only events of the transaction with this uuid.',
  after: 'From `next` of the answer before. Do not make one yourself, send `next` as it is.',
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
        '`scheduled`: sent within ten seconds, or after a newer change that is about to be sent; where something newer was sent since, as part of one event with an id of its own. `underway`: it was about to be sent anyway. `expired`: its message is not kept any more.',
      ),
    standsFor: z.array(eventId).describe('Events that this one tells, too; they are not sent by themselves.'),
    newerVersion: z
      .int()
      .nullable()
      .describe('The version that you were sent already, where this event is older than that.'),
  }),
  'ReplayedEvent',
  { description: 'An event that is sent again.' },
);

export const replayAnswer = named(
  z.strictObject({
    data: z.array(replayedEvent).describe('The events that are sent again; empty without `nop2/read`.'),
    next: z
      .looseObject({
        since: z.string().describe('The same time as in your request.'),
        after: z.string().describe('Where the next request goes on. Send it back as it is.'),
      })
      .nullable()
      .describe('The body of the request that goes on; null at the end.'),
  }),
  'ReplayAnswer',
  { description: 'What is sent again.' },
);

export const webhookTestAnswer = named(
  z.strictObject({
    ...eventFacts,
    _links: selfLinks('The event of the test, which says what came of it.'),
  }),
  'WebhookTestAnswer',
  { description: 'A test that is about to be sent.' },
);
