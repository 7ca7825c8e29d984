import { z } from 'zod';
import { replaySchema } from '../../../functions/v2-partner/replay-request.ts';
import { transactionUuid } from './event-message.ts';
import { eventFacts, eventId, eventType } from './events.ts';
import { named, tellOf } from './named.ts';

export const newReplay = named(replaySchema, 'NewReplay', {
  description: 'What to send again: everything since a time, narrowed as a list of events is.',
});

tellOf(replaySchema, {
  since: 'Events that were created at this time in UTC or later: `2026-11-22T12:00:00Z`.',
  type: 'Events of this type alone.',
  state: 'Events in this state alone: `failed` is what your endpoint did not take.',
  transaction: 'Events of the transaction with this uuid alone.',
  after: 'From `next` of the answer before. Do not make one yourself, send `next` as it is.',
});

const replayedEvent = named(
  z.strictObject({
    id: eventId,
    type: eventType,
    transaction: transactionUuid.nullable(),
    fromVersion: z.int().min(0),
    toVersion: z.int().min(0),
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
    data: z.array(replayedEvent).describe('What is sent; empty without `nop2/read`.'),
    next: z
      .looseObject({ since: z.string(), after: z.string() })
      .nullable()
      .describe('The body of the request that goes on; null at the end.'),
  }),
  'ReplayAnswer',
  { description: 'What is sent again.' },
);

export const webhookTestAnswer = named(
  z.strictObject({
    ...eventFacts,
    _links: z.strictObject({
      self: z.strictObject({ href: z.url() }).describe('Where you see what came of it.'),
    }),
  }),
  'WebhookTestAnswer',
  { description: 'A test that is about to be sent.' },
);
