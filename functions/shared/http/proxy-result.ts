import type { APIGatewayProxyResult } from 'aws-lambda';
import { matchesNone } from './entity-tag.ts';
import type { HttpEvent } from './request.ts';
import type { HttpResponse, ResponseHeaders } from './response.ts';

/** The last step of every response: default headers, 304 if the caller has the tag, no body for HEAD (VERB-1). */
export const toProxyResult = (
  event: HttpEvent,
  response: HttpResponse,
  requestHeaders: ResponseHeaders,
): APIGatewayProxyResult => {
  const { status, headers, body } = isUnchanged(event, response) ? notModified(response) : response;
  return {
    statusCode: status,
    headers: { ...defaultHeaders, ...headers, ...requestHeaders },
    body: event.httpMethod === 'HEAD' ? '' : body,
    isBase64Encoded: false,
  };
};

/** On every response that does not set these itself (S-45). */
const defaultHeaders: ResponseHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
};

/** Only responses that show something have a tag. */
const isUnchanged = (event: HttpEvent, { headers }: HttpResponse) =>
  (event.httpMethod === 'GET' || event.httpMethod === 'HEAD') &&
  headers.ETag !== undefined &&
  !matchesNone(event, headers.ETag);

const notModified = ({ headers: { 'Content-Type': _, ...headers } }: HttpResponse): HttpResponse => ({
  status: 304,
  headers,
  body: '',
});

/** A Lambda result is JSON of at most 6 MB, in which the body is an escaped string. 64 kB are for the rest. */
const largestResponseBytes = (6 * 1024 - 64) * 1024;

/** Whether Lambda would refuse the response, which the caller would see as 502 (S-35). */
export const isTooLarge = ({ body }: HttpResponse): boolean =>
  couldBeTooLarge(body) && bytesInResult(body) > largestResponseBytes;

/** An escaped UTF-16 unit takes at most six bytes, so small responses need no exact count. */
const couldBeTooLarge = (body: string) => body.length * 6 > largestResponseBytes;

const bytesInResult = (body: string) => Buffer.byteLength(JSON.stringify(body));

/** How many of these records fit into one response, in any choice of them (WR-4). */
export const fittingCount = ({ body }: HttpResponse, records: readonly unknown[]): number => {
  const sizes = records.map((record) => bytesInResult(JSON.stringify(record)));
  const besideRecords = bytesInResult(body) - sizes.reduce((sum, size) => sum + size, 0);
  return Math.floor((largestResponseBytes - besideRecords) / Math.max(...sizes));
};
