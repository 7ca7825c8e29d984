import { type FieldError, readFilter, refusedFilters } from './filter.ts';
import type { ListRequest, ListScope } from './list-request.ts';
import { disguisedNames } from './names.ts';
import {
  acceptParameters,
  type ParametersFault,
  type QueryParameters,
  readPage,
  readPerPage,
} from './parameters.ts';
import { readSelection, type Selection } from './selection.ts';

/**
 * A requested list: what to read (without its cursor), what to show of it, and the parameters that its links repeat
 * (LINK-3).
 */
export type ListQuery = { request: ListRequest; selection: Selection; parameters: QueryParameters };

/** A query, or why it is refused. */
export type QueryOutcome<Query> =
  | { ok: true; value: Query }
  | { ok: false; reason: ParametersFault }
  | { ok: false; reason: 'invalid-filter' | 'unfitting-cursor'; errors: FieldError[] };
export type ListQueryOutcome = QueryOutcome<ListQuery>;

/** Reads what to show of one transaction. A filter is refused, because it would have no effect (FLT-4). */
export const readSingleQuery = (
  parameters: QueryParameters | null | undefined,
  moreNames: readonly string[] = [],
): QueryOutcome<Selection> => {
  const accepted = acceptParameters(parameters);
  if (!accepted.ok) return accepted;
  const errors = [...refusedFilters(accepted.value), ...disguisedNames(accepted.value, moreNames)];
  if (errors.length > 0) return { ok: false, reason: 'invalid-filter', errors };
  return { ok: true, value: readSelection(accepted.value) };
};

/** Reads what to show of a transaction that is written. */
export const readWriteQuery = (parameters: QueryParameters | null | undefined): QueryOutcome<Selection> => {
  const accepted = acceptParameters(parameters);
  if (!accepted.ok) return accepted;
  const errors = disguisedNames(accepted.value);
  if (errors.length > 0) return { ok: false, reason: 'invalid-filter', errors };
  return { ok: true, value: readSelection(accepted.value) };
};

/**
 * Parses the query of a list once, into a type that the rest of the code can trust. `moreNames` are parameters that the
 * caller reads itself.
 */
export const readListQuery = (
  parameters: QueryParameters | null | undefined,
  scope: ListScope,
  moreNames: readonly string[] = [],
): ListQueryOutcome => {
  const accepted = acceptParameters(parameters);
  if (!accepted.ok) return accepted;
  const filter = readFilter(accepted.value);
  const errors = [...(filter.ok ? [] : filter.errors), ...disguisedNames(accepted.value, moreNames)];
  if (!filter.ok || errors.length > 0) return { ok: false, reason: 'invalid-filter', errors };
  const selection = readSelection(accepted.value);
  const request = {
    ...{ scope, filter: filter.value },
    page: readPage(accepted.value),
    perPage: readPerPage(accepted.value),
    shown: [...selection.elements.keys()],
  };
  return { ok: true, value: { request, selection, parameters: accepted.value } };
};
