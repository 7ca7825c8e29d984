import { UserError } from '../../bin/operator/user-error.ts';

/** Says whether an event is of a pattern: of a rule of the bus, or a filter of an event source (EventBridge's language). */
export type Pattern = (event: unknown) => boolean;
/** What is asked of one leaf: its value, or undefined where there is none. */
type Test = (leaf: unknown) => boolean;
type Members = Record<string, unknown>;

/** An operator that the stage does not know is refused by name, when the pattern is read and not when an event comes. */
export const createPattern = (pattern: unknown): Pattern => {
  if (!isMembers(pattern))
    throw new UserError(`An event pattern is an object, not ${JSON.stringify(pattern)}.`);
  const tests = Object.entries(pattern).map(([name, wanted]) =>
    name === '$or' ? anyOf(wanted) : memberTest(name, wanted),
  );
  return (event) => tests.every((test) => test(event));
};

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const anyOf = (alternatives: unknown): Pattern => {
  const patterns = (alternatives as unknown[]).map(createPattern);
  return (event) => patterns.some((matches) => matches(event));
};

const memberTest = (name: string, wanted: unknown): Pattern => {
  const matches = Array.isArray(wanted) ? leafPattern(wanted.map(testOf)) : nested(createPattern(wanted));
  return (event) => matches(isMembers(event) ? event[name] : undefined);
};

/** Of a list of objects one is enough. */
const nested =
  (matches: Pattern): Pattern =>
  (value) =>
    Array.isArray(value) && value.length > 0 ? value.some(matches) : matches(value);

/** Of a list of values one is enough; what is no leaf is as absent. */
const leafPattern =
  (tests: Test[]): Pattern =>
  (value) => {
    const leaves = (Array.isArray(value) ? value : [value]).map((one) => (isMembers(one) ? undefined : one));
    return (leaves.length > 0 ? leaves : [undefined]).some((leaf) => tests.some((test) => test(leaf)));
  };

const testOf = (wanted: unknown): Test => {
  if (!isMembers(wanted)) return (leaf) => leaf === wanted;
  const [[name, argument] = ['', undefined]] = Object.entries(wanted);
  const operator = operators[name];
  if (operator && Object.keys(wanted).length === 1) return operator(argument);
  throw new UserError(`The local stage does not know ${JSON.stringify(wanted)} in an event pattern.`);
};

const onText =
  (test: (text: string) => boolean): Test =>
  (leaf) =>
    typeof leaf === 'string' && test(leaf);

/** `{ "prefix": "a" }`, or `{ "prefix": { "equals-ignore-case": "a" } }`. */
const affix =
  (has: (text: string, part: string) => boolean) =>
  (argument: unknown): Test => {
    if (typeof argument === 'string') return onText((text) => has(text, argument));
    const part = String((argument as Members)['equals-ignore-case']).toLowerCase();
    return onText((text) => has(text.toLowerCase(), part));
  };

const operators: Record<string, (argument: unknown) => Test> = {
  exists: (argument) => (leaf) => (leaf !== undefined) === argument,
  prefix: affix((text, part) => text.startsWith(part)),
  suffix: affix((text, part) => text.endsWith(part)),
  'equals-ignore-case': (argument) => onText((text) => text.toLowerCase() === String(argument).toLowerCase()),
  wildcard: (argument) => onText((text) => wildcardExpression(String(argument)).test(text)),
  'anything-but': (argument) => {
    const tests = (Array.isArray(argument) ? argument : [argument]).map(testOf);
    return (leaf) => leaf !== undefined && !tests.some((test) => test(leaf));
  },
  numeric: (argument) => numericTest(argument as unknown[]),
};

const wildcardExpression = (text: string): RegExp => {
  const parts = text.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
};

/** `[">", 0, "<=", 5]`. A number that an item of a table holds is text in its stream record, and is none here. */
const numericTest = ([sign, bound, ...more]: unknown[]): Test => {
  const compare = comparisons[String(sign)];
  if (!compare) throw new UserError(`The local stage does not know "numeric" with ${JSON.stringify(sign)}.`);
  const others: Test = more.length > 0 ? numericTest(more) : () => true;
  return (leaf) => typeof leaf === 'number' && compare(leaf, Number(bound)) && others(leaf);
};

const comparisons: Record<string, (one: number, other: number) => boolean> = {
  '=': (one, other) => one === other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
};
