import type { JsonValue } from './transaction.ts';

/** WR-4: JSON deeper than this is refused. */
export const maxDepth = 32;

/**
 * Why a value cannot be kept exactly, with the path to the fault; undefined when it can (WR-4, ID-2). A number that
 * JavaScript would round is refused too: what is stored must be what was sent.
 */
export const jsonFault = (value: JsonValue, path = '', depth = 1): string | undefined => {
  if (typeof value === 'string') return textFault(value, path);
  if (typeof value === 'number') return numberFault(value, path);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maxDepth) return `${shorten(path)} is nested deeper than ${maxDepth} levels`;
  for (const [name, member] of Object.entries(value)) {
    const memberPath = path === '' ? name : `${path}.${name}`;
    const fault = textFault(name, memberPath) ?? jsonFault(member, memberPath, depth + 1);
    if (fault) return fault;
  }
  return undefined;
};

const textFault = (text: string, path: string) => {
  if (text.includes('\u0000')) return `${shorten(path)} contains a NUL character`;
  if (!text.isWellFormed()) return `${shorten(path)} contains a lone surrogate`;
  return undefined;
};

const numberFault = (value: number, path: string) =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
    ? undefined
    : `${shorten(path)} is a number too large to be kept exactly`;

/** A path that can be printed: names may hold anything, and be long. */
const shorten = (path: string) =>
  JSON.stringify(path.length > 80 ? `${path.slice(0, 77)}...` : path).slice(1, -1);
