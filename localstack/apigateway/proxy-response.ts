import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type Outcome, refuse } from '../../functions/shared/domain/outcome.ts';

/** An HTTP answer to send; a header may have several values. */
export type ApiResponse = { status: number; headers: [name: string, values: string[]][]; body: Buffer };

/** The members that API Gateway accepts. Any other one makes the answer malformed. */
const members = ['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded'];
const responseBytesLimit = 6 * 1024 * 1024;

/** A function's result as an HTTP answer, or why it is malformed, for which API Gateway answers 502. */
export const proxyResponse = (payload: string): Outcome<ApiResponse, string> => {
  if (Buffer.byteLength(payload) > responseBytesLimit) return refused('it is larger than 6 MB');
  const result: unknown = JSON.parse(payload);
  if (!isRecord(result)) return refused('it is not an object');
  const unknown = Object.keys(result).find((name) => !members.includes(name));
  if (unknown) return refused(`it has an unknown member "${unknown}"`);
  const status = Number(result.statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return refused('it has no valid statusCode');
  if (!isAbsent(result.body) && typeof result.body !== 'string') return refused('its body is not a string');
  const headers = responseHeaders(result.headers, result.multiValueHeaders);
  if (!headers) return refused('its headers are not valid');
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded === true ? 'base64' : 'utf8');
  return { ok: true, value: { status, headers, body } };
};

const refused = refuse<string>;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;
const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Merges both maps; of a header in both, the multi-value map counts. The default type is JSON. */
const responseHeaders = (single: unknown, multi: unknown): ApiResponse['headers'] | undefined => {
  const headers = new Map<string, [string, string[]]>([
    ['content-type', ['Content-Type', ['application/json']]],
  ]);
  for (const map of [single ?? {}, multi ?? {}]) {
    if (!isRecord(map)) return undefined;
    for (const [name, value] of Object.entries(map)) {
      const values = (Array.isArray(value) ? value : [value]).filter((given) => !isAbsent(given));
      if (!values.every(isScalar) || !values.every((given) => isValidHeader(name, String(given))))
        return undefined;
      headers.set(name.toLowerCase(), [name, values.map(String)]);
    }
  }
  return [...headers.values()];
};

const isValidHeader = (name: string, value: string) => {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};
