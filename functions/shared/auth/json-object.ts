import type { JsonObject } from '../domain/transaction.ts';

/** A JSON object in UTF-8 whose every name stands once in its object, or undefined. */
export const parseJsonObject = (bytes: Uint8Array): JsonObject | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return isObject(value) && !hasRepeatedNames(text) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every string, with the colon that makes it a name, and every brace; what lies between needs no look. */
const stringsAndBraces = /"((?:[^"\\]|\\.)*)"[ \t\n\r]*(:?)|[{}]/g;

/** Expects text that `JSON.parse` takes: parsers that keep the first and those that keep the last name disagree. */
const hasRepeatedNames = (text: string): boolean => {
  const open: Set<string>[] = [];
  for (const [token, content, colon] of text.matchAll(stringsAndBraces)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon && isRepeated(open.at(-1), JSON.parse(`"${content}"`))) return true;
  }
  return false;
};

const isRepeated = (names: Set<string> | undefined, name: string) => {
  if (names?.has(name)) return true;
  names?.add(name);
  return false;
};
