import { describe, expect, test } from '@jest/globals';
import { proxyResponse } from '../../../../localstack/apigateway/proxy-response.ts';

const answerOf = (result: unknown) => proxyResponse(JSON.stringify(result));

describe('answer of a proxy function', () => {
  test('of a header in both maps the multi-value one counts, JSON is the type if none is named, base64 is decoded', () => {
    const headers = { Vary: 'A', ETag: '"1"' };
    const more = { multiValueHeaders: { vary: ['B', 'C'] }, body: 'aGk=', isBase64Encoded: true };

    expect(answerOf({ statusCode: '200', headers, ...more })).toEqual({
      ok: true,
      value: {
        status: 200,
        headers: [
          ['Content-Type', ['application/json']],
          ['vary', ['B', 'C']],
          ['ETag', ['"1"']],
        ],
        body: Buffer.from('hi'),
      },
    });
  });

  test.each([
    [null, 'it is not an object'],
    ['text', 'it is not an object'],
    [[], 'it is not an object'],
    [{ body: 'x' }, 'it has no valid statusCode'],
    [{ statusCode: 99 }, 'it has no valid statusCode'],
    [{ statusCode: 200, body: { a: 1 } }, 'its body is not a string'],
    [{ statusCode: 200, cookies: [] }, 'it has an unknown member "cookies"'],
    [{ statusCode: 200, headers: { a: { b: 1 } } }, 'its headers are not valid'],
    [{ statusCode: 200, headers: { 'a b': '1' } }, 'its headers are not valid'],
    [{ statusCode: 200, headers: { a: 'x\r\nb: y' } }, 'its headers are not valid'],
    [{ statusCode: 200, body: 'x'.repeat(6 * 1024 * 1024) }, 'it is larger than 6 MB'],
  ])('%j cannot be sent: %s', (result, reason) => {
    expect(answerOf(result)).toEqual({ ok: false, reason });
  });
});
