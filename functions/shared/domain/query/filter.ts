import type { ListFilter } from './list-request.ts';
import type { QueryParameters } from './parameters.ts';

/** One refused parameter; `field` is its name as the caller wrote it (ERR-1). */
export type FieldError = { field: string; message: string };

/** The only names that filter, each with the filter that its text makes (FLT-1). */
export const knownFilters = new Map<string, (value: string) => ListFilter | undefined>([
  ['filter[uuid]', (uuid) => ({ uuid })],
  ['filter[status]', (status) => statusFilters.get(status)],
  ['filter[identifiers][ndstockid]', (ndstockid) => ({ ndstockid })],
  ['filter[identifiers][salesmasterid]', (salesmasterid) => ({ salesmasterid })],
]);
const statusFilters = new Map<string, ListFilter>([
  ['0', { status: 0 }],
  ['1', { status: 1 }],
]);

/** The filter of a list, or every fault in it at once (FLT-2). */
export const readFilter = (
  parameters: QueryParameters,
): { ok: true; value: ListFilter } | { ok: false; errors: FieldError[] } => {
  const read = Object.entries(parameters)
    .filter(([name]) => looksLikeFilter(name))
    .map(([name, values = []]) => readOne(name, values));
  const errors = read.filter((one) => 'field' in one);
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: Object.assign({}, ...read) };
};

/** Whether any parameter asks for a filter, well formed or not (FLT-2). */
export const hasFilter = (parameters: QueryParameters): boolean =>
  Object.keys(parameters).some(looksLikeFilter);

const looksLikeFilter = (name: string) => name.slice(0, 'filter'.length).toLowerCase() === 'filter';

const readOne = (field: string, values: readonly string[]): ListFilter | FieldError => {
  const toFilter = knownFilters.get(field);
  const [value = '', ...repeated] = values;
  if (!toFilter) return { field, message: unknownReason(field) };
  if (repeated.length > 0) return { field, message: 'The filter may be given only once.' };
  if (value === '') return { field, message: 'The filter must not be empty.' };
  return toFilter(value) ?? { field, message: 'The filter must be 0 or 1.' };
};

const unknownReason = (field: string) => {
  if (field === 'filter[identifiers]') return 'The filter must name ndstockid or salesmasterid.';
  const isNestedKnown = [...knownFilters.keys()].some((known) => field.startsWith(`${known}[`));
  return isNestedKnown ? 'The filter must be a single value.' : 'The filter is unknown.';
};
