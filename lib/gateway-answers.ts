import { type ProblemName, problems, problemType } from '../functions/shared/http/problem.ts';

/**
 * A response that the gateway gives instead of a function; `paragraph` of docs/guide/problems.md explains it. Those for all of
 * 4xx or 5xx keep the status of what they stand for.
 */
export type GatewayAnswer = {
  status: number | '4XX' | '5XX';
  title: string;
  paragraph: string;
  detail: string;
};

/** What a function would have said. */
const asFunctions = (name: ProblemName): GatewayAnswer => ({ ...problems[name], paragraph: name });

const notFound = asFunctions('not-found');
const unavailable = asFunctions('unavailable');
const tooMany = asFunctions('too-many-requests');
// AWS sends its own body with 413; only status and headers can be set (S-75).
const tooLarge: GatewayAnswer = {
  status: 413,
  title: 'Content Too Large',
  paragraph: 'content-too-large',
  detail: 'The request is larger than 10 MB.',
};
const tookTooLong: GatewayAnswer = {
  status: 504,
  title: 'Gateway Timeout',
  paragraph: 'gateway-timeout',
  detail: 'The service did not answer in time. Try again after the time in Retry-After.',
};
/** A fixed status would rewrite that of everything without a response of its own. */
const refused: GatewayAnswer = {
  status: '4XX',
  title: 'Request Refused',
  paragraph: 'request-refused',
  detail: 'The request was refused before it reached the service.',
};
const failed: GatewayAnswer = {
  status: '5XX',
  title: 'Service Failure',
  paragraph: 'service-failure',
  detail: 'The service did not answer as it should.',
};

/**
 * By the gateway's names for them. No method needs an AWS signature, so every gateway error about signatures means an unknown
 * route (ERR-5).
 */
export const gatewayAnswers = {
  MISSING_AUTHENTICATION_TOKEN: notFound,
  INVALID_SIGNATURE: notFound,
  EXPIRED_TOKEN: notFound,
  ACCESS_DENIED: notFound,
  RESOURCE_NOT_FOUND: notFound,
  BAD_REQUEST_PARAMETERS: asFunctions('bad-request'),
  BAD_REQUEST_BODY: asFunctions('bad-request'),
  UNSUPPORTED_MEDIA_TYPE: asFunctions('unsupported-media-type'),
  REQUEST_TOO_LARGE: tooLarge,
  THROTTLED: tooMany,
  QUOTA_EXCEEDED: tooMany,
  // The firewall has rules about rates only.
  WAF_FILTERED: tooMany,
  // A function that is throttled, too: it answers the gateway 429, and nobody is told that.
  INTEGRATION_FAILURE: unavailable,
  INTEGRATION_TIMEOUT: tookTooLong,
  API_CONFIGURATION_ERROR: asFunctions('internal-error'),
  DEFAULT_4XX: refused,
  DEFAULT_5XX: failed,
} as const satisfies Record<string, GatewayAnswer>;

/**
 * Who is over a rate of the firewall waits for as long as it counts. AWS documents that a function that is throttled ends as
 * 500 ("Handling Lambda errors with an API Gateway API"), and not by which of these: so all of 5xx say when to try again.
 */
export const retryAfter = (name: string, { status }: GatewayAnswer): Record<string, string> => {
  if (name === 'WAF_FILTERED') return { 'Retry-After': "'60'" };
  const helps = status === 429 || String(status).startsWith('5');
  return helps ? { 'Retry-After': "'2'" } : {};
};

/**
 * A problem in the format of the functions (ERR-1), in the gateway's syntax. Its `instance` is the request's id: a path would
 * be put into the JSON unescaped. Where the status is that of something else, only its line says which.
 */
export const gatewayProblem = ({ status, title, paragraph, detail }: GatewayAnswer, baseUrl: string) => ({
  type: problemType(baseUrl, paragraph),
  title,
  ...(typeof status === 'number' && { status }),
  detail,
  instance: 'urn:uuid:$context.requestId',
  name: title,
  message: detail,
  code: 0,
  requestId: '$context.requestId',
});

/** An error in the format of RFC 6749, 5.2 (ERR-6). */
export const gatewayOAuthError = ({ status, detail }: GatewayAnswer) => ({
  error: oauthErrorOf(status),
  error_description: detail,
});

const oauthErrorOf = (status: GatewayAnswer['status']): string => {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return String(status).startsWith('4') ? 'invalid_request' : 'server_error';
};
