import { type Column, type ColumnName, columnNames, columns, type ListFilter } from '../listing/columns.ts';
import type { QueryParameters } from './parameters.ts';

/** One refused parameter; `field` is its name as the caller wrote it (ERR-1). */
export type FieldError = { field: string; message: string };

/** What a filter's text makes, by the only names that filter; text is what is wrong with it. */
export type KnownFilters<Filter> = ReadonlyMap<string, (value: string) => Filter | string>;

const readColumn = (name: ColumnName, text: string): ListFilter | string => {
  const { values }: Column = columns[name];
  if (!values) return { [name]: text };
  const value = values.find((each) => String(each) === text);
  return value === undefined ? `The filter must be ${oneOf(values.map(String))}.` : { [name]: value };
};

/** `a, b or c` */
export const oneOf = (words: readonly string[]): string => words.join(', ').replace(/, (?=[^,]*$)/, ' or ');

const columnFilters: KnownFilters<ListFilter> = new Map(
  columnNames.map((name) => [columns[name].parameter, (text) => readColumn(name, text)]),
);

/** The filter of a list of transactions, or every fault in it at once (FLT-2). */
export const readFilter = (parameters: QueryParameters) => readKnownFilters(parameters, columnFilters);

export type FilterOutcome<Filter> = { ok: true; value: Filter } | { ok: false; errors: FieldError[] };

/** The filter of a list that knows these names, or every fault in it at once (FLT-2). */
export const readKnownFilters = <Filter extends object>(
  parameters: QueryParameters,
  known: KnownFilters<Filter>,
): FilterOutcome<Filter> => {
  const read = Object.entries(parameters)
    .filter(([name]) => looksLikeFilter(name))
    .map(([name, values = []]) => readOne(name, values, known));
  const errors = read.flatMap((one) => ('field' in one ? [one] : []));
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: Object.assign({}, ...read) };
};

/** Every filter, as a fault of a request that takes none (FLT-4). */
export const refusedFilters = (parameters: QueryParameters): FieldError[] =>
  Object.keys(parameters)
    .filter(looksLikeFilter)
    .map((field) => ({ field, message: 'Only lists take a filter.' }));

/** Whether any parameter asks for a filter, well formed or not (FLT-2). */
export const hasFilter = (parameters: QueryParameters): boolean =>
  Object.keys(parameters).some(looksLikeFilter);

/** Whether a name asks for a filter, well formed or not (FLT-2). */
export const looksLikeFilter = (name: string): boolean =>
  name.slice(0, 'filter'.length).toLowerCase() === 'filter';

const readOne = <Filter extends object>(
  field: string,
  values: readonly string[],
  known: KnownFilters<Filter>,
): Filter | FieldError => {
  const toFilter = known.get(field);
  const [value = '', ...repeated] = values;
  if (!toFilter) return { field, message: unknownReason(field, known) };
  if (repeated.length > 0) return { field, message: 'The filter may be given only once.' };
  if (value === '') return { field, message: 'The filter must not be empty.' };
  const made = toFilter(value);
  return typeof made === 'string' ? { field, message: made } : made;
};

const unknownReason = (field: string, known: KnownFilters<object>) => {
  const names = [...known.keys()];
  const members = names.filter((name) => name.startsWith(`${field}[`) && field.endsWith(']'));
  if (members.length > 0)
    return `The filter must name ${oneOf(members.map((name) => name.slice(field.length + 1, -1)))}.`;
  const isNestedKnown = names.some((name) => field.startsWith(`${name}[`));
  return isNestedKnown ? 'The filter must be a single value.' : 'The filter is unknown.';
};
