import { type Outcome, refuse, succeed } from '../outcome.ts';

/** Query parameters as in the proxy event's multi-value map: split and decoded once (QS-1). */
export type QueryParameters = Readonly<Record<string, readonly string[] | undefined>>;

export const parameterLimit = 100;
export const levelLimit = 4;
export type ParametersFault = 'too-many-parameters' | 'too-many-levels';

/** The parameters of a request, or the limit that they exceed (QS-1). */
export const acceptParameters = (
  parameters: QueryParameters | null | undefined,
): Outcome<QueryParameters, ParametersFault> => {
  const accepted = parameters ?? {};
  if (countOf(accepted) > parameterLimit) return refuse('too-many-parameters');
  if (Object.keys(accepted).some((name) => levelsOf(name) > levelLimit)) return refuse('too-many-levels');
  return succeed(accepted);
};

/** Parameters that links add. They must fit into the limit when the link is followed (LINK-2). */
const linkNames = ['page', 'per-page', 'after'];

const countOf = (parameters: QueryParameters) =>
  pairsOf(parameters).length - linkNames.filter((name) => Object.hasOwn(parameters, name)).length;

/** Every name with every value, in the order of the map. */
export const pairsOf = (parameters: QueryParameters): [string, string][] =>
  Object.entries(parameters).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );

/** The last value of a name, which is the one that counts (QS-1). */
export const lastValue = (parameters: QueryParameters, name: string): string | undefined =>
  Object.hasOwn(parameters, name) ? parameters[name]?.at(-1) : undefined;

/** The names of a comma list and of its array forms `name[]=a&name[]=b`, trimmed, without empty parts (FLD-1). */
export const listedNames = (parameters: QueryParameters, name: string): string[] =>
  Object.entries(parameters)
    .flatMap(([written, values = []]) => {
      if (written === `${name}[]`) return values;
      return written === name || isMemberOf(name, written) ? values.slice(-1) : [];
    })
    .flatMap((list) => list.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `a[b][c]` has three levels. */
const levelsOf = (name: string) => name.split('[').length;

const isMemberOf = (name: string, written: string) =>
  written.startsWith(`${name}[`) && written.endsWith(']') && levelsOf(written) === 2;

export const defaultPerPage = 10;

export const largestPerPage = 50;

export const largestPage = 1e9;

/** The leading integer of `page`, or 1 (PAGE-1). */
export const readPage = (parameters: QueryParameters): number =>
  clamp(leadingInteger(lastValue(parameters, 'page')) ?? 1, largestPage);

/** The leading integer of `per-page`, between 1 and 50, or 10 (PAGE-2). */
export const readPerPage = (parameters: QueryParameters): number =>
  clamp(leadingInteger(lastValue(parameters, 'per-page')) ?? defaultPerPage, largestPerPage);

/** The number of pages, or 0 for an empty list (PAGE-4). */
export const pageCountOf = (totalCount: number, perPage: number): number => Math.ceil(totalCount / perPage);

const leadingInteger = (text = ''): number | undefined => {
  const digits = /^\s*([+-]?\d+)/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const clamp = (value: number, largest: number) => Math.min(Math.max(value, 1), largest);
