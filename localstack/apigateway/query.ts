/** Both query maps of a REST proxy event; null for a request without parameters (QS-1). */
export type QueryMaps = {
  multiValueQueryStringParameters: Record<string, string[]> | null;
  queryStringParameters: Record<string, string> | null;
};

/**
 * Parses a raw query as API Gateway does. It splits on `&` and decodes each part once; `+` and `%20` are spaces; a name
 * without `=` is empty. The multi-value map keeps every value in the caller's order, the single-value map the last.
 */
export const queryMaps = (raw: string): QueryMaps => {
  const values = new Map<string, string[]>();
  for (const part of raw.split('&').filter((text) => text !== '')) {
    const [name, value] = splitOnce(part, '=').map(decodeOnce) as [string, string];
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  if (values.size === 0) return { multiValueQueryStringParameters: null, queryStringParameters: null };
  return {
    // `fromEntries` defines properties, so `__proto__` is a name like any other.
    multiValueQueryStringParameters: Object.fromEntries(values),
    queryStringParameters: Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1) ?? ''])),
  };
};

/** The text before and after the first separator; the second part is empty without one. */
export const splitOnce = (text: string, separator: string): [string, string] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
};

/**
 * Decodes any input without a fault (ERR-4): invalid UTF-8 becomes U+FFFD, and a percent sign without a byte stays. Links that
 * repeat the result give the same parameters again (LINK-3).
 */
const decodeOnce = (text: string): string => new URLSearchParams(`part=${text}`).get('part') ?? '';
