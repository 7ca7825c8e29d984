import { UserError } from '../../bin/operator/user-error.ts';

/** Says whether an event fits to the pattern of a rule or to the filter of an event source. */
export type Pattern = (event: unknown) => boolean;

/** A pattern of exact values; an operator is refused by name when the pattern is read, not when an event comes. */
export const createPattern = (pattern: unknown): Pattern => {
  if (!isObject(pattern))
    throw new UserError(`An event pattern is an object, not ${JSON.stringify(pattern)}.`);
  const members = Object.entries(pattern).map(([name, wanted]) => memberPattern(name, wanted));
  return (event) => members.every((matches) => matches(event));
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberPattern = (name: string, wanted: unknown): Pattern => {
  if (name.startsWith('$')) throw unknownInPattern(name);
  const matches = Array.isArray(wanted) ? oneOf(wanted) : nested(createPattern(wanted));
  return (event) => matches(isObject(event) ? event[name] : undefined);
};

/** Where the event has a list of values, one of them is enough. */
const oneOf = (values: readonly unknown[]): Pattern => {
  const operator = values.find((value) => typeof value === 'object' && value !== null);
  if (operator) throw unknownInPattern(operator);
  return (value) => (Array.isArray(value) ? value : [value]).some((leaf) => values.includes(leaf));
};

/** Where the event has a list of objects, one of them is enough. */
const nested =
  (matches: Pattern): Pattern =>
  (value) =>
    Array.isArray(value) ? value.some(matches) : matches(value);

const unknownInPattern = (part: unknown) =>
  new UserError(`The local stage does not know ${JSON.stringify(part)} in an event pattern.`);
