import { expect, test } from '@jest/globals';
import { areHeadersTooLarge, headersTooLarge } from '../../../../localstack/apigateway/headers-too-large.ts';
import type { ApiRequest } from '../../../../localstack/apigateway/proxy-event.ts';

const request = (target: string, ...rawHeaders: string[]): ApiRequest => ({
  id: 'request-1',
  method: 'GET',
  target,
  rawHeaders,
  body: Buffer.alloc(0),
  sourceIp: '127.0.0.1',
  receivedAt: new Date(0),
});

test.each([
  // `GET … HTTP/1.1` is 13 bytes around the target.
  ['a request line at the limit', request(`/${'x'.repeat(10_226)}`), false],
  ['a request line over it', request(`/${'x'.repeat(10_227)}`), true],
  ['both together at the limit', request('/', 'X-A', 'x'.repeat(10_226)), false],
  ['both together over it', request('/', 'X-A', 'x'.repeat(10_226), 'X-B', 'x'), true],
  ['names of headers, which do not count', request('/', 'X'.repeat(20_000), ''), false],
])('ERR-5 431 counts %s', (_, asked, expected) => {
  expect(areHeadersTooLarge(asked)).toBe(expected);
});

test('ERR-5 ERR-1 a problem of 431 has one status, its own words, and what it says of the request', () => {
  const problem = {
    ...{ type: 'https://api.example/docs/problems#bad-request', title: 'x', status: 400, detail: 'x' },
    ...{ instance: 'urn:uuid:1', name: 'x', message: 'x', code: 0, requestId: '1' },
  };
  const { status, body } = headersTooLarge({
    ...{ status: 400, headers: [], body: Buffer.from(JSON.stringify(problem)) },
  });

  expect([status, JSON.parse(body.toString())]).toEqual([
    431,
    {
      type: 'https://api.example/docs/problems#headers-too-large',
      title: 'Request Header Fields Too Large',
      status: 431,
      detail: 'The address and the headers are larger than 10,240 bytes together.',
      instance: 'urn:uuid:1',
      name: 'Request Header Fields Too Large',
      message: 'The address and the headers are larger than 10,240 bytes together.',
      code: 0,
      requestId: '1',
    },
  ]);
});
