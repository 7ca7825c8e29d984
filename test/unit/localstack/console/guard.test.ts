import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { hasToken, isLinkToConsole } from '../../../../localstack/console/guard.ts';

const token = 'the-token-of-the-page';
const asked = (headers: Record<string, string>, { method = 'GET', url = '/' } = {}) =>
  ({ method, url, headers }) as unknown as IncomingMessage;

describe('RUN-11 the console answers its own page alone', () => {
  const document = { 'sec-fetch-dest': 'document' };
  test.each<[string, Record<string, string>, object, boolean]>([
    ['a link', document, {}, true],
    ['a frame', { 'sec-fetch-dest': 'iframe' }, {}, false],
    ['a program', {}, {}, false],
    ['a form', document, { method: 'POST' }, false],
    ['what its page loads', document, { url: '/console/main.ts' }, false],
    ['a path of an API', document, { url: '/api/v2/transaction' }, false],
  ])('%s on another page may lead to it: %j, %j: %s', (_, headers, of, isLink) => {
    expect(isLinkToConsole(asked(headers, of))).toBe(isLink);
  });

  test.each<[string, Record<string, string>, boolean]>([
    ['the token of its page', { 'x-console-token': token }, true],
    ['no token', {}, false],
    ['another token', { 'x-console-token': 'the-token-of-a-page' }, false],
    ['an empty token', { 'x-console-token': '' }, false],
  ])('an action with %s may be done: %j: %s', (_, headers, isDone) => {
    expect(hasToken(asked(headers), token)).toBe(isDone);
  });
});
