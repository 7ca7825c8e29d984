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
import { type EventState, eventStates } from '../shared/events/states.ts';
import { readCursor, writeCursor } from '../shared/http/cursor.ts';
import { readTime, timeForm } from './time-text.ts';

/** All conditions must hold (FLT-1). */
export type EventFilter = { type?: MessageType; state?: EventState; transaction?: string; sinceMs?: number };

/** A requested page of events, and the parameters that its links repeat. */
export type EventQuery = {
  filter: EventFilter;
  perPage: number;
  /** The place after which the page begins. */
  after?: string;
  parameters: QueryParameters;
};

const knownFilters: KnownFilters<EventFilter> = new Map([
  ['filter[type]', (text): EventFilter | string => readWord('type', messageTypes, text)],
  ['filter[state]', (text) => readWord('state', eventStates, text)],
  ['filter[transaction]', (transaction) => ({ transaction })],
  ['filter[since]', (text) => readSince(text)],
]);

const readWord = (name: string, words: readonly string[], text: string): EventFilter | string =>
  words.includes(text) ? { [name]: text } : `The filter must be ${oneOf(words)}.`;

const readSince = (text: string): EventFilter | string => {
  const sinceMs = readTime(text);
  if (sinceMs !== undefined) return { sinceMs };
  const hint = / \d\d:\d\d$/.test(text) ? ' A + in a query is a space; write it as %2B.' : '';
  return `The filter must be ${timeForm}.${hint}`;
};

/**
 * Parses the query of a list of events. A cursor that does not fit is refused: there is no page number to use instead,
 * and beginning again would make a caller loop for ever.
 */
export const readEventQuery = (
  parameters: QueryParameters | null | undefined,
  clientId: string,
): QueryOutcome<EventQuery> => {
  const accepted = acceptParameters(parameters);
  if (!accepted.ok) return accepted;
  const filter = readKnownFilters(accepted.value, knownFilters);
  const written = lastValue(accepted.value, 'after');
  const after = written === undefined ? undefined : placeIn(written, accepted.value, clientId);
  const errors = [
    ...(filter.ok ? [] : filter.errors),
    ...refusedPages(accepted.value),
    ...disguisedNames(accepted.value),
  ];
  const unfitting = written === undefined || after ? [] : [{ field: 'after', message: unfittingCursor }];
  if (!filter.ok || errors.length > 0)
    return { ok: false, reason: 'invalid-filter', errors: [...errors, ...unfitting] };
  if (unfitting.length > 0) return { ok: false, reason: 'unfitting-cursor', errors: unfitting };
  const perPage = readPerPage(accepted.value);
  return {
    ok: true,
    value: { filter: filter.value, perPage, ...(after && { after }), parameters: accepted.value },
  };
};

/** A page number would be ignored, and a loop over pages would never end (FLT-4). */
export const refusedPages = (parameters: QueryParameters): FieldError[] =>
  Object.keys(parameters)
    .filter((name) => name === 'page' || name.startsWith('page['))
    .map((field) => ({ field, message: 'This list has no page numbers. Follow next instead.' }));

export const unfittingCursor = 'The cursor is invalid, or belongs to another filter. Begin without it.';

/** Digits and an id, of a line; or a transaction, of what waits. */
const placeShape = /^(?:(?:LOG#)?\d{14}#[0-9a-z-]+(?:#[A-Z]+)?|TX#[0-9A-Za-z-]+(?:#COMPLETED)?)$/;

/** The cursor of a place among the caller's events, for the same caller and query alone. */
export const cursorAt = (place: string, parameters: QueryParameters, clientId: string): string =>
  writeCursor(place, aboutOf(parameters, clientId));

const placeIn = (cursor: string, parameters: QueryParameters, clientId: string): string | undefined => {
  const place = readCursor(cursor, aboutOf(parameters, clientId));
  return place !== undefined && placeShape.test(place) ? place : undefined;
};

const aboutOf = (parameters: QueryParameters, clientId: string) => [
  ...['events', clientId, readPerPage(parameters)],
  ...[...knownFilters.keys()].map((name) => parameters[name] ?? null),
];
