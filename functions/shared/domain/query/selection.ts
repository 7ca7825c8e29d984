import { type Narrowing, narrowingOf } from '../narrowing.ts';
import { type ElementName, elementNames } from '../transaction/transaction.ts';
import { listedNames, type QueryParameters } from './parameters.ts';

/** What an answer shows of a transaction: its own properties, and the expanded elements, each narrowed. */
export type Selection = { own: Narrowing; elements: ReadonlyMap<ElementName, Narrowing> };

/** Deeper than any stored value (WR-4), and far from where a recursion would end. */
const deepestPath = 32;

/** Reads `fields` and `expand` (FLD-1 to FLD-3, EXP-1). Unknown names are ignored, so this never refuses. */
export const readSelection = (parameters: QueryParameters): Selection => {
  const fields = listedNames(parameters, 'fields');
  const paths = Map.groupBy(fields.map(toPath).filter(isWellFormed), ([name = '']) => name);
  const expanded = new Set(listedNames(parameters, 'expand').map((name) => name.split('.', 1)[0]));
  return {
    own: fields.length > 0 ? narrowingOf(ownPaths(paths)) : 'everything',
    elements: new Map(
      elementNames.flatMap((name) => {
        const narrowing = elementNarrowing(paths.get(name) ?? [], expanded.has(name));
        return narrowing === undefined ? [] : [[name, narrowing]];
      }),
    ),
  };
};

type Path = readonly string[];

const ownPaths = (paths: ReadonlyMap<string, Path[]>) =>
  [...paths].flatMap(([name, group]) => (isElement(name) ? [] : group));

/** A path below an element expands it by itself; its bare name counts only beside `expand` (FLD-3). */
const elementNarrowing = (paths: readonly Path[], isExpanded: boolean) => {
  const below = paths.map((path) => path.slice(1));
  const counted = isExpanded ? below : below.filter((path) => path.length > 0);
  if (counted.length > 0) return narrowingOf(counted);
  return isExpanded ? 'everything' : undefined;
};

const toPath = (name: string): Path => name.split('.', deepestPath + 1);
const isWellFormed = (path: Path) => path.length <= deepestPath && !path.includes('');
const isElement = (name: string) => elementNames.some((element) => element === name);
