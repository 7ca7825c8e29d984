import { expect, test } from '@jest/globals';
import { messages } from '../../../bin/openapi/schemas/event-message.ts';
import type { MessageType } from '../../../functions/shared/domain/event/event.ts';
import { read } from './documents.ts';

/** The requests that the guide prints, each with its lines, headers and body. */
const requests = [
  ...read('docs/guide/webhooks.md').matchAll(/^```http\n([\s\S]+?)\n\n([\s\S]+?)^```$/gm),
].map(([, head = '', body = '']) => {
  const [line, ...headers] = head.split('\n');
  const named = headers.map((one) => one.split(/: ?/) as [string, string]);
  return { line, headers: Object.fromEntries(named), message: JSON.parse(body) };
});

test('DOC-8 the guide of webhooks prints one request of each type, which the service sends', () => {
  expect(requests.map(({ message }) => message['detail-type'])).toEqual(Object.keys(messages));
  for (const { line, message } of requests) {
    expect(line).toMatch(/^POST \/\S+ HTTP\/1\.1$/);
    const type: MessageType = message['detail-type'];
    expect(messages[type].safeParse(message).error).toBeUndefined();
  }
});

test('DOC-8 a printed request has every header that EventBridge sends, and no other', () => {
  for (const { headers } of requests) {
    expect(headers).toMatchObject({
      'User-Agent': 'Amazon/EventBridge/ApiDestinations',
      Range: 'bytes=0-1048575',
      'Accept-Encoding': 'gzip,deflate',
      Connection: 'close',
      'Content-Type': 'application/json; charset=utf-8',
    });
    expect(Object.keys(headers)).toEqual([
      ...['Host', 'User-Agent', 'Range', 'Accept-Encoding', 'Connection', 'Content-Type', 'Content-Length'],
      ...['X-Webhook-Signature', 'Idempotency-Key'],
      ...['X-Transaction-From-Version', 'X-Transaction-Version', 'X-Transaction-Omitted'],
    ]);
  }
});

test('DOC-8 the headers of a printed request are those of its body', () => {
  for (const { headers, message } of requests) {
    expect(headers['Idempotency-Key']).toBe(message.id);
    expect(headers['Content-Length']).toBe(String(Buffer.byteLength(JSON.stringify(message))));
    expect(Number(headers['X-Transaction-From-Version'])).toBeLessThanOrEqual(
      Number(headers['X-Transaction-Version']),
    );
  }
});
