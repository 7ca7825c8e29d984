import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { hasToken, isLinkToConsole } from '../../../../localstack/console/guard.ts';

const token = 'the-token-of-the-page';
const asked = (headers: Record<string, string>, { method = 'GET', url = '/' } = {}) =>
  ({ method, url, headers }) as unknown as IncomingMessage;

describe('RUN-11 the console answers its own page alone', () => {
  test('a link on another page leads to the console, and a frame does not', () => {
    expect(isLinkToConsole(asked({ 'sec-fetch-dest': 'document' }))).toBe(true);
    expect(isLinkToConsole(asked({ 'sec-fetch-dest': 'iframe' }))).toBe(false);
    expect(isLinkToConsole(asked({}))).toBe(false);
  });

  test.each([
    ['a form', { method: 'POST' }],
    ['what its page loads', { url: '/console/main.ts' }],
    ['a path of an API', { url: '/api/v2/transaction' }],
  ])('%s is no link to it', (_, of) => {
    expect(isLinkToConsole(asked({ 'sec-fetch-dest': 'document' }, of))).toBe(false);
  });

  test.each([
    ['no token', {}],
    ['another token', { 'x-console-token': 'the-token-of-a-page' }],
    ['an empty token', { 'x-console-token': '' }],
  ])('%s changes nothing', (_, headers: Record<string, string>) => {
    expect(hasToken(asked(headers), token)).toBe(false);
  });

  test('the page with its token may', () => {
    expect(hasToken(asked({ 'x-console-token': token }), token)).toBe(true);
  });
});
