import type { APIGatewayProxyResult } from 'aws-lambda';
import { matchesNone } from './entity-tag.ts';
import type { HttpEvent } from './request.ts';
import type { HttpResponse, ResponseHeaders } from './response.ts';

/** On every answer, unless it says otherwise itself (COND-1, S-45, R-41). */
const defaultHeaders: ResponseHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
};

/** The last step of every answer: usual headers, 304 for a tag that the caller has (COND-1), no body on HEAD (VERB-1). */
export const toProxyResult = (
  event: HttpEvent,
  answer: HttpResponse,
  requestHeaders: ResponseHeaders,
): APIGatewayProxyResult => {
  const { status, headers, body } = isUnchanged(event, answer) ? notModified(answer) : answer;
  return {
    statusCode: status,
    headers: { ...defaultHeaders, ...headers, ...requestHeaders },
    body: event.httpMethod === 'HEAD' ? '' : body,
    isBase64Encoded: false,
  };
};

/** Only answers that show something have a tag. */
const isUnchanged = (event: HttpEvent, { headers }: HttpResponse) =>
  (event.httpMethod === 'GET' || event.httpMethod === 'HEAD') &&
  headers.ETag !== undefined &&
  !matchesNone(event, headers.ETag);

const notModified = ({ headers: { 'Content-Type': _, ...headers } }: HttpResponse): HttpResponse => ({
  status: 304,
  headers,
  body: '',
});

/** A Lambda answer is JSON of at most 6 MB, in which the body is a string with its quotes escaped; 64 kB for the rest. */
const largestBodyBytes = (6 * 1024 - 64) * 1024;

/** Whether Lambda would refuse the answer, which the caller would see as 502 (S-35). */
export const isTooLarge = ({ body }: HttpResponse): boolean =>
  couldBeTooLarge(body) && Buffer.byteLength(JSON.stringify(body)) > largestBodyBytes;

/** At worst a UTF-16 unit takes six bytes as an escape; small answers need no second look. */
const couldBeTooLarge = (body: string) => body.length * 6 > largestBodyBytes;
