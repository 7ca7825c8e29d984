import type { GatewayResponse } from '../cloudformation/model.ts';
import type { ApiRequest } from './proxy-event.ts';
import type { ApiResponse } from './proxy-response.ts';

/** API Gateway's own responses by type, with their default status and message. */
const defaults = {
  BAD_REQUEST_PARAMETERS: { status: 400, message: 'Bad Request' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  INTERNAL_ERROR: { status: 502, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
} as const;

export type GatewayResponseType = keyof typeof defaults;

/**
 * A response of API Gateway itself in the template's shape (ERR-5): as declared for this type, otherwise for all of 4xx or
 * 5xx.
 */
export const gatewayResponse = (
  declared: readonly GatewayResponse[],
  type: GatewayResponseType,
  request: ApiRequest,
): ApiResponse => {
  const { status, message } = defaults[type];
  const general = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const declaredFor = (wanted: string) => declared.find((candidate) => candidate.type === wanted);
  const response = declaredFor(type) ?? declaredFor(general);
  const context = contextValues(request, message);
  const { contentType, template } = response?.body ?? plain;
  return {
    status: response?.status ?? status,
    headers: [...new Map([['Content-Type', [contentType]], ...headersOf(response, context)])],
    body: Buffer.from(substitute(template, context)),
  };
};

const plain = { contentType: 'application/json', template: '{"message":$context.error.messageString}' };

/** The variables that our templates and the plain response use. */
const contextValues = ({ id }: ApiRequest, message: string): Record<string, string> => ({
  'context.requestId': id,
  'context.error.messageString': JSON.stringify(message),
});

const headersOf = (
  response: GatewayResponse | undefined,
  context: Record<string, string>,
): [string, string[]][] =>
  Object.entries(response?.headers ?? {}).flatMap(([target, source]) => {
    const name = /^gatewayresponse\.header\.(.+)$/.exec(target)?.[1];
    const value = /^'(.*)'$/.exec(source)?.[1] ?? context[source];
    return name && value !== undefined ? [[name, [value]]] : [];
  });

const substitute = (template: string, context: Record<string, string>): string =>
  template.replaceAll(/\$(context(?:\.\w+)+)/g, (whole, name: string) => context[name] ?? whole);
