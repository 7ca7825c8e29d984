import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type GatewayAnswer, gatewayAnswers, retryAfter } from './gateway-answers.ts';

/** Writes a response of the gateway in the format of one API; `headers` are further ones of this API. */
export type AnswerBody = (
  answer: GatewayAnswer,
  baseUrl: string,
) => {
  contentType: string;
  body: object;
  headers?: Record<string, string>;
};

/** Gives the gateway's own responses the format of the API, each with a `Request-Id` (ERR-5). */
export const addGatewayResponses = (api: RestApi, baseUrl: string, answerBody: AnswerBody): void => {
  for (const [name, answer] of Object.entries(gatewayAnswers)) {
    const { contentType, body, headers } = answerBody(answer, baseUrl);
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

/** Values in the gateway's syntax: a variable of the request, or a text in single quotes. */
const usualHeaders = {
  'Request-Id': 'context.requestId',
  'Cache-Control': "'no-store'",
  'X-Content-Type-Options': "'nosniff'",
  'Strict-Transport-Security': "'max-age=31536000; includeSubDomains'",
};
