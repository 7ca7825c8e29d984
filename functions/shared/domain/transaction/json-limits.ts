import type { JsonValue } from './transaction.ts';

/** The place of a value that cannot be stored exactly, and the reason. */
export type JsonFault = { path: string; reason: string };

/** JSON deeper than this is refused (WR-4). */
const maxDepth = 32;

/** Why a value cannot be stored exactly, as one phrase. Undefined if it can. */
export const jsonFault = (value: JsonValue): string | undefined => {
  const fault = findJsonFault(value);
  return fault && `${fault.path} ${fault.reason}`;
};

/**
 * The first text or depth that cannot be stored (WR-4). Undefined if everything can. Numbers are checked in their
 * written form.
 */
export const findJsonFault = (value: JsonValue, path = '', depth = 1): JsonFault | undefined => {
  const reason = faultOf(value, depth);
  if (reason !== undefined) return { path: printablePath(path), reason };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const memberPath = path === '' ? name : `${path}.${name}`;
    const nameReason = textFault(name);
    if (nameReason !== undefined) return { path: printablePath(memberPath), reason: nameReason };
    const fault = findJsonFault(member, memberPath, depth + 1);
    if (fault) return fault;
  }
  return undefined;
};

const faultOf = (value: JsonValue, depth: number) => {
  if (typeof value === 'string') return textFault(value);
  const isTooDeep = typeof value === 'object' && value !== null && depth > maxDepth;
  return isTooDeep ? `is nested deeper than ${maxDepth} levels` : undefined;
};

const textFault = (text: string) => {
  if (text.includes('\u0000')) return 'contains a NUL character';
  return text.isWellFormed() ? undefined : 'contains a lone surrogate';
};

/** Why a number is refused: as a double it would be another number (WR-4). */
export const inexactNumber =
  'cannot be kept exactly as a double; up to 15 digits between 1e-307 and 1e308 can';

/** A path that can be printed: names may be long and contain any character. */
export const printablePath = (path: string): string =>
  JSON.stringify(path.length > 80 ? `${path.slice(0, 77)}...` : path).slice(1, -1);
