import { z } from 'zod';
import { messageTypes } from '../../../functions/shared/domain/event/event.ts';
import { largestPerPage } from '../../../functions/shared/domain/query/parameters.ts';
import { shownSteps } from '../../../functions/v2-partner/event-body.ts';
import { eventStates } from '../../../functions/v2-partner/event-state.ts';
import { transactionUuid } from './event-message.ts';
import { messages } from './messages.ts';
import { named } from './named.ts';

const time = z.iso.datetime().describe('ISO 8601, UTC.');
const version = z.int().min(0);

export const eventId = z.uuid().describe('Id of the event, and of its message.');
export const eventType = z.enum(messageTypes);
export const eventState = z.enum(eventStates);

/** What lists show of an event. */
export const eventFacts = {
  id: eventId,
  type: eventType,
  transaction: transactionUuid
    .nullable()
    .describe('The transaction that it is about; null where it is about none.'),
  fromVersion: version.describe('It covers the versions of the transaction after this one,'),
  toVersion: version.describe('up to and including this one.'),
  createdAt: time,
  state: eventState.describe('Where it is on its way to your endpoint.'),
  reason: z
    .string()
    .nullable()
    .describe('Why it is there, by a word that stays the same: `HTTP_503`, `TIMEOUT`.'),
  meaning: z.string().describe('The state and the reason in a sentence.'),
  nextAttemptAt: time.nullable().describe('When it is tried again.'),
};

const step = z.strictObject({
  at: time,
  step: z.enum(shownSteps),
  note: z.string().nullable(),
});

const link = (description: string) => z.strictObject({ href: z.url() }).describe(description);

const event = named(z.strictObject(eventFacts), 'Event', {
  description: 'A message that was or is being sent to you, and what became of it.',
});

export const eventWithMessage = named(
  z.strictObject({
    ...eventFacts,
    timeline: z.array(step).describe('What happened to it, oldest first.'),
    message: z
      .union(Object.values(messages))
      .nullable()
      .describe('What your endpoint was sent, to the byte; null where it is not kept any more.'),
  }),
  'EventWithMessage',
  { description: 'An event with its timeline and its message.' },
);

export const eventList = named(
  z.strictObject({
    data: z.array(event).max(largestPerPage),
    _links: z.strictObject({
      self: link('This page.'),
      first: link('The newest page.'),
      next: link('The page of older ones, if there are any.').optional(),
    }),
    _meta: z.strictObject({ perPage: z.int().min(1).max(largestPerPage) }),
  }),
  'EventList',
  { description: 'One page of events, newest first. Without totals.' },
);
