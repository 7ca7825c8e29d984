import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { problems } from '../../functions/shared/http/problem.ts';

/** A response that the gateway gives instead of a function; `page` is the address that explains it. */
export type GatewayAnswer = { status: number; title: string; page: string; detail: string };

/** Writes such a response in the format of one API. */
export type AnswerBody = (answer: GatewayAnswer) => { contentType: string; body: object };

const notFound = problems['not-found'];
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

/** No method needs an AWS signature, so every gateway error about signatures means an unknown route (ERR-5). */
const answers: Record<string, GatewayAnswer> = {
  MISSING_AUTHENTICATION_TOKEN: notFound,
  INVALID_SIGNATURE: notFound,
  EXPIRED_TOKEN: notFound,
  ACCESS_DENIED: notFound,
  RESOURCE_NOT_FOUND: notFound,
  REQUEST_TOO_LARGE: tooLarge,
  THROTTLED: tooMany,
  QUOTA_EXCEEDED: tooMany,
  INTEGRATION_TIMEOUT: tookTooLong,
  DEFAULT_4XX: problems['bad-request'],
  DEFAULT_5XX: problems['internal-error'],
};

/** Gives the gateway's own responses the format of the API, each with a `Request-Id` (ERR-5). */
export const addGatewayResponses = (api: RestApi, answerBody: AnswerBody): void => {
  for (const [name, answer] of Object.entries(answers)) {
    const { contentType, body } = answerBody(answer);
    api.addGatewayResponse(name, {
      type: ResponseType.of(name),
      statusCode: String(answer.status),
      responseHeaders: { ...usualHeaders, ...retryAfter(answer), 'Content-Type': `'${contentType}'` },
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

const retryAfter = ({ status }: GatewayAnswer) =>
  status === 429 || status === 504 ? { 'Retry-After': "'2'" } : {};
