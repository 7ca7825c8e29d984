import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { problems } from '../../functions/shared/http/problem.ts';

/**
 * A response that the gateway gives instead of a function; `page` is the address that explains it. Those for all of 4xx or
 * 5xx keep the status of what they stand for.
 */
export type GatewayAnswer = { status: number | '4XX' | '5XX'; title: string; page: string; detail: string };

/** Writes such a response in the format of one API; `headers` are those that only this API has. */
export type AnswerBody = (answer: GatewayAnswer) => {
  contentType: string;
  body: object;
  headers?: Record<string, string>;
};

const notFound = problems['not-found'];
const unavailable = problems.unavailable;
const tooMany: GatewayAnswer = {
  status: 429,
  title: 'Too Many Requests',
  page: 'https://www.rfc-editor.org/rfc/rfc6585#section-4',
  detail: 'Too many requests. Try again after the time in Retry-After.',
};
// AWS sends its own body with 413; only status and headers can be set (S-75).
const tooLarge: GatewayAnswer = {
  status: 413,
  title: 'Content Too Large',
  page: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.14',
  detail: 'The request is larger than 10 MB.',
};
const tookTooLong: GatewayAnswer = {
  status: 504,
  title: 'Gateway Timeout',
  page: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.6.5',
  detail: 'The service did not answer in time. Try again after the time in Retry-After.',
};
/** A fixed status would rewrite that of everything without a response of its own. */
const refused: GatewayAnswer = {
  status: '4XX',
  title: 'Request Refused',
  page: 'about:blank',
  detail: 'The request was refused before it reached the service.',
};
const failed: GatewayAnswer = {
  status: '5XX',
  title: 'Service Failure',
  page: 'about:blank',
  detail: 'The service did not answer as it should.',
};

/** No method needs an AWS signature, so every gateway error about signatures means an unknown route (ERR-5). */
const answers: Record<string, GatewayAnswer> = {
  MISSING_AUTHENTICATION_TOKEN: notFound,
  INVALID_SIGNATURE: notFound,
  EXPIRED_TOKEN: notFound,
  ACCESS_DENIED: notFound,
  RESOURCE_NOT_FOUND: notFound,
  BAD_REQUEST_PARAMETERS: problems['bad-request'],
  BAD_REQUEST_BODY: problems['bad-request'],
  UNSUPPORTED_MEDIA_TYPE: problems['unsupported-media-type'],
  REQUEST_TOO_LARGE: tooLarge,
  THROTTLED: tooMany,
  QUOTA_EXCEEDED: tooMany,
  // The firewall has rules about rates only.
  WAF_FILTERED: tooMany,
  // A function that is throttled, too: it answers the gateway 429, and nobody is told that.
  INTEGRATION_FAILURE: unavailable,
  INTEGRATION_TIMEOUT: tookTooLong,
  API_CONFIGURATION_ERROR: problems['internal-error'],
  DEFAULT_4XX: refused,
  DEFAULT_5XX: failed,
};

/** Gives the gateway's own responses the format of the API, each with a `Request-Id` (ERR-5). */
export const addGatewayResponses = (api: RestApi, answerBody: AnswerBody): void => {
  for (const [name, answer] of Object.entries(answers)) {
    const { contentType, body, headers } = answerBody(answer);
    const { status } = answer;
    api.addGatewayResponse(name, {
      type: ResponseType.of(name),
      ...(typeof status === 'number' && { statusCode: String(status) }),
      responseHeaders: {
        ...usualHeaders,
        ...headers,
        ...retryAfter(name, answer),
        'Content-Type': `'${contentType}'`,
      },
      templates: { 'application/json': JSON.stringify(body) },
    });
  }
};

/** In the gateway's syntax: a variable of the request, or a text in single quotes. */
const usualHeaders = {
  'Request-Id': 'context.requestId',
  'Cache-Control': "'no-store'",
  'X-Content-Type-Options': "'nosniff'",
  'Strict-Transport-Security': "'max-age=31536000; includeSubDomains'",
};

/**
 * Who is over a rate of the firewall waits for as long as it counts. AWS documents that a function that is throttled ends as
 * 500 ("Handling Lambda errors with an API Gateway API"), and not by which of these: so all of 5xx say when to try again.
 */
const retryAfter = (name: string, { status }: GatewayAnswer): Record<string, string> => {
  if (name === 'WAF_FILTERED') return { 'Retry-After': "'60'" };
  const helps = status === 429 || String(status).startsWith('5');
  return helps ? { 'Retry-After': "'2'" } : {};
};
