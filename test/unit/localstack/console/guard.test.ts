import { describe, expect, test } from '@jest/globals';
import { refusalOf } from '../../../../localstack/console/guard.ts';

const gate = { port: 8787, token: 'the-token-of-the-page' };
const host = '127.0.0.1:8787';
const get = (headers: Record<string, string>, path = '/console/feed') =>
  refusalOf({ method: 'GET', path, headers }, gate);
const post = (headers: Record<string, string>) =>
  refusalOf({ method: 'POST', path: '/console/act', headers }, gate);
const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };

describe('RUN-11 the console answers its own page alone', () => {
  test.each(['127.0.0.1:8787', 'localhost:8787'])('at %s it does', (name) => {
    expect(get({ host: name })).toBeUndefined();
  });

  test.each([
    'evil.example:8787',
    'evil.example',
    '127.0.0.1:9999',
    '127.0.0.1',
    '127.0.0.1:8787.evil.example',
    '',
  ])('a name that was led to this machine, %j, is another host', (name) => {
    expect(get({ host: name })).toBe('another host');
    expect(post({ ...own, host: name, origin: `http://${name}`, 'x-console-token': gate.token })).toBe(
      'another host',
    );
  });

  test.each(['cross-site', 'same-site'])('a %s request reads nothing', (site) => {
    expect(get({ host, 'sec-fetch-site': site, 'sec-fetch-dest': 'empty' })).toBe('another page');
    expect(get({ host, 'sec-fetch-site': site, 'sec-fetch-dest': 'script' }, '/console/main.ts')).toBe(
      'another page',
    );
  });

  test('a link on another page leads to the console, and a frame does not', () => {
    const from = (dest: string) => get({ host, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': dest }, '/');

    expect(from('document')).toBeUndefined();
    expect(from('iframe')).toBe('another page');
  });

  test.each([
    ['another origin', { origin: 'http://evil.example' }],
    ['the origin of another port', { origin: 'http://127.0.0.1:3000' }],
    ['the opaque origin', { origin: 'null' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('%s changes nothing, not even with the token', (_, headers) => {
    expect(post({ ...own, 'x-console-token': gate.token, ...headers })).toBe('another page');
  });

  test('without an origin nothing is changed', () => {
    expect(post({ host, 'x-console-token': gate.token })).toBe('another page');
  });

  test.each([
    ['no token', {}],
    ['another token', { 'x-console-token': 'the-token-of-a-page' }],
    ['an empty token', { 'x-console-token': '' }],
  ])('%s changes nothing', (_, headers) => {
    expect(post({ ...own, ...headers })).toBe('no token');
  });

  test('the page with its token may', () => {
    expect(post({ ...own, 'x-console-token': gate.token })).toBeUndefined();
  });
});
