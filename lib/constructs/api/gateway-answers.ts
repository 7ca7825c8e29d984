import { type ProblemName, problems, problemType } from '../../../functions/shared/http/problem.ts';

/**
 * A response of the gateway itself; `paragraph` of docs/guide/problems.md explains it. `4XX` and `5XX` keep the status of the
 * original response.
 */
export type GatewayAnswer = {
  status: number | '4XX' | '5XX';
  title: string;
  paragraph: string;
  detail: string;
};

/** The answer that a function would give. */
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
/** The default of all 4xx: a fixed status would change theirs. */
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
 * The gateway's responses by its names. No method needs an AWS signature, so every error about signatures means an unknown
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
  // Also for a throttled function, whose 429 the gateway does not pass on.
  INTEGRATION_FAILURE: unavailable,
  INTEGRATION_TIMEOUT: tookTooLong,
  API_CONFIGURATION_ERROR: asFunctions('internal-error'),
  DEFAULT_4XX: refused,
  DEFAULT_5XX: failed,
} as const satisfies Record<string, GatewayAnswer>;

/**
 * `Retry-After` in seconds: the firewall's window for its 429, otherwise 2. All of 5xx have it: a throttled function ends as 500,
 * by an undocumented response ("Handling Lambda errors with an API Gateway API").
 */
const retryAfter = (name: string, { status }: GatewayAnswer): Record<string, string> => {
  if (name === 'WAF_FILTERED') return { 'Retry-After': "'60'" };
  const helps = status === 429 || String(status).startsWith('5');
  return helps ? { 'Retry-After': "'2'" } : {};
};

/**
 * A problem in the format of the functions (ERR-1), in the gateway's syntax. `instance` is the request's id, since the gateway
 * would not escape a path. `4XX` and `5XX` have no `status` member.
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

/** An error in the format of RFC 6749 section 5.2 (ERR-6). */
export const gatewayOAuthError = ({ status, detail }: GatewayAnswer) => ({
  error: oauthErrorOf(status),
  error_description: detail,
});

const oauthErrorOf = (status: GatewayAnswer['status']): string => {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return String(status).startsWith('4') ? 'invalid_request' : 'server_error';
};

/** The two REST APIs. */
export type ApiName = 'tokens' | 'transactions';

/** A response of the gateway as it is declared; header values are in the gateway's syntax. */
export type GatewayResponse = {
  type: string;
  /** Absent where the status of the original response stays. */
  status?: number;
  headers: Record<string, string>;
  body: object;
};

/** The gateway's own responses in the format of the API, each with a `Request-Id` (ERR-5). */
export const gatewayResponses = (api: ApiName, baseUrl: string): GatewayResponse[] =>
  Object.entries(gatewayAnswers).map(([type, answer]) => ({
    type,
    ...(typeof answer.status === 'number' && { status: answer.status }),
    headers: {
      ...usualHeaders,
      ...(api === 'transactions' && readableByScripts),
      ...retryAfter(type, answer),
      'Content-Type': api === 'tokens' ? "'application/json'" : "'application/problem+json'",
    },
    body: api === 'tokens' ? gatewayOAuthError(answer) : gatewayProblem(answer, baseUrl),
  }));

/** Values in the gateway's syntax: a variable of the request, or a text in single quotes. */
const usualHeaders = {
  'Request-Id': 'context.requestId',
  'Cache-Control': "'no-store'",
  'X-Content-Type-Options': "'nosniff'",
  'Strict-Transport-Security': "'max-age=31536000; includeSubDomains'",
};

/** Any origin, since the gateway does not know the storefronts' and these answers hold nothing confidential. */
const readableByScripts = {
  'Access-Control-Allow-Origin': "'*'",
  'Access-Control-Expose-Headers': "'Request-Id, Retry-After'",
};
