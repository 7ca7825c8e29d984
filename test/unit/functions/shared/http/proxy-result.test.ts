import { expect, test } from '@jest/globals';
import { toProxyResult } from '../../../../../functions/shared/http/proxy-result.ts';
import { httpEvent } from '../../../../support/builders/http-event.ts';

const answer = { status: 200, headers: { ETag: '"2.digest"' }, body: '{}' };

test.each([
  ['GET', 304],
  ['HEAD', 304],
  ['POST', 200],
  ['PATCH', 200],
  ['PUT', 200],
])('COND-1 If-None-Match makes the response to %s a %d: a changed list is never 304', (method, expected) => {
  const event = httpEvent('/', { method, headers: { 'If-None-Match': '"2.digest"' } });

  const { statusCode } = toProxyResult(event, answer, {});

  expect(statusCode).toBe(expected);
});
