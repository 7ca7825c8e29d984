import { type Narrowing, narrowingOf } from './narrowing.ts';
import { listedNames, type QueryParameters } from './parameters.ts';
import { type ElementName, elementNames } from './transaction.ts';

/** What an answer shows of a transaction: its own properties, and the expanded elements, each narrowed. */
export type Selection = { own: Narrowing; elements: ReadonlyMap<ElementName, Narrowing> };

/** Reads `fields` and `expand` (FLD-1 to FLD-3, EXP-1). Unknown names are ignored, so this never refuses. */
export const readSelection = (parameters: QueryParameters): Selection => {
  const fields = listedNames(parameters, 'fields').map(toPath).filter(isWellFormed);
  const expanded = new Set(listedNames(parameters, 'expand').map((name) => name.split('.')[0]));
  const hasFields = listedNames(parameters, 'fields').length > 0;
  return {
    own: hasFields ? narrowingOf(fields.filter(([name]) => !isElement(name))) : 'everything',
    elements: new Map(
      elementNames.flatMap((name) => {
        const narrowing = elementNarrowing(fields, name, expanded.has(name));
        return narrowing === undefined ? [] : [[name, narrowing]];
      }),
    ),
  };
};

/** A path below an element expands it by itself; its bare name counts only beside `expand` (FLD-3). */
const elementNarrowing = (fields: string[][], name: ElementName, isExpanded: boolean) => {
  const paths = fields.filter(([first]) => first === name).map((path) => path.slice(1));
  const counted = isExpanded ? paths : paths.filter((path) => path.length > 0);
  if (counted.length > 0) return narrowingOf(counted);
  return isExpanded ? 'everything' : undefined;
};

const toPath = (name: string) => name.split('.');
const isWellFormed = (path: string[]) => path.every((part) => part !== '');
const isElement = (name: string | undefined) => elementNames.some((element) => element === name);
