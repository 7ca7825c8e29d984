/** Both query maps of a REST proxy event; null when the request has no parameters (QS-1). */
export type QueryMaps = {
  multiValueQueryStringParameters: Record<string, string[]> | null;
  queryStringParameters: Record<string, string> | null;
};

/**
 * What API Gateway makes of a raw query: split on `&`, each part decoded once, `+` and `%20` are spaces; a name without
 * `=` is empty; the multi-value map keeps every value in the caller's order, the single-value map the last.
 */
export const queryMaps = (raw: string): QueryMaps => {
  const values = new Map<string, string[]>();
  for (const part of raw.split('&').filter((text) => text !== '')) {
    const [name, value] = splitOnce(part, '=').map(decodeOnce) as [string, string];
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  if (values.size === 0) return { multiValueQueryStringParameters: null, queryStringParameters: null };
  return {
    // fromEntries defines, it does not assign: `__proto__` is a name like any other.
    multiValueQueryStringParameters: Object.fromEntries(values),
    queryStringParameters: Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1) ?? ''])),
  };
};

/** The text before and after the first separator; the second is empty where there is none. */
export const splitOnce = (text: string, separator: string): [string, string] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
};

/**
 * Bytes that are no UTF-8 become U+FFFD, and a percent sign that begins no byte stays one: no input may be a fault
 * (ERR-4), and an address that repeats the result gives the same parameters again (LINK-3).
 */
const decodeOnce = (text: string): string => new URLSearchParams(`part=${text}`).get('part') ?? '';
