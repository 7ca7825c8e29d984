import { lastValue, type QueryParameters } from './query/parameters.ts';

export const defaultPerPage = 10;
export const largestPerPage = 50;
const largestPage = 1e9;

/** PAGE-1: the leading integer of `page`; 1 when there is none. */
export const readPage = (parameters: QueryParameters): number =>
  clamp(leadingInteger(lastValue(parameters, 'page')) ?? 1, largestPage);

/** PAGE-2: the leading integer of `per-page`, between 1 and 50; 10 when there is none. */
export const readPerPage = (parameters: QueryParameters): number =>
  clamp(leadingInteger(lastValue(parameters, 'per-page')) ?? defaultPerPage, largestPerPage);

/** PAGE-4: 0 when the list is empty. */
export const pageCountOf = (totalCount: number, perPage: number): number => Math.ceil(totalCount / perPage);

const leadingInteger = (text = ''): number | undefined => {
  const digits = /^\s*([+-]?\d+)/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const clamp = (value: number, largest: number) => Math.min(Math.max(value, 1), largest);
