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
import { complete, listHeaders, shown } from '../examples/transactions.ts';
import {
  correlationId,
  eventCursorExample,
  headerIn,
  idempotencyKey,
  listCursor,
} from '../examples/values.ts';
import { transactionUuid } from '../schemas/event-message.ts';
import { eventState, eventType } from '../schemas/events.ts';

const { uuid } = complete;
const owner = { location: complete.ndMeta?.location ?? '', franchise: complete.ndMeta?.franchise ?? '' };

/** A parameter of several operations, once in the document. */
const parameter = <Schema extends z.ZodType>(
  id: string,
  schema: Schema,
  description: string,
  example: string | number,
) => schema.meta({ param: { id, description, example } });

/** Limits of the gateway for the request line and for headers. */
const text = z.string().max(10_240);

const optional = (id: string, schema: z.core.SomeType, description: string, example: string | number) =>
  parameter(id, z.optional(schema), description, example);

export const correlation = {
  'X-Correlation-Id': optional(
    'X-Correlation-Id',
    text,
    'Your own ID for the request: up to 128 letters, digits, `_`, `.`, `:` and `-`. The answer repeats it. Any other value is ignored.',
    correlationId,
  ),
};

export const unlessTagged = {
  'If-None-Match': optional(
    'If-None-Match',
    text,
    'Tags that you have. The answer is 304 if one of them is the present one.',
    headerIn(listHeaders, 'ETag'),
  ),
};

export const ifTagged = {
  'If-Match': optional(
    'If-Match',
    text,
    'The `ETag` that you have. If the transaction has changed since, the answer is 412.',
    strongTag(3, JSON.stringify(shown(complete))),
  ),
};

export const idempotent = {
  'Idempotency-Key': optional(
    'Idempotency-Key',
    z.string().regex(/^[\x21-\x7e]{1,255}$/),
    'Makes a retry safe. For 24 hours, the same key with the same body gets the first answer, and nothing is done twice.',
    idempotencyKey,
  ),
};

/** A session gets its transaction as it is now, not the first answer (WR-1). */
export const idempotentInSession = {
  'Idempotency-Key': optional(
    'Idempotency-Key-in-session',
    z.string().regex(/^[\x21-\x7e]{1,255}$/),
    'Makes a retry safe. For 24 hours, the same key with the same body does nothing twice: the answer shows the transaction as it is now, with the status, `fields` and `expand` of the first answer. Ignored without a token.',
    idempotencyKey,
  ),
};

/** The transaction in an address (ID-1). */
export const uuidInPath = {
  uuid: parameter('uuid', transactionUuid, 'The uuid of the transaction.', uuid),
};

/** A malformed uuid is answered like an unknown one (V1-2). */
export const uuidInQuery = {
  uuid: optional('uuid.query', text, 'The uuid of one transaction of the session.', uuid),
};

export const selection = {
  expand: optional(
    'expand',
    text,
    `Related records to add, separated by commas: ${elementNames.join(', ')}. Other names are ignored.`,
    'vehicle,payments',
  ),
  fields: optional(
    'fields',
    text,
    'The only properties to show, separated by commas. `payments.value` is a property of a related record and also expands it. `*` means all at its level. Other names are ignored.',
    'uuid,status,payments.value',
  ),
};

const filterTexts: Record<ColumnName, [meaning: string, example: string]> = {
  uuid: ['The transaction with this uuid.', uuid],
  status: ['`1`: complete transactions, `0`: incomplete ones.', '1'],
  ndstockid: ['Transactions of the vehicle with this stock id.', 'ND100002'],
  salesmasterid: ['Transactions of the vehicle with this external id.', 'SM-700014'],
};

/** The filters of the service (FLT-1). */
export const filters = Object.fromEntries(
  columnNames.map((name) => {
    const { parameter, values }: Column = columns[name];
    const [meaning, example] = filterTexts[name];
    const schema = values ? z.enum(values.map(String)) : text.min(1);
    const id = parameter.replaceAll(/\[(\w+)\]/g, '.$1');
    return [
      parameter,
      optional(id, schema, `${meaning} You can combine filters, each at most once.`, example),
    ];
  }),
);

/** The filters of events, by the names of the function that parses them. */
export const eventFilters = {
  'filter[type]': optional('filter.type', eventType, 'Events of this type.', 'TransactionUpdated'),
  'filter[state]': optional(
    'filter.state',
    eventState,
    'Events in this state. `waiting` lists what is still to be sent.',
    'failed',
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
    'Events sent at this time or later; what waits has no time. It is in UTC, and ends with `Z` or `+00:00` (`%2B00:00` in a query): `2026-11-22T12:00:00Z`.',
    '2026-11-22T12:00:00Z',
  ),
};

/** The pages of `/docs`. */
export const pageInPath = {
  page: parameter(
    'docs.page',
    z.string().regex(/^[\w.-]{1,100}$/),
    'The name of a page: `start`, `problems.md`, `collection.json`.',
    'start',
  ),
};

/** The cursor of a list of events, which has no page numbers (V2-7). */
export const eventCursor = {
  after: optional(
    'event.after',
    text,
    'The cursor of a `next` link. Do not construct it: follow the link. A cursor of other filters or of another `per-page` is 422.',
    eventCursorExample,
  ),
};

export const paging = {
  page: optional(
    'page',
    z.int().min(1).max(largestPage).default(1),
    'The page, from 1. A value that is not a number counts as 1. A page past the end is empty.',
    2,
  ),
  'per-page': optional(
    'per-page',
    z.int().min(1).max(largestPerPage).default(defaultPerPage),
    `How many records a page holds, ${largestPerPage} at most. A value that is not a number counts as ${defaultPerPage}.`,
    25,
  ),
  after: optional(
    'after',
    text,
    'The cursor of a `next` link. Do not construct it: follow the link. A cursor of other parameters is ignored, and `page` counts.',
    listCursor,
  ),
};

/** The ownership that a checkout may claim (OWN-1). */
export const claim = {
  location: optional(
    'location',
    text,
    'The location of a new transaction. It must have a storefront that is registered for the `Origin` of the request.',
    owner.location,
  ),
  franchise: optional(
    'franchise',
    text,
    'The franchise at that location, if it has several.',
    owner.franchise,
  ),
};
