import { faultsAt } from '../../support/openapi/description.ts';
import type { Described } from './parameters.ts';

/** A query as the service reads it: names and values, decoded, in their order. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** The result of a query by the interface: 422 names every fault, and nothing else (FLT-2). */
export type Expectation =
  | { comes: 'answer' }
  | { comes: 'too-much' }
  | { comes: 'refusal'; naming: string[] };

/** Judged by the schemas of the document, and by what it says in words: filters stand once, others are ignored. */
export const expectationOf = (described: readonly Described[], pairs: Pairs): Expectation => {
  if (isTooMuch(pairs)) return { comes: 'too-much' };
  const naming = [...new Set(pairs.map(([name]) => name))].filter((name) => {
    const known = described.find((one) => one.name === name);
    return isFilterOfOne(described, name, pairs) || isAtFault(known, name, pairs);
  });
  return naming.length > 0 ? { comes: 'refusal', naming } : { comes: 'answer' };
};

/** A read of one transaction takes no filter (FLT-4). */
const isFilterOfOne = (described: readonly Described[], name: string, pairs: Pairs) =>
  /^filter/i.test(name) &&
  described.some((one) => one.name === 'uuid') &&
  pairs.some(([one]) => one === 'uuid' || one.startsWith('uuid['));

/** QS-1. Links add `page`, `per-page` and `after`, so one of each is not counted. */
const isTooMuch = (pairs: Pairs) => {
  const links = ['page', 'per-page', 'after'].filter((link) => pairs.some(([name]) => name === link));
  return pairs.length - links.length > 100 || pairs.some(([name]) => name.split('[').length > 4);
};

/**
 * A parameter that begins like a filter must be one. No other parameter is refused (FLT-2, PAGE-1, PAGE-2, FLD-1),
 * except an invalid cursor of events (V2-7).
 */
const isAtFault = (described: Described | undefined, name: string, pairs: Pairs) => {
  if (described?.place.includes('event.after')) return true;
  if (!/^filter/i.test(name)) return false;
  const [value = '', ...repeated] = pairs.filter(([one]) => one === name).map(([, text]) => text);
  return !described || repeated.length > 0 || faultsAt(described.place, value).length > 0;
};
