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
    return (
      isFilterOfOne(described, name, pairs) ||
      isAtFault(known, name, pairs) ||
      (!known && isDisguised(described, name))
    );
  });
  return naming.length > 0 ? { comes: 'refusal', naming } : { comes: 'answer' };
};

/** The reads of V1 know names that others do not. */
const namesOf = (described: readonly Described[]) => [
  ...['filter', 'page', 'per-page', 'after', 'fields', 'expand'],
  ...(described.some(({ name }) => name === 'uuid') ? ['uuid', 'location', 'franchise'] : []),
];

/** Whether only white space, what is invisible, quotes, or `amp;` keep a name from being a known one (FLT-2). */
const isDisguised = (described: readonly Described[], name: string) => {
  const outer = name.replace(/(\[[^[\]]*\])+$/, '');
  const seen = outer
    .replaceAll(
      /[\s\p{C}\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Quotation_Mark}`´′″\u2800\ufffd]/gu,
      '',
    )
    .replace(/^(&?amp;)+/i, '');
  if (seen === outer || /^filter/i.test(outer)) return false;
  return /^filter/i.test(seen) || namesOf(described).includes(seen.split('[', 1)[0] ?? '');
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
 * A parameter that begins like a filter must be one. No other parameter is refused for its value (FLT-2, PAGE-1, PAGE-2, FLD-1),
 * except an invalid cursor of events (V2-7).
 */
const isAtFault = (described: Described | undefined, name: string, pairs: Pairs) => {
  if (described?.place.includes('event.after')) return true;
  if (!/^filter/i.test(name)) return false;
  const [value = '', ...repeated] = pairs.filter(([one]) => one === name).map(([, text]) => text);
  return !described || repeated.length > 0 || faultsAt(described.place, value).length > 0;
};
