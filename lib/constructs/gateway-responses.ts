import { GatewayResponse, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

/** An answer that the gateway makes before or instead of a function. */
export type GatewayAnswer = { status: number; title: string; message: string };

type AnswerBody = (answer: GatewayAnswer) => { contentType: string; body: object };

const notFound: GatewayAnswer = { status: 404, title: 'Not Found', message: 'Page not found.' };
const tooMany: GatewayAnswer = { status: 429, title: 'Too Many Requests', message: 'Rate limit exceeded.' };
const fault: GatewayAnswer = {
  status: 500,
  title: 'Internal Server Error',
  message: 'An internal server error occurred.',
};

/** No method asks the gateway for a signature, so whatever it says about signatures means an unknown route (ERR-5). */
const answers: Record<string, GatewayAnswer> = {
  MISSING_AUTHENTICATION_TOKEN: notFound,
  INVALID_SIGNATURE: notFound,
  EXPIRED_TOKEN: notFound,
  ACCESS_DENIED: notFound,
  RESOURCE_NOT_FOUND: notFound,
  // AWS sends its own body with 413 whatever is said here; the status and headers are ours (S-75).
  REQUEST_TOO_LARGE: {
    status: 413,
    title: 'Content Too Large',
    message: 'The request is larger than 10 MB.',
  },
  THROTTLED: tooMany,
  QUOTA_EXCEEDED: tooMany,
  INTEGRATION_TIMEOUT: { status: 504, title: 'Gateway Timeout', message: 'The answer took too long.' },
  DEFAULT_4XX: { status: 400, title: 'Bad Request', message: 'The request could not be understood.' },
  DEFAULT_5XX: fault,
};

/** The gateway's own answers in the API's own shape, each with a `Request-Id` (ERR-5). */
export const addGatewayResponses = (api: RestApi, answerBody: AnswerBody): void => {
  for (const [name, answer] of Object.entries(answers)) {
    const { contentType, body } = answerBody(answer);
    new GatewayResponse(api, name, {
      restApi: api,
      type: ResponseType.of(name),
      statusCode: String(answer.status),
      responseHeaders: { ...headers, ...retryAfter(answer), 'Content-Type': `'${contentType}'` },
      templates: { 'application/json': JSON.stringify(body) },
    });
  }
};

const headers = {
  'Request-Id': 'context.requestId',
  'Cache-Control': "'no-store'",
  'X-Content-Type-Options': "'nosniff'",
};

const retryAfter = ({ status }: GatewayAnswer) =>
  status === 429 || status === 504 ? { 'Retry-After': "'1'" } : {};
