/** An answer, read to the end. */
export type Answer = { request: string; status: number; headers: Headers; text: string };

/** One thing that must hold, in words for whoever reads that it does not. */
export type Expectation = { expected: string; came: string; holds: boolean };

/** The value at a path of an answer's JSON; undefined where there is none, or no JSON. */
export const at = (answer: Answer, ...path: (string | number)[]): unknown => within(json(answer), ...path);

/** The value at a path; undefined where there is none. */
export const within = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], value);

/** The list at a path; empty where there is none. */
export const listAt = (answer: Answer, ...path: (string | number)[]): unknown[] => {
  const found = at(answer, ...path);
  return Array.isArray(found) ? found : [];
};

const json = ({ text }: Answer): unknown => {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
};

/** The status is one of these. */
export const hasStatus = (answer: Answer, ...wanted: number[]): Expectation => ({
  expected: `status ${wanted.join(' or ')} to ${shortened(answer.request)}`,
  came: `${answer.status} ${shortened(answer.text)}`.trimEnd(),
  holds: wanted.includes(answer.status),
});

/** A header is of this form; without a form, there is none. */
export const hasHeader = (answer: Answer, name: string, form?: RegExp): Expectation => {
  const value = answer.headers.get(name);
  return {
    expected: `${form ? `${name} like ${form}` : `no ${name}`} for ${shortened(answer.request)}`,
    came: value === null ? 'none' : shortened(value),
    holds: form ? value !== null && form.test(value) : value === null,
  };
};

/** Two values are the same text. */
export const isSame = (what: string, wanted: unknown, came: unknown): Expectation => ({
  expected: `${what}: ${shortened(textOf(wanted))}`,
  came: shortened(textOf(came)),
  holds: textOf(wanted) === textOf(came),
});

/** Something is so, where neither value is of interest. */
export const isTrue = (expected: string, holds: boolean, came = 'it is not so'): Expectation => ({
  expected,
  came,
  holds,
});

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');

/** One line of at most 120 characters. */
const shortened = (text: string) => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
};
