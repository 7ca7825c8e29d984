import { type IncomingMessage, validateHeaderName, validateHeaderValue } from 'node:http';
import { type Outcome, refuse, succeed } from '../../functions/shared/domain/outcome.ts';
import type { HttpEvent } from '../../functions/shared/http/request.ts';
import type { Route } from './wiring.ts';

/** An HTTP answer to send; a header may have several values. */
export type Answer = { status: number; headers: [name: string, values: string[]][]; body: Buffer };

/** The route that a request chose, and the values of its path. */
export type Match = { route: Route; pathParameters: Record<string, string> | null };
/** A request with its target taken apart. */
export type Call = { id: string; path: string; query: string; match?: Match | undefined };

/** The event of a REST API's Lambda proxy integration, with the members that functions use. */
export const proxyEvent = (
  { method: httpMethod = 'GET', rawHeaders, socket }: IncomingMessage,
  { id: requestId, path, query, match }: Call,
  body: Buffer,
): HttpEvent => {
  const text = body.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(body);
  const identity = { sourceIp: socket.remoteAddress ?? '127.0.0.1' };
  return {
    ...{ httpMethod, path, resource: match?.route.path ?? '', pathParameters: match?.pathParameters ?? null },
    multiValueHeaders: headerValues(rawHeaders),
    multiValueQueryStringParameters: queryValues(query),
    body: body.length === 0 ? null : isText ? text : body.toString('base64'),
    isBase64Encoded: !isText,
    requestContext: { requestId, identity } as HttpEvent['requestContext'],
  };
};

/**
 * A raw query as API Gateway reads it: split on `&`, each part decoded once; `+` and `%20` are spaces; a name without `=` is
 * empty. Names keep the caller's order; null without parameters (QS-1).
 */
export const queryValues = (query: string) => {
  const values = new Map<string, string[]>();
  for (const part of query.split('&').filter((text) => text !== '')) {
    const [name = '', value = ''] = splitOnce(part, '=').map(decodeOnce);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  // `fromEntries` defines properties, so `__proto__` is a name like any other.
  return values.size === 0 ? null : Object.fromEntries(values);
};

/** Decodes any input without a fault (ERR-4): invalid UTF-8 becomes U+FFFD, and a percent sign without a byte stays. */
const decodeOnce = (text: string): string => new URLSearchParams(`part=${text}`).get('part') ?? '';

/** Names keep the caller's case; spellings of different case are one header, under the first one. */
const headerValues = (rawHeaders: string[]) => {
  const spellings = new Map<string, string>();
  const values = new Map<string, string[]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [sent = '', value = ''] = rawHeaders.slice(at, at + 2);
    const name = spellings.get(sent.toLowerCase()) ?? sent;
    spellings.set(sent.toLowerCase(), name);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return Object.fromEntries(values);
};

/** The members that API Gateway accepts of a function. Any other one makes the answer malformed. */
const members = ['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded'];
const answerBytesLimit = 6 * 1024 * 1024;

/** A function's result as an HTTP answer, or why it is malformed, for which API Gateway answers 502. */
export const proxyAnswer = (payload: string): Outcome<Answer, string> => {
  if (Buffer.byteLength(payload) > answerBytesLimit) return refuse('it is larger than 6 MB');
  const result: unknown = JSON.parse(payload);
  if (!isRecord(result)) return refuse('it is not an object');
  const unknown = Object.keys(result).find((name) => !members.includes(name));
  if (unknown) return refuse(`it has an unknown member "${unknown}"`);
  const status = Number(result.statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return refuse('it has no valid statusCode');
  const { body = null } = result;
  if (body !== null && typeof body !== 'string') return refuse('its body is not a string');
  const headers = answerHeaders(result.headers ?? {}, result.multiValueHeaders ?? {});
  if (!headers) return refuse('its headers are not valid');
  const encoding = result.isBase64Encoded === true ? 'base64' : 'utf8';
  return succeed({ status, headers, body: Buffer.from(body ?? '', encoding) });
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges both maps; of a header in both, the multi-value map counts. The default type is JSON. */
const answerHeaders = (...maps: unknown[]): Answer['headers'] | undefined => {
  const headers = new Map<string, [string, string[]]>([
    ['content-type', ['Content-Type', ['application/json']]],
  ]);
  for (const map of maps) {
    if (!isRecord(map)) return undefined;
    for (const [name, value] of Object.entries(map)) {
      const values = [value].flat().filter((given) => given !== null && given !== undefined);
      if (!values.every((given) => isValidHeader(name, given))) return undefined;
      headers.set(name.toLowerCase(), [name, values.map(String)]);
    }
  }
  return [...headers.values()];
};

const isValidHeader = (name: string, value: unknown) => {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return false;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
    return true;
  } catch {
    return false;
  }
};

/** The text before and after the first separator; the second part is empty without one. */
export const splitOnce = (text: string, separator: string): [string, string] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
};
