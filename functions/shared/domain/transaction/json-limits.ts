import type { JsonValue } from './transaction.ts';

/** WR-4: JSON deeper than this is refused. */
export const maxDepth = 32;

/** Where a value cannot be kept exactly, and why. */
export type JsonFault = { path: string; reason: string };

/**
 * Why a value cannot be kept exactly, with the path to the fault; undefined when it can (WR-4, ID-2). An integer beyond
 * 2^53 is refused too: it may be an id, and would come back as another. Fractions are doubles, as everywhere in JSON.
 */
export const findJsonFault = (value: JsonValue, path = '', depth = 1): JsonFault | undefined => {
  const reason = faultOf(value, depth);
  if (reason !== undefined) return { path: shorten(path), reason };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const memberPath = path === '' ? name : `${path}.${name}`;
    const nameReason = textFault(name);
    if (nameReason !== undefined) return { path: shorten(memberPath), reason: nameReason };
    const fault = findJsonFault(member, memberPath, depth + 1);
    if (fault) return fault;
  }
  return undefined;
};

/** The same as one phrase. */
export const jsonFault = (value: JsonValue): string | undefined => {
  const fault = findJsonFault(value);
  return fault && `${fault.path} ${fault.reason}`;
};

const faultOf = (value: JsonValue, depth: number) => {
  if (typeof value === 'string') return textFault(value);
  if (typeof value === 'number') return numberFault(value);
  const isTooDeep = typeof value === 'object' && value !== null && depth > maxDepth;
  return isTooDeep ? `is nested deeper than ${maxDepth} levels` : undefined;
};

const textFault = (text: string) => {
  if (text.includes('\u0000')) return 'contains a NUL character';
  return text.isWellFormed() ? undefined : 'contains a lone surrogate';
};

const numberFault = (value: number) =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
    ? undefined
    : 'is a number too large to be kept exactly';

/** A path that can be printed: names may hold anything, and be long. */
const shorten = (path: string) =>
  JSON.stringify(path.length > 80 ? `${path.slice(0, 77)}...` : path).slice(1, -1);

/** Every string, with the colon that makes it a name, and every bracket; what lies between needs no look. */
const stringsAndBrackets = /"((?:[^"\\]|\\.)*)"[ \t\n\r]*(:?)|[{}]/g;

type OpenObject = { names: Set<string>; current: string };

/**
 * The path to the first name that stands twice in its object. Expects text that `JSON.parse` takes: parsers that keep the
 * first and those that keep the last of them disagree, and two readers of one body must not.
 */
export const repeatedName = (json: string): string | undefined => {
  const open: OpenObject[] = [];
  for (const [token, content, colon] of json.matchAll(stringsAndBrackets)) {
    const inner = open.at(-1);
    if (token === '{') open.push({ names: new Set(), current: '' });
    else if (token === '}') open.pop();
    else if (colon && inner) {
      inner.current = JSON.parse(`"${content}"`);
      if (inner.names.has(inner.current)) return open.map(({ current }) => current).join('.');
      inner.names.add(inner.current);
    }
  }
  return undefined;
};
