import { refuse } from '../outcome.ts';
import { isJsonObject, type JsonObject } from './transaction.ts';

export type StrictJsonRefusal =
  | { ok: false; reason: 'not-utf-8' | 'not-json' | 'not-an-object' }
  | { ok: false; reason: 'repeated-name' | 'inexact-number'; path: string };

/**
 * The JSON object in the UTF-8 bytes, or why it is refused. No name may stand twice in an object (S-37), and every
 * number must fit a double (WR-4), which is stored and shown in its shortest text.
 */
export const parseStrictJson = (bytes: Uint8Array): { ok: true; value: JsonObject } | StrictJsonRefusal => {
  const text = decodeUtf8(bytes);
  if (text === undefined) return refuse('not-utf-8');
  const value = parse(text);
  if (value === undefined) return refuse('not-json');
  if (!isJsonObject(value)) return refuse('not-an-object');
  return findFault(text) ?? { ok: true, value };
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

/**
 * Every string, with the colon that makes it a name, every number, and the characters that open, separate and close.
 */
const tokens = /"((?:[^"\\]|\\.)*)"[ \t\n\r]*(:?)|-?\d[\d.eE+-]*|[{}[\],]/g;

/** An object with its names so far, or a list. `current` is the member or index that is being read. */
type Open = { names?: Set<string>; current: string | number };

/**
 * The first name that stands twice in its object, or number that would be read as another one, in text that
 * `JSON.parse` accepts. Some parsers keep the first of two equal names and some the last, and two readers of one text
 * must not disagree.
 */
const findFault = (json: string): Extract<StrictJsonRefusal, { path: string }> | undefined => {
  const open: Open[] = [];
  for (const [token, content = '', colon] of json.matchAll(tokens)) {
    const inner = open.at(-1);
    if (colon && inner?.names) {
      inner.current = content.includes('\\') ? JSON.parse(`"${content}"`) : content;
      if (inner.names.has(String(inner.current))) return { ...refuse('repeated-name'), path: pathOf(open) };
      inner.names.add(String(inner.current));
    } else if (/^[-\d]/.test(token)) {
      if (!isExact(token)) return { ...refuse('inexact-number'), path: pathOf(open) };
    } else step(open, token);
  }
  return undefined;
};

const pathOf = (open: readonly Open[]) => open.map(({ current }) => current).join('.');

const step = (open: Open[], token: string) => {
  const inner = open.at(-1);
  if (token === '{') open.push({ names: new Set(), current: '' });
  else if (token === '[') open.push({ current: 0 });
  else if (token === '}' || token === ']') open.pop();
  else if (token === ',' && typeof inner?.current === 'number') inner.current += 1;
};

/**
 * Whether the number equals a text that programs write for its double: the shortest one, such as `9.9`, or its 17
 * significant digits, `9.9000000000000004`. `1e-400` would become 0.
 */
const isExact = (written: string) => {
  if (alwaysExact.test(written)) return true;
  const [value, double] = [decimalOf(written), Number(written)];
  return value === decimalOf(String(double)) || value === decimalOf(double.toPrecision(17));
};

/** A double keeps fifteen digits. */
const alwaysExact = /^[-\d.]{1,15}$/;

/** The value of a decimal number, the same for each of its spellings: its significant digits and their exponent. */
const decimalOf = (text: string): string => {
  const [, sign, whole = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let end = digits.length;
  // A pattern for trailing zeros would take quadratic time.
  while (digits[end - 1] === '0') end -= 1;
  if (end === 0) return '0';
  return `${sign}${digits.slice(0, end)}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - end)}`;
};

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
