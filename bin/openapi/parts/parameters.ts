import { z } from 'zod';
import {
  type Column,
  type ColumnName,
  columnNames,
  columns,
} from '../../../functions/shared/domain/listing/columns.ts';
import {
  defaultPerPage,
  largestPage,
  largestPerPage,
} from '../../../functions/shared/domain/query/parameters.ts';
import { elementNames } from '../../../functions/shared/domain/transaction/transaction.ts';
import { strongTag } from '../../../functions/shared/http/entity-tag.ts';
import { timeText } from '../../../functions/v2-partner/time-text.ts';
import { eventId as eventIdExample } from '../examples/messages.ts';
import { complete, listHeaders, shown } from '../examples/transactions.ts';
import {
  correlationId,
  eventCursorExample,
  headerIn,
  idempotencyKey,
  listCursor,
} from '../examples/values.ts';
import { transactionUuid } from '../schemas/event-message.ts';
import { eventId, eventState, eventType } from '../schemas/events.ts';

const { uuid } = complete;
const owner = { location: complete.ndMeta?.location ?? '', franchise: complete.ndMeta?.franchise ?? '' };

/** A parameter that several operations take, once in the document. */
const parameter = <Schema extends z.ZodType>(
  id: string,
  schema: Schema,
  description: string,
  example: string | number,
) => schema.meta({ param: { id, description, example } });

/** The gateway takes no longer request line, nor longer headers. */
const text = z.string().max(10_240);

const optional = (id: string, schema: z.core.SomeType, description: string, example: string | number) =>
  parameter(id, z.optional(schema), description, example);

export const correlation = {
  'X-Correlation-Id': optional(
    'X-Correlation-Id',
    text,
    'An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded.',
    correlationId,
  ),
};

export const unlessTagged = {
  'If-None-Match': optional(
    'If-None-Match',
    text,
    'Tags that you have: 304 if the answer would have one of them.',
    headerIn(listHeaders, 'ETag'),
  ),
};

export const ifTagged = {
  'If-Match': optional(
    'If-Match',
    text,
    'Write only if the transaction is in the version of this tag; otherwise 412.',
    strongTag(3, JSON.stringify(shown(complete))),
  ),
};

export const idempotent = {
  'Idempotency-Key': optional(
    'Idempotency-Key',
    z.string().regex(/^[\x21-\x7e]{1,255}$/),
    'Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice.',
    idempotencyKey,
  ),
};

/** The transaction of an address (ID-1). */
export const uuidInPath = {
  uuid: parameter('uuid', transactionUuid, 'The uuid of the transaction.', uuid),
};

/** Malformed ones are looked for, too, and not found (V1-2). */
export const uuidInQuery = {
  uuid: optional(
    'uuid.query',
    text,
    'The uuid of one transaction of the session: that one alone is answered.',
    uuid,
  ),
};

export const selection = {
  expand: optional(
    'expand',
    text,
    `Related records to add, with commas between them: ${elementNames.join(', ')}. Other names are ignored.`,
    'vehicle,payments',
  ),
  fields: optional(
    'fields',
    text,
    'The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored.',
    'uuid,status,payments.value',
  ),
};

const filterTexts: Record<ColumnName, [meaning: string, example: string]> = {
  uuid: ['The transaction with this uuid.', uuid],
  status: ['`1`: complete transactions, `0`: incomplete ones.', '1'],
  ndstockid: ['Transactions of the vehicle with this stock id.', 'ND100002'],
  salesmasterid: ['Transactions of the vehicle with this external id.', 'SM-700014'],
};

/** The filters that the service knows (FLT-1), and no other. */
export const filters = Object.fromEntries(
  columnNames.map((name) => {
    const { parameter, values }: Column = columns[name];
    const [meaning, example] = filterTexts[name];
    const schema = values ? z.enum(values.map(String)) : text.min(1);
    const id = parameter.replaceAll(/\[(\w+)\]/g, '.$1');
    return [
      parameter,
      optional(
        id,
        schema,
        `${meaning} Several filters narrow the list together; give each at most once.`,
        example,
      ),
    ];
  }),
);

/** The filters of events, in the words of the function that reads them. */
export const eventFilters = {
  'filter[type]': optional('filter.type', eventType, 'Events of this type.', 'TransactionUpdated'),
  'filter[state]': optional(
    'filter.state',
    eventState,
    'Events in this state; `meaning` in the answer says what each is.',
    'delivered',
  ),
  'filter[transaction]': optional(
    'filter.transaction',
    text.min(1),
    'Events of the transaction with this uuid.',
    uuid,
  ),
  'filter[since]': optional(
    'filter.since',
    timeText(''),
    'Events that were created at this time in UTC or later: `2026-11-22T12:00:00Z`.',
    '2026-11-22T12:00:00Z',
  ),
};

/** Which pages there are stands in `/docs`. */
export const pageInPath = {
  page: parameter(
    'docs.page',
    z.string().regex(/^[\w.-]{1,100}$/),
    'The name of a page: `start`, `problems.md`, `collection.json`.',
    'start',
  ),
};

export const eventIdInPath = { id: parameter('event.id', eventId, 'The id of the event.', eventIdExample) };

/** The cursor of a list of events, which has no page number to fall back to (V2-7). */
export const eventCursor = {
  after: optional(
    'event.after',
    text,
    'From a `next` link: where the page before ended, among the events of the same filters. Any other text is 422; do not make one yourself, follow the link.',
    eventCursorExample,
  ),
};

export const paging = {
  page: optional(
    'page',
    z.int().min(1).max(largestPage).default(1),
    'The page, from 1. What is no number counts as 1; a page past the end is empty.',
    2,
  ),
  'per-page': optional(
    'per-page',
    z.int().min(1).max(largestPerPage).default(defaultPerPage),
    `How many records a page holds. More than ${largestPerPage} count as ${largestPerPage}, what is no number as ${defaultPerPage}.`,
    25,
  ),
  after: optional(
    'after',
    text,
    'From a `next` link: where the page before ended. One that does not fit the other parameters is ignored, and `page` counts. Do not make one yourself, follow the link.',
    listCursor,
  ),
};

/** What a checkout may claim of ownership (OWN-1). */
export const claim = {
  location: optional(
    'location',
    text,
    'The location that a new transaction is for, of a storefront registered for the request’s `Origin`.',
    owner.location,
  ),
  franchise: optional(
    'franchise',
    text,
    'The franchise at that location, where it has several.',
    owner.franchise,
  ),
};
