import type { FieldError } from '../domain/query/filter.ts';
import { type HttpResponse, json, type ResponseHeaders } from './response.ts';

const rfc9110 = 'https://www.rfc-editor.org/rfc/rfc9110#section-';

/**
 * Every problem that a caller may meet (ERR-1): status, reason phrase, and the text where the refusing code gives none.
 * `page` is the address that explains it.
 */
export const problems = {
  'bad-request': {
    status: 400,
    title: 'Bad Request',
    page: `${rfc9110}15.5.1`,
    detail: 'Your request could not be understood.',
  },
  'invalid-credentials': {
    status: 401,
    title: 'Unauthorized',
    page: `${rfc9110}15.5.2`,
    detail: 'Your request was made with invalid credentials.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    page: `${rfc9110}15.5.4`,
    detail: 'You are not allowed to perform this action.',
  },
  'not-found': {
    status: 404,
    title: 'Not Found',
    page: `${rfc9110}15.5.5`,
    detail: 'The requested resource was not found.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method Not Allowed',
    page: `${rfc9110}15.5.6`,
    detail: 'The method is not allowed here; the Allow header names those that are.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    page: `${rfc9110}15.5.10`,
    detail: 'The request does not fit the present state of the transaction.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition Failed',
    page: `${rfc9110}15.5.13`,
    detail: 'The transaction is not in the version that If-Match names.',
  },
  'content-too-large': {
    status: 413,
    title: 'Content Too Large',
    page: `${rfc9110}15.5.14`,
    detail: 'The request is larger than the service takes.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported Media Type',
    page: `${rfc9110}15.5.16`,
    detail: 'The body must be JSON, and Content-Type must say so.',
  },
  'invalid-parameters': {
    status: 422,
    title: 'Unprocessable Content',
    page: `${rfc9110}15.5.21`,
    detail: 'Some parameters are invalid; errors names each of them.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too Many Requests',
    page: 'https://www.rfc-editor.org/rfc/rfc6585#section-4',
    detail: 'Too many requests. Try again after the time in Retry-After.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal Server Error',
    page: `${rfc9110}15.6.1`,
    detail: 'An internal error occurred. Quote the request id when you report it.',
  },
  unavailable: {
    status: 503,
    title: 'Service Unavailable',
    page: `${rfc9110}15.6.4`,
    detail: 'The service is not available at the moment. Try again after the time in Retry-After.',
  },
} as const;
export type ProblemName = keyof typeof problems;

/** A refusal or a fault, before it is written with the facts of its request. */
export type Problem = {
  problem: ProblemName;
  headers: ResponseHeaders;
  detail?: string;
  errors?: readonly FieldError[];
};

/** What handlers and middleware return; `respond` makes the proxy result of it. */
export type HandlerResult = HttpResponse | Problem;

/** A problem by its name, with what the refusing code knows better. */
export const problem = (name: ProblemName, more: Partial<Omit<Problem, 'problem'>> = {}): Problem => ({
  problem: name,
  headers: {},
  ...more,
});

/** 401; it names an `error` only when a token was presented (ERR-2), and where the resource is described, if it is. */
export const invalidCredentials = ({ tokenPresented, resourceMetadata }: Challenge): Problem => {
  const error = tokenPresented ? ', error="invalid_token"' : '';
  const described = resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata}"`;
  return problem('invalid-credentials', {
    headers: { 'WWW-Authenticate': `Bearer realm="api"${error}${described}` },
  });
};

type Challenge = { tokenPresented: boolean; resourceMetadata?: string };

/** 400 where a request carries two tokens (RFC 6750 section 3.1). */
export const twoTokens = (kind: 'token' | 'session token'): Problem =>
  problem('bad-request', {
    detail: `Send one ${kind}, in the Authorization header only.`,
    headers: { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_request"' },
  });

/** 403 for a missing OAuth scope (ERR-2). */
export const insufficientScope = (oauthScope: string): Problem =>
  problem('forbidden', {
    detail: `The access token lacks the OAuth scope ${oauthScope}.`,
    headers: {
      'WWW-Authenticate': `Bearer realm="api", error="insufficient_scope", scope="${oauthScope}"`,
    },
  });

/** 404, in the same words whatever was not found. */
export const notFound = (): Problem => problem('not-found');

/** 503, to be tried again after two seconds. */
export const unavailable = (): Problem => problem('unavailable', { headers: { 'Retry-After': '2' } });

/** Writes a problem as the response of one API. */
export type ProblemWriter = (problem: Problem, request: { path: string; requestId: string }) => HttpResponse;

/** The members of RFC 9457 together with those that the service's clients know (ERR-1). */
export const writeProblemJson: ProblemWriter = ({ problem: name, headers, errors, ...more }, request) => {
  const { status, title, page, detail: usualDetail } = problems[name];
  const detail = more.detail ?? usualDetail;
  return json(
    status,
    {
      type: page,
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
