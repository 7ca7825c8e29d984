import type { FieldError } from '../domain/query/filter.ts';
import { transactionsPerSession } from '../domain/session.ts';
import { type HttpResponse, json, type ResponseHeaders } from './response.ts';

/**
 * Every problem that callers can get (ERR-1), by the name of its section in docs/guide/problems.md: status, reason
 * phrase, and a default text.
 */
export const problems = {
  'bad-request': {
    status: 400,
    title: 'Bad Request',
    detail: 'Your request could not be understood.',
  },
  'malformed-body': {
    status: 400,
    title: 'Bad Request',
    detail: 'The body is not a JSON object.',
  },
  'malformed-idempotency-key': {
    status: 400,
    title: 'Bad Request',
    detail: 'Idempotency-Key must be one value of 1 to 255 printable ASCII characters without spaces.',
  },
  'answer-too-large': {
    status: 400,
    title: 'Bad Request',
    detail: 'The answer would be larger than 6 MB. Ask for fewer records, or for fewer fields.',
  },
  'invalid-credentials': {
    status: 401,
    title: 'Unauthorized',
    detail: 'Your request was made with invalid credentials.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    detail: 'You are not allowed to perform this action.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'Forbidden',
    detail: 'The access token lacks an OAuth scope.',
  },
  'no-storefront': {
    status: 403,
    title: 'Forbidden',
    detail: 'No storefront for this location is registered.',
  },
  'not-found': {
    status: 404,
    title: 'Not Found',
    detail: 'The requested resource was not found.',
  },
  'transaction-not-found': {
    status: 404,
    title: 'Not Found',
    detail: 'The transaction does not exist, was deleted, or is outside your grants.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method Not Allowed',
    detail: 'The method is not allowed here. The Allow header names those that are.',
  },
  'transaction-complete': {
    status: 409,
    title: 'Conflict',
    detail: 'The transaction is complete and can no longer be changed here.',
  },
  'session-full': {
    status: 409,
    title: 'Conflict',
    detail: `The session has reached its limit of ${transactionsPerSession} transactions. Use one of them, or send no token to begin a new session.`,
  },
  'read-scope-missing': {
    status: 409,
    title: 'Conflict',
    detail: 'You cannot receive events without the OAuth scope nop2/read.',
  },
  'webhook-missing': {
    status: 409,
    title: 'Conflict',
    detail: 'You have no webhook. Set its address first.',
  },
  'webhook-paused': {
    status: 409,
    title: 'Conflict',
    detail: 'Your webhook is paused. Its events are kept, and sent when it is resumed.',
  },
  'webhook-paused-by-operator': {
    status: 409,
    title: 'Conflict',
    detail: 'Your operator paused your webhook. Only your operator can resume it.',
  },
  'signature-not-announced': {
    status: 409,
    title: 'Conflict',
    detail: 'There is no next signature to switch to. Create one first.',
  },
  'changed-meanwhile': {
    status: 409,
    title: 'Conflict',
    detail: 'Your record was changed at the same moment. This request changed nothing. Send it again.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition Failed',
    detail: 'The transaction was changed: its version is not the one in If-Match.',
  },
  'content-too-large': {
    status: 413,
    title: 'Content Too Large',
    detail: 'The request is larger than the service accepts.',
  },
  'transaction-too-large': {
    status: 413,
    title: 'Content Too Large',
    detail: 'The transaction would be larger than the service stores.',
  },
  'payments-too-large': {
    status: 413,
    title: 'Content Too Large',
    detail: 'The payments of the transaction would be larger than the service stores.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported Media Type',
    detail: 'The body must be JSON, with a JSON media type as its Content-Type.',
  },
  'unsupported-content-encoding': {
    status: 415,
    title: 'Unsupported Media Type',
    detail: 'The body must not be compressed. Send it without Content-Encoding.',
  },
  'invalid-parameters': {
    status: 422,
    title: 'Unprocessable Content',
    detail: 'Some parameters are invalid; errors names each of them.',
  },
  'unfitting-cursor': {
    status: 422,
    title: 'Unprocessable Content',
    detail: 'The cursor does not belong to this request. Begin without it.',
  },
  'several-franchises': {
    status: 422,
    title: 'Unprocessable Content',
    detail: 'The location has several franchises. Name one.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Unprocessable Content',
    detail: 'The Idempotency-Key was used with another body.',
  },
  'number-out-of-range': {
    status: 422,
    title: 'Unprocessable Content',
    detail: 'A number in the body cannot be stored exactly; errors names it.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too Many Requests',
    detail: 'Too many requests. Try again after the time in Retry-After.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal Server Error',
    detail: 'An internal error occurred. Quote the request id when you report it.',
  },
  unavailable: {
    status: 503,
    title: 'Service Unavailable',
    detail: 'The service is not available at the moment. Try again after the time in Retry-After.',
  },
} as const;
export type ProblemName = keyof typeof problems;

/** The type of a problem: the address of its explanation (RFC 9457 section 3.1.1). */
export const problemType = (baseUrl: string, paragraph: string): string =>
  `${baseUrl}/docs/problems#${paragraph}`;

/** A refusal or a fault, before the facts of its request are added. */
export type Problem = {
  problem: ProblemName;
  headers: ResponseHeaders;
  detail?: string;
  errors?: readonly FieldError[];
};

/** What handlers and middleware return. `respond` makes the proxy result. */
export type HandlerResult = HttpResponse | Problem;

/** A problem by its name, with details from the refusing code. */
export const problem = (name: ProblemName, more: Partial<Omit<Problem, 'problem'>> = {}): Problem => ({
  problem: name,
  headers: {},
  ...more,
});

/**
 * 401. Has an `error` only if a token was presented (ERR-2), and the address of the resource's metadata, if there is
 * one.
 */
export const invalidCredentials = ({ tokenPresented, resourceMetadata }: Challenge): Problem => {
  const error = tokenPresented ? ', error="invalid_token"' : '';
  const described = resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata}"`;
  return problem('invalid-credentials', {
    headers: { 'WWW-Authenticate': `Bearer realm="api"${error}${described}` },
  });
};

type Challenge = { tokenPresented: boolean; resourceMetadata?: string };

/** 400 for a request with two tokens (RFC 6750 section 3.1). */
export const twoTokens = (kind: 'token' | 'session token'): Problem =>
  problem('bad-request', {
    detail: `Send one ${kind}, in the Authorization header only.`,
    headers: { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_request"' },
  });

/** 403 for a missing OAuth scope (ERR-2). */
export const insufficientScope = (oauthScope: string): Problem =>
  problem('insufficient-scope', {
    detail: `The access token lacks the OAuth scope ${oauthScope}.`,
    headers: {
      'WWW-Authenticate': `Bearer realm="api", error="insufficient_scope", scope="${oauthScope}"`,
    },
  });

/** 404, with the same text for anything that was not found. */
export const notFound = (): Problem => problem('not-found');

/** 503, with a retry after two seconds. */
export const unavailable = (): Problem => problem('unavailable', { headers: { 'Retry-After': '2' } });

/** Writes a problem as the response of one API. */
export type ProblemWriter = (problem: Problem, request: { path: string; requestId: string }) => HttpResponse;

/** The members of RFC 9457, and those that older clients know (ERR-1). */
export const createProblemWriter =
  (baseUrl: string): ProblemWriter =>
  ({ problem: name, headers, errors, ...more }, request) => {
    const { status, title, detail: usualDetail } = problems[name];
    const detail = more.detail ?? usualDetail;
    return json(
      status,
      {
        type: problemType(baseUrl, name),
        title,
        status,
        detail,
        instance: request.path,
        name: title,
        message: detail,
        code: 0,
        requestId: request.requestId,
        ...(errors && { errors }),
      },
      { ...headers, 'Content-Type': 'application/problem+json' },
    );
  };
