import {
  type ElementName,
  elementNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../transaction/transaction.ts';
import { listedNames, type QueryParameters } from './parameters.ts';

/**
 * What a response shows of a transaction: own properties, and expanded elements, each narrowed. `own` may also contain
 * names of elements, because no own property has such a name.
 */
export type Selection = { own: Narrowing; elements: ReadonlyMap<ElementName, Narrowing> };

/** Deeper than any stored value (WR-4), and not too deep for recursion. */
const deepestPath = 32;

/** Parses `fields` and `expand` (FLD-1). Ignores unknown names, so it never refuses. */
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

/** A selection as the two texts that ask for it. */
export type SelectionText = { fields: string; expand: string };

/** What the request asks for, however it spells the lists. `readSelection` reads the same from it. */
export const selectionTextOf = (parameters: QueryParameters | null | undefined): SelectionText => ({
  fields: listedNames(parameters ?? {}, 'fields').join(','),
  expand: listedNames(parameters ?? {}, 'expand').join(','),
});

type Path = readonly string[];

/** A path below an element expands the element. Its bare name counts only if `expand` names it, too (FLD-3). */
const elementNarrowing = (paths: readonly Path[], isExpanded: boolean) => {
  const below = paths.map((path) => path.slice(1));
  const counted = isExpanded ? below : below.filter((path) => path.length > 0);
  if (counted.length > 0) return narrowingOf(counted);
  return isExpanded ? 'everything' : undefined;
};

const toPath = (name: string): Path => name.split('.', deepestPath + 1);
const isWellFormed = (path: Path) => path.length <= deepestPath && !path.includes('');

/** The selected part of a value: everything, or named members, each with its selected part (FLD-2). */
export type Narrowing = 'everything' | ReadonlyMap<string, Narrowing>;

/**
 * Merges paths such as `details.brand`. `*` selects everything at its level, and a whole includes its parts (FLD-2).
 */
const narrowingOf = (paths: readonly (readonly string[])[]): Narrowing => {
  if (paths.some(([name]) => name === undefined || name === '*')) return 'everything';
  const deeper = Map.groupBy(paths, ([name = '']) => name);
  return new Map([...deeper].map(([name, group]) => [name, narrowingOf(group.map((path) => path.slice(1)))]));
};

/** Keeps the selected members, in the value's own order. Scalars, strings and null stay as they are (FLD-4). */
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
