import { UserError } from '../../bin/operator/user-error.ts';

/** Whether an event matches the pattern of a rule or the filter of an event source. */
export type Pattern = (event: unknown) => boolean;

/** Reads a pattern of exact values. Throws a UserError for an operator, which the local stage does not know. */
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

/** Of a list of values in the event, one match is enough. */
const oneOf = (values: readonly unknown[]): Pattern => {
  const operator = values.find((value) => typeof value === 'object' && value !== null);
  if (operator) throw unknownInPattern(operator);
  return (value) => (Array.isArray(value) ? value : [value]).some((leaf) => values.includes(leaf));
};

/** Of a list of objects in the event, one match is enough. */
const nested =
  (matches: Pattern): Pattern =>
  (value) =>
    Array.isArray(value) ? value.some(matches) : matches(value);

const unknownInPattern = (part: unknown) =>
  new UserError(`The local stage does not know ${JSON.stringify(part)} in an event pattern.`);
