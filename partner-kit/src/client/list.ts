import type { ListLinks, ListMeta } from '../types.ts';
import { type Expand, type Field, type Names, type Selection, selectionParameters } from './selection.ts';

/** Conditions, all of which hold together. */
export type ListFilter = {
  readonly uuid?: string;
  /** 0 incomplete, 1 complete. */
  readonly status?: 0 | 1;
  readonly identifiers?: { readonly ndstockid?: string; readonly salesmasterid?: string };
};

/** What a list is asked for. */
export type ListQuery<E extends Names<Expand>, F extends Names<Field>> = Selection<E, F> & {
  readonly filter?: ListFilter;
  readonly page?: number;
  /** From 1 to 50. */
  readonly perPage?: number;
};

/** One page as the service answers it. */
export type Page<Item> = {
  /** The names that `expand` takes, with commas. */
  readonly _expand: string;
  readonly data: readonly Item[];
  readonly _links: ListLinks;
  readonly _meta: ListMeta;
};

/** The query as parameters, in the form of the interface (4.2). */
export const listParameters = (query: ListQuery<Names<Expand>, Names<Field>>): [string, string][] => {
  const { filter = {}, page, perPage } = query;
  const { ndstockid, salesmasterid } = filter.identifiers ?? {};
  return [
    ...given('filter[uuid]', filter.uuid),
    ...given('filter[status]', filter.status),
    ...given('filter[identifiers][ndstockid]', ndstockid),
    ...given('filter[identifiers][salesmasterid]', salesmasterid),
    ...selectionParameters(query),
    ...given('page', page),
    ...given('per-page', perPage),
  ];
};

/** A parameter, where it has a value. An empty text is one: the service refuses it, rather than to answer too much. */
export const given = (name: string, value: string | number | undefined): [string, string][] =>
  value === undefined ? [] : [[name, String(value)]];
