import {
  type ElementName,
  elementNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../transaction/transaction.ts';
import { listedNames, type QueryParameters } from './parameters.ts';

/**
 * What a response shows of a transaction: its own properties, and the expanded elements, each narrowed. `own` may name
 * elements, too: no own property has such a name.
 */
export type Selection = { own: Narrowing; elements: ReadonlyMap<ElementName, Narrowing> };

/** Deeper than any stored value (WR-4), and far from where a recursion would end. */
const deepestPath = 32;

/** Reads `fields` and `expand` (FLD-1). Unknown names are ignored, so this never refuses. */
export const readSelection = (parameters: QueryParameters): Selection => {
  const fields = listedNames(parameters, 'fields');
  const paths = Map.groupBy(fields.map(toPath).filter(isWellFormed), ([name = '']) => name);
  const expanded = new Set(listedNames(parameters, 'expand').map((name) => name.split('.', 1)[0]));
  return {
    own: fields.length > 0 ? narrowingOf([...paths.values()].flat()) : 'everything',
    elements: new Map(
      elementNames.flatMap((name) => {
        const narrowing = elementNarrowing(paths.get(name) ?? [], expanded.has(name));
        return narrowing === undefined ? [] : [[name, narrowing]];
      }),
    ),
  };
};

type Path = readonly string[];

/** A path below an element expands it by itself; its bare name counts only beside `expand` (FLD-3). */
const elementNarrowing = (paths: readonly Path[], isExpanded: boolean) => {
  const below = paths.map((path) => path.slice(1));
  const counted = isExpanded ? below : below.filter((path) => path.length > 0);
  if (counted.length > 0) return narrowingOf(counted);
  return isExpanded ? 'everything' : undefined;
};

const toPath = (name: string): Path => name.split('.', deepestPath + 1);
const isWellFormed = (path: Path) => path.length <= deepestPath && !path.includes('');

/** What is wanted of a value: everything, or the named members, each with what is wanted of it (FLD-2). */
export type Narrowing = 'everything' | ReadonlyMap<string, Narrowing>;

/** Joins paths such as `details.brand`; `*` at a level is everything there, and the whole beats its parts (FLD-2). */
const narrowingOf = (paths: readonly (readonly string[])[]): Narrowing => {
  if (paths.some(([name]) => name === undefined || name === '*')) return 'everything';
  const deeper = Map.groupBy(paths, ([name = '']) => name);
  return new Map([...deeper].map(([name, group]) => [name, narrowingOf(group.map((path) => path.slice(1)))]));
};

/** Keeps the wanted members, in the value's own order; scalars, strings and null pass through (FLD-4). */
export const narrow = (value: JsonValue, narrowing: Narrowing): JsonValue => {
  if (narrowing === 'everything') return value;
  if (Array.isArray(value)) return value.map((item) => narrow(item, narrowing));
  return isJsonObject(value) ? narrowObject(value, narrowing) : value;
};

const narrowObject = (value: JsonObject, wanted: ReadonlyMap<string, Narrowing>): JsonObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inside = wanted.get(name);
      return inside === undefined ? [] : [[name, narrow(member, inside)]];
    }),
  );
