import type { ListLinks, ListMeta } from '../types.ts';
import type { FilterName } from '../wire.ts';
import { type Expand, type Field, type Names, type Selection, selectionParameters } from './selection.ts';

/** Conditions, all of which must hold. */
export type ListFilter = {
  readonly uuid?: string;
  /** 0 incomplete, 1 complete. */
  readonly status?: 0 | 1;
  readonly identifiers?: { readonly ndstockid?: string; readonly salesmasterid?: string };
};

/** Parameters of a list. */
export type ListQuery<E extends Names<Expand>, F extends Names<Field>> = Selection<E, F> & {
  readonly filter?: ListFilter;
  readonly page?: number;
  /** From 1. A number above the maximum counts as the maximum. The service chooses if absent. */
  readonly perPage?: number;
};

/** One page of the service. */
export type Page<Item> = {
  /** The names that `expand` accepts, separated by commas. */
  readonly _expand: string;
  readonly data: readonly Item[];
  readonly _links: ListLinks;
  readonly _meta: ListMeta;
  readonly requestId: string | undefined;
};

/** The query parameters (interface 4.2). */
export const listParameters = (query: ListQuery<Names<Expand>, Names<Field>>): [string, string][] => {
  const { filter = {}, page, perPage } = query;
  return [
    ...Object.entries(filterParameters(filter)).flatMap(([name, value]) => given(name, value)),
    ...selectionParameters(query),
    ...given('page', page),
    ...given('per-page', perPage),
  ];
};

const filterParameters = ({
  uuid,
  status,
  identifiers = {},
}: ListFilter): Record<FilterName, string | number | undefined> => ({
  'filter[uuid]': uuid,
  'filter[status]': status,
  'filter[identifiers][ndstockid]': identifiers.ndstockid,
  'filter[identifiers][salesmasterid]': identifiers.salesmasterid,
});

/**
 * A parameter, if it has a value. An empty text counts as one, because the service refuses it, and leaving it out would
 * return too much.
 */
export const given = (name: string, value: string | number | undefined): [string, string][] =>
  value === undefined ? [] : [[name, String(value)]];
