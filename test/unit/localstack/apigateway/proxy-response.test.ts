import { describe, expect, test } from '@jest/globals';
import { proxyResponse } from '../../../../localstack/apigateway/proxy-response.ts';

const answerOf = (result: unknown) => {
  const answer = proxyResponse(JSON.stringify(result));
  if (!answer.ok) throw new Error(answer.reason);
  return {
    ...answer.value,
    headers: Object.fromEntries(answer.value.headers),
    body: answer.value.body.toString(),
  };
};
const reasonOf = (result: unknown) => {
  const answer = proxyResponse(JSON.stringify(result));
  return answer.ok ? undefined : answer.reason;
};

describe('answer of a proxy function', () => {
  test('status, headers of both maps and body are passed on; the multi-value map wins', () => {
    const answer = answerOf({
      statusCode: 200,
      headers: { 'Content-Type': 'text/plain', Vary: 'A', ETag: '"1"' },
      multiValueHeaders: { vary: ['B', 'C'] },
      body: 'héllo',
    });

    expect(answer).toEqual({
      status: 200,
      headers: { 'Content-Type': ['text/plain'], ETag: ['"1"'], vary: ['B', 'C'] },
      body: 'héllo',
    });
  });

  test('JSON is the type of an answer that names none, and a missing body is empty', () => {
    expect(answerOf({ statusCode: '204' })).toEqual({
      status: 204,
      headers: { 'Content-Type': ['application/json'] },
      body: '',
    });
  });

  test('a base64 body is decoded', () => {
    expect(answerOf({ statusCode: 200, body: 'aGk=', isBase64Encoded: true }).body).toBe('hi');
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
    expect(reasonOf(result)).toBe(reason);
  });
});
