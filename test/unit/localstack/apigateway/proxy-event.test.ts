import { expect, test } from '@jest/globals';
import { headerMaps, proxyBody, proxyEvent } from '../../../../localstack/apigateway/proxy-event.ts';

test('a question mark after the first belongs to the query', () => {
  const request = {
    ...{ id: 'request-1', method: 'GET', target: '/api/v2/transaction/u-1?a=b?c', rawHeaders: [] },
    ...{ body: Buffer.alloc(0), sourceIp: '127.0.0.1', receivedAt: new Date(0) },
  };
  const route = { resource: '/api/v2/transaction/{uuid}', method: 'ANY', api: 'Api', functionId: 'V2Read' };

  expect(proxyEvent(request, { route, pathParameters: { uuid: 'u-1' } })).toMatchObject({
    path: '/api/v2/transaction/u-1',
    queryStringParameters: { a: 'b?c' },
    headers: {},
    multiValueHeaders: {},
  });
});

test('a header sent twice, in another case too, is one under its first spelling', () => {
  expect(headerMaps(['X-A', '1', 'x-a', '2', 'X-B', '3'])).toEqual({
    headers: { 'X-A': '2', 'X-B': '3' },
    multiValueHeaders: { 'X-A': ['1', '2'], 'X-B': ['3'] },
  });
});

test.each([
  ['none', Buffer.of(), null, false],
  ['text', Buffer.from('{"é":1}'), '{"é":1}', false],
  ['text with a replacement character', Buffer.from('\ufffd'), '\ufffd', false],
  ['not UTF-8', Buffer.of(0xff, 0xfe, 0x00), '//4A', true],
])('a body that is %s', (_, sent, body, isBase64Encoded) => {
  expect(proxyBody(sent)).toEqual({ body, isBase64Encoded });
});
