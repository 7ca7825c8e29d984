import type { HttpEvent } from '../../../functions/shared/http/request.ts';

export type Ask = {
  method?: string;
  headers?: Record<string, string | string[]>;
  requestId?: string;
  body?: string;
  isBase64Encoded?: boolean;
};

/** A REST proxy event as the gateway makes it of a request line: split on `&`, decoded once, `+` a space (QS-1). */
export const httpEvent = (
  target: string,
  { method = 'GET', headers = {}, requestId, body = '', isBase64Encoded = false }: Ask = {},
): HttpEvent => {
  const [path = '', query] = target.split(/\?(.*)/s);
  return {
    httpMethod: method,
    path,
    resource: path.replace(/(?<=transaction\/)[^/]+/, '{uuid}'),
    multiValueHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value].flat()]),
    ),
    multiValueQueryStringParameters: query === undefined ? null : multiValues(query),
    pathParameters: null,
    body: body || null,
    isBase64Encoded,
    requestContext: { requestId: requestId ?? 'request-1' } as HttpEvent['requestContext'],
  };
};

/** A request with a JSON body. */
export const sending = (method: string, body: object, headers: Record<string, string> = {}): Ask => ({
  method,
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', ...headers },
});

const multiValues = (query: string): Record<string, string[]> => {
  const pairs = query.split('&').filter((pair) => pair !== '');
  const named = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    return { name: decodeOnce(name), value: decodeOnce(value) };
  });
  const groups = Map.groupBy(named, ({ name }) => name);
  return Object.fromEntries([...groups].map(([name, group]) => [name, group.map(({ value }) => value)]));
};

const decodeOnce = (text: string) => new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? '';
