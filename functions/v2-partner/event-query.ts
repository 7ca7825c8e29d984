import { type MessageType, messageTypes } from '../shared/domain/event/event.ts';
import {
  type FieldError,
  type KnownFilters,
  oneOf,
  readKnownFilters,
} from '../shared/domain/query/filter.ts';
import type { QueryOutcome } from '../shared/domain/query/list-query.ts';
import { disguisedNames } from '../shared/domain/query/names.ts';
import {
  acceptParameters,
  lastValue,
  type QueryParameters,
  readPerPage,
} from '../shared/domain/query/parameters.ts';
import type { CursorSeal } from '../shared/http/cursor-seal.ts';
import type { DeliveryLogPosition } from '../shared/store/debounce/delivery-log-store.ts';
import { type EventState, eventStates, isEventState } from './event-state.ts';
import { readTime, timeForm } from './time-text.ts';

/** All conditions must hold (FLT-1). */
export type EventFilter = { type?: MessageType; state?: EventState; transaction?: string; sinceMs?: number };

/** A requested page of events, and the parameters that its links repeat. */
export type EventQuery = {
  filter: EventFilter;
  perPage: number;
  after?: DeliveryLogPosition;
  parameters: QueryParameters;
};

const knownFilters: KnownFilters<EventFilter> = new Map([
  ['filter[type]', (type): EventFilter | string => readType(type)],
  ['filter[state]', (state) => readState(state)],
  ['filter[transaction]', (transaction) => ({ transaction })],
  ['filter[since]', (text) => readSince(text)],
]);

const readType = (text: string): EventFilter | string => {
  const type = messageTypes.find((one) => one === text);
  return type ? { type } : `The filter must be ${oneOf(messageTypes)}.`;
};

const readState = (state: string): EventFilter | string =>
  isEventState(state) ? { state } : `The filter must be ${oneOf(eventStates)}.`;

const readSince = (text: string): EventFilter | string => {
  const sinceMs = readTime(text);
  if (sinceMs !== undefined) return { sinceMs };
  const hint = / \d\d:\d\d$/.test(text) ? ' A + in a query is a space; write it as %2B.' : '';
  return `The filter must be ${timeForm}.${hint}`;
};

/**
 * Parses the query of a list of events once. An invalid cursor is refused here, because there is no page number to use
 * instead, and starting again would make a caller loop for ever.
 */
export const readEventQuery = async (
  parameters: QueryParameters | null | undefined,
  seal: CursorSeal,
): Promise<QueryOutcome<EventQuery>> => {
  const accepted = acceptParameters(parameters);
  if (!accepted.ok) return accepted;
  const filter = readKnownFilters(accepted.value, knownFilters);
  const written = lastValue(accepted.value, 'after');
  const after = written === undefined ? undefined : await readCursor(written, accepted.value, seal);
  const errors = [
    ...(filter.ok ? [] : filter.errors),
    ...refusedPages(accepted.value),
    ...disguisedNames(accepted.value),
  ];
  const unfitting = written === undefined || after ? [] : [{ field: 'after', message: unfittingCursor }];
  if (!filter.ok || errors.length > 0)
    return { ok: false, reason: 'invalid-filter', errors: [...errors, ...unfitting] };
  if (unfitting.length > 0) return { ok: false, reason: 'unfitting-cursor', errors: unfitting };
  return {
    ok: true,
    value: {
      filter: filter.value,
      perPage: readPerPage(accepted.value),
      ...(after && { after }),
      parameters: accepted.value,
    },
  };
};

/** A page number would be ignored, and a loop over pages would never end (FLT-4). */
export const refusedPages = (parameters: QueryParameters): FieldError[] =>
  Object.keys(parameters)
    .filter((name) => name === 'page' || name.startsWith('page['))
    .map((field) => ({ field, message: 'This list has no page numbers. Follow next instead.' }));

export const unfittingCursor = 'The cursor is invalid, or belongs to another filter. Begin without it.';

/** An opaque `after`: an encrypted position among the caller's own events, bound to the caller and the filter. */
export const writeCursor = (
  { claimedAtMs, eventId = '' }: DeliveryLogPosition,
  parameters: QueryParameters,
  seal: CursorSeal,
): Promise<string> => seal.close(`${claimedAtMs}.${eventId}`, aboutOf(parameters));

const readCursor = async (
  cursor: string,
  parameters: QueryParameters,
  seal: CursorSeal,
): Promise<DeliveryLogPosition | undefined> => {
  const place = await seal.open(cursor, aboutOf(parameters));
  if (place === undefined) return undefined;
  const [time, eventId] = place.split('.');
  return { claimedAtMs: Number(time), ...(eventId && { eventId }) };
};

const aboutOf = (parameters: QueryParameters) => [
  'events',
  ...[...knownFilters.keys()].map((name) => parameters[name] ?? null),
];
