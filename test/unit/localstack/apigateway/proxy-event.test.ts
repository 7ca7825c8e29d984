import { describe, expect, test } from '@jest/globals';
import {
  type ApiRequest,
  headerMaps,
  proxyBody,
  proxyEvent,
} from '../../../../localstack/apigateway/proxy-event.ts';

const request: ApiRequest = {
  id: 'request-1',
  method: 'GET',
  target: '/v2/transaction/u-1/?expand=vehicle&expand=customer',
  rawHeaders: ['Host', '127.0.0.1:8787', 'X-Two', 'a', 'x-two', 'b', 'User-Agent', 'test'],
  body: Buffer.alloc(0),
  sourceIp: '127.0.0.1',
  receivedAt: new Date('2026-01-02T03:04:05.000Z'),
};
const match = {
  route: { resource: '/v2/transaction/{uuid}', method: 'ANY', api: 'Api', functionId: 'V2Read' },
  pathParameters: { uuid: 'u-1' },
};

describe('proxy events of the local stage', () => {
  test('is what a REST API sends to a proxy function', () => {
    expect(proxyEvent(request, match)).toMatchObject({
      resource: '/v2/transaction/{uuid}',
      path: '/v2/transaction/u-1/',
      httpMethod: 'GET',
      headers: { Host: '127.0.0.1:8787', 'X-Two': 'b', 'User-Agent': 'test' },
      multiValueHeaders: { Host: ['127.0.0.1:8787'], 'X-Two': ['a', 'b'], 'User-Agent': ['test'] },
      queryStringParameters: { expand: 'customer' },
      multiValueQueryStringParameters: { expand: ['vehicle', 'customer'] },
      pathParameters: { uuid: 'u-1' },
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        requestId: 'request-1',
        path: '/v2/transaction/u-1/',
        stage: 'local',
        httpMethod: 'GET',
        resourcePath: '/v2/transaction/{uuid}',
        requestTimeEpoch: 1767323045000,
        identity: { sourceIp: '127.0.0.1', userAgent: 'test' },
      },
    });
  });

  test('a question mark after the first belongs to the query', () => {
    const event = proxyEvent({ ...request, target: '/v2/transaction/u-1?a=b?c' }, match);

    expect(event.path).toBe('/v2/transaction/u-1');
    expect(event.queryStringParameters).toEqual({ a: 'b?c' });
  });

  test('no headers are empty maps', () => {
    expect(headerMaps([])).toEqual({ headers: {}, multiValueHeaders: {} });
  });

  test('a name sent twice, in another case too, is one header under its first spelling', () => {
    expect(headerMaps(['X-A', '1', 'x-a', '2', 'X-B', '3'])).toEqual({
      headers: { 'X-A': '2', 'X-B': '3' },
      multiValueHeaders: { 'X-A': ['1', '2'], 'X-B': ['3'] },
    });
  });

  test.each([
    ['text with \ufffd', { body: 'text with \ufffd', isBase64Encoded: false }],
    ['', { body: null, isBase64Encoded: false }],
    ['{"é":1}', { body: '{"é":1}', isBase64Encoded: false }],
  ])('the body %s is text', (text, expected) => {
    expect(proxyBody(Buffer.from(text))).toEqual(expected);
  });

  test('a body that is not UTF-8 is base64', () => {
    expect(proxyBody(Buffer.from([0xff, 0xfe, 0x00]))).toEqual({ body: '//4A', isBase64Encoded: true });
  });
});
