import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { refusalOf } from '../../../../localstack/loopback/guard.ts';

const host = '127.0.0.1:8787';
const refusal = (headers: IncomingHttpHeaders) => refusalOf(headers, 8787);

describe('S-83 a port of the stage answers programs of this machine and its own pages', () => {
  test.each(['127.0.0.1:8787', 'localhost:8787', '[::1]:8787'])('at %s it does', (name) => {
    expect(refusal({ host: name })).toBeUndefined();
    expect(
      refusal({ host: name, origin: `http://${name}`, 'sec-fetch-site': 'same-origin' }),
    ).toBeUndefined();
  });

  test.each([
    'evil.example:8787',
    'evil.example',
    '127.0.0.1:9999',
    '127.0.0.1',
    '127.0.0.1:8787.evil.example',
    '127.0.0.1.evil.example:8787',
    'evil.example, 127.0.0.1:8787',
    '',
    undefined,
  ])('a name that was led to this machine, %j, is another host, its own pages too', (name) => {
    expect(refusal({ host: name })).toBe('another host');
    expect(refusal({ host: name, origin: `http://${name}` })).toBe('another host');
  });

  test.each([
    ['another origin', { origin: 'http://evil.example' }],
    ['the origin of another port', { origin: 'http://127.0.0.1:3000' }],
    ['another name of this machine', { origin: 'http://localhost:8787' }],
    ['the origin of a page over https', { origin: 'https://127.0.0.1:8787' }],
    ['the opaque origin', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page on another port', { 'sec-fetch-site': 'same-site' }],
    ['a site that is said twice', { 'sec-fetch-site': 'none, cross-site' }],
    ['its own origin from another site', { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' }],
  ])('%s is another page', (_, headers: IncomingHttpHeaders) => {
    expect(refusal({ host, ...headers })).toBe('another page');
  });

  test('what a person typed is answered', () => {
    expect(refusal({ host, 'sec-fetch-site': 'none' })).toBeUndefined();
  });
});
