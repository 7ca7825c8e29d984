import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { RouteMatch } from '../cloudformation/routes.ts';
import { queryMaps, splitOnce } from './query.ts';

/** An HTTP request as received. */
export type ApiRequest = {
  id: string;
  method: string;
  /** Path and query as sent, not normalised. */
  target: string;
  /** Names and values alternate, as sent. */
  rawHeaders: string[];
  body: Buffer;
  sourceIp: string;
  receivedAt: Date;
};

export const pathOf = ({ target }: Pick<ApiRequest, 'target'>): string => splitOnce(target, '?')[0];

/** The event of a REST API's Lambda proxy integration. */
export const proxyEvent = (
  request: ApiRequest,
  { route, pathParameters }: RouteMatch,
): APIGatewayProxyEvent => {
  const path = pathOf(request);
  return {
    resource: route.resource,
    path,
    httpMethod: request.method,
    ...headerMaps(request.rawHeaders),
    ...queryMaps(splitOnce(request.target, '?')[1]),
    pathParameters,
    stageVariables: null,
    requestContext: requestContext(request, route, path),
    ...proxyBody(request.body),
  };
};

/** Both header maps. Names keep the caller's case; spellings of different case are one header, under the first one. */
export const headerMaps = (rawHeaders: string[]) => {
  const found = new Map<string, { name: string; values: string[] }>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const header = found.get(name.toLowerCase()) ?? { name, values: [] };
    header.values.push(rawHeaders[at + 1] ?? '');
    found.set(name.toLowerCase(), header);
  }
  const all = [...found.values()];
  return {
    headers: Object.fromEntries(all.map(({ name, values }) => [name, values.at(-1)])),
    multiValueHeaders: Object.fromEntries(all.map(({ name, values }) => [name, values])),
  };
};

/** The body as text, or as base64 if it is not UTF-8. */
export const proxyBody = (body: Buffer): { body: string | null; isBase64Encoded: boolean } => {
  if (body.length === 0) return { body: null, isBase64Encoded: false };
  const text = body.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(body)) return { body: text, isBase64Encoded: false };
  return { body: body.toString('base64'), isBase64Encoded: true };
};

const requestContext = (request: ApiRequest, route: RouteMatch['route'], path: string) => ({
  accountId: '000000000000',
  apiId: route.api,
  authorizer: null,
  protocol: 'HTTP/1.1',
  httpMethod: request.method,
  path,
  stage: 'local',
  requestId: request.id,
  requestTimeEpoch: request.receivedAt.getTime(),
  resourceId: route.resource,
  resourcePath: route.resource,
  identity: { ...noIdentity, sourceIp: request.sourceIp, userAgent: userAgent(request.rawHeaders) },
});

const noIdentity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

const userAgent = (rawHeaders: string[]): string | null => {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'user-agent');
  return at < 0 ? null : (rawHeaders[at + 1] ?? null);
};
