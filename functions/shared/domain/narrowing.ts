import type { JsonObject, JsonValue } from './transaction/transaction.ts';

/** What is wanted of a value: everything, or the named members, each with what is wanted of it (FLD-2, FLD-4). */
export type Narrowing = 'everything' | ReadonlyMap<string, Narrowing>;

/** Joins paths such as `details.brand`; `*` at a level is everything there, and the whole beats its parts (FLD-2). */
export const narrowingOf = (paths: readonly (readonly string[])[]): Narrowing => {
  if (paths.some(([name]) => name === undefined || name === '*')) return 'everything';
  const deeper = Map.groupBy(paths, ([name = '']) => name);
  return new Map([...deeper].map(([name, group]) => [name, narrowingOf(group.map((path) => path.slice(1)))]));
};

/** Keeps the wanted members, in the value's own order; scalars, strings and null pass through (FLD-4). */
export const narrow = (value: JsonValue, narrowing: Narrowing): JsonValue => {
  if (narrowing === 'everything' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => narrow(item, narrowing));
  return narrowObject(value, narrowing);
};

const narrowObject = (value: JsonObject, wanted: ReadonlyMap<string, Narrowing>): JsonObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inside = wanted.get(name);
      return inside === undefined ? [] : [[name, narrow(member, inside)]];
    }),
  );
