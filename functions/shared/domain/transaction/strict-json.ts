import { refuse } from '../outcome.ts';
import { isJsonObject, type JsonObject } from './transaction.ts';

export type StrictJsonRefusal =
  | { ok: false; reason: 'not-utf-8' | 'not-json' | 'not-an-object' }
  | { ok: false; reason: 'repeated-name'; path: string };

/** The JSON object that the bytes spell in UTF-8, every name once in its object (S-37), or why there is none. */
export const parseStrictJson = (bytes: Uint8Array): { ok: true; value: JsonObject } | StrictJsonRefusal => {
  const text = decodeUtf8(bytes);
  if (text === undefined) return refuse('not-utf-8');
  const value = parse(text);
  if (value === undefined) return refuse('not-json');
  if (!isJsonObject(value)) return refuse('not-an-object');
  const path = repeatedName(text);
  return path === undefined ? { ok: true, value } : { ...refuse('repeated-name'), path };
};

const decodeUtf8 = (bytes: Uint8Array) => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Every string, with the colon that makes it a name, and every bracket; what lies between needs no look. */
const stringsAndBrackets = /"((?:[^"\\]|\\.)*)"[ \t\n\r]*(:?)|[{}]/g;

type OpenObject = { names: Set<string>; current: string };

/**
 * The path to the first name that stands twice in its object, in text that `JSON.parse` takes. Some parsers keep the
 * first of two equal names and some the last, and two readers of one text must not disagree.
 */
const repeatedName = (json: string): string | undefined => {
  const open: OpenObject[] = [];
  for (const [token, content = '', colon] of json.matchAll(stringsAndBrackets)) {
    const inner = open.at(-1);
    if (token === '{') open.push({ names: new Set(), current: '' });
    else if (token === '}') open.pop();
    else if (colon && inner) {
      inner.current = content.includes('\\') ? JSON.parse(`"${content}"`) : content;
      if (inner.names.has(inner.current)) return open.map(({ current }) => current).join('.');
      inner.names.add(inner.current);
    }
  }
  return undefined;
};
