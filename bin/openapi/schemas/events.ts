import { z } from 'zod';
import { messageTypes, testEventType } from '../../../functions/shared/domain/event/event.ts';
import { largestPerPage } from '../../../functions/shared/domain/query/parameters.ts';
import { eventStates } from '../../../functions/shared/events/states.ts';
import { transactionUuid } from './event-message.ts';
import { href } from './links.ts';
import { named } from './named.ts';

const version = z.int().min(0);
const timeOrNull = (what: string) => z.iso.datetime().nullable().describe(`${what} ISO 8601, UTC.`);

const id = z.uuid().describe('Id of the event. Its message has the same one.');
export const eventType = z
  .enum(messageTypes)
  .describe('The type of event: a change, a completion, or a test of your webhook.');
export const eventState = z.enum(eventStates);

const event = named(
  z.strictObject({
    id: id
      .nullable()
      .describe('Id of the event. Its message has the same one. Null where it is made when it is sent.'),
    type: eventType,
    transaction: transactionUuid.nullable().describe('The transaction of the event; null for a test.'),
    fromVersion: version.describe(
      'The event covers the changes after this version of the transaction, up to and including `toVersion`.',
    ),
    toVersion: version
      .nullable()
      .describe(
        'The last version of the transaction that the event covers. Null while an update waits: it will be the present one.',
      ),
    at: timeOrNull('When it was sent, failed or was withheld; null while it waits.'),
    state: eventState.describe('What became of it.'),
    reason: z
      .string()
      .nullable()
      .describe('Code of the reason: `HTTP_503`, `TIMEOUT`. Null if there is none.'),
    meaning: z.string().describe('The state and the reason as sentences.'),
    nextAttemptAt: timeOrNull(
      'When it is sent next. Null if nothing is planned: then it is sent with the next event of the transaction, when your webhook is on again, or when you replay what failed.',
    ),
    keptUntil: timeOrNull('When it ends without being sent. Null if it does not.'),
  }),
  'Event',
  { description: 'A sending to your endpoint, or what is still to be sent.' },
);

const link = (description: string) => z.strictObject({ href }).describe(description);

export const webhookTestAnswer = named(
  z.strictObject({
    id,
    type: z.literal(testEventType).describe('The type of message.'),
    state: z.literal('waiting').describe('It is about to be sent.'),
    _links: z
      .strictObject({ events: link('Your events; the newest test shows what became of it.') })
      .describe('Where the result is.'),
  }),
  'WebhookTestAnswer',
  { description: 'A test that is about to be sent.' },
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
