import { z } from 'zod';
import { messageTypes } from '../../../functions/shared/domain/event/event.ts';
import { largestPerPage } from '../../../functions/shared/domain/query/parameters.ts';
import { shownSteps } from '../../../functions/v2-partner/event-body.ts';
import { eventStates } from '../../../functions/v2-partner/event-state.ts';
import { transactionUuid } from './event-message.ts';
import { href } from './links.ts';
import { messages } from './messages.ts';
import { named } from './named.ts';

const time = (what: string) => z.iso.datetime().describe(`${what}: ISO 8601, UTC.`);
const version = z.int().min(0);

export const eventId = z.uuid().describe('Id of the event. Its message has the same one.');
export const eventType = z
  .enum(messageTypes)
  .describe('The type of event: a change, a completion, or a test of your webhook.');
export const eventState = z.enum(eventStates);

/** An event in a list. */
export const eventFacts = {
  id: eventId,
  type: eventType,
  transaction: transactionUuid.nullable().describe('The transaction of the event; null for a test.'),
  fromVersion: version.describe(
    'The event covers the changes after this version of the transaction, up to and including `toVersion`.',
  ),
  toVersion: version.describe('The last version of the transaction that the event covers.'),
  createdAt: time('When the event was created'),
  state: eventState.describe('State of the delivery to your endpoint.'),
  reason: z.string().nullable().describe('Code of the reason: `HTTP_503`, `TIMEOUT`. Null if there is none.'),
  meaning: z.string().describe('The state and the reason in a sentence.'),
  nextAttemptAt: z.iso
    .datetime()
    .nullable()
    .describe('When it is sent next: ISO 8601, UTC. Null if nothing is planned.'),
};

const step = z.strictObject({
  at: time('When it happened'),
  step: z.enum(shownSteps).describe('What happened to the event on its way to your endpoint.'),
  note: z
    .string()
    .nullable()
    .describe('What your endpoint did: `HTTP 503`. Null if there is nothing to add.'),
});

const link = (description: string) => z.strictObject({ href }).describe(description);

const event = named(z.strictObject(eventFacts), 'Event', {
  description: 'A message to your endpoint, and what became of it.',
});

export const eventWithMessage = named(
  z.strictObject({
    ...eventFacts,
    timeline: z.array(step).describe('What happened to the event, oldest first.'),
    message: z
      .union(Object.values(messages))
      .nullable()
      .describe('What your endpoint was sent, to the byte; null if it is no longer kept.'),
  }),
  'EventWithMessage',
  { description: 'An event with its timeline and its message.' },
);

export const eventList = named(
  z.strictObject({
    data: z.array(event).max(largestPerPage).describe('The events of this page, the newest first.'),
    _links: z
      .strictObject({
        self: link('The page that you have read.'),
        first: link('The page of the newest events.'),
        next: link('The page of older events, if there are any.').optional(),
      })
      .describe('Where other pages are.'),
    _meta: z
      .strictObject({
        perPage: z.int().min(1).max(largestPerPage).describe('How many events a full page holds.'),
      })
      .describe('Size of a page. There are no totals.'),
  }),
  'EventList',
  { description: 'One page of events, newest first.' },
);
