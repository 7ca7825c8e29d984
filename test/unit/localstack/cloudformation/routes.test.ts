import { describe, expect, test } from '@jest/globals';
import { matchRoute, type Route } from '../../../../localstack/cloudformation/routes.ts';

const route = (resource: string, method = 'ANY'): Route => ({
  resource,
  method,
  api: 'Api',
  functionId: resource,
});
const routes = [
  route('/api/v2/transaction'),
  route('/api/v2/transaction/{uuid}'),
  route('/api/v2/transaction/special'),
  route('/api/v2/transaction/{uuid}', 'PATCH'),
  route('/oauth2/token', 'POST'),
  route('/docs'),
  route('/docs/{page+}'),
];
const methodMatched = (path: string, method: string) => matchRoute(routes, method, path)?.route.method;
const matched = (path: string, method = 'GET') => matchRoute(routes, method, path)?.route.resource;

describe('routes of the local stage', () => {
  test.each([
    ['/api/v2/transaction', '/api/v2/transaction'],
    ['/api/v2/transaction/', '/api/v2/transaction'],
    ['/api/v2/transaction/abc', '/api/v2/transaction/{uuid}'],
    ['/api/v2/transaction/abc/', '/api/v2/transaction/{uuid}'],
    ['/api/v2/transaction/special', '/api/v2/transaction/special'],
    ['/docs', '/docs'],
    ['/docs/', '/docs'],
    ['/docs/start', '/docs/{page+}'],
    ['/docs/reference/operations/list', '/docs/{page+}'],
  ])('%s reaches %s (VERB-1)', (path, resource) => {
    expect(matched(path)).toBe(resource);
  });

  test.each([
    '/',
    '//',
    '//api/v2/transaction',
    '/api//v2/transaction',
    '/api/v2/transaction//',
    '/api/v2/%74ransaction',
    '/api/v2/./transaction',
    '/api/v2/x/../transaction',
    '/api/v2/x/%2e%2e/transaction',
    '/API/v2/transaction',
    '/api/v2/transaction/abc/def',
    'api/v2',
    '*',
    '/docs//',
  ])('%s reaches no route', (path) => {
    expect(matched(path)).toBeUndefined();
  });

  test('a method that the resource does not have reaches no route', () => {
    expect(matched('/oauth2/token', 'POST')).toBe('/oauth2/token');
    expect(matched('/oauth2/token', 'GET')).toBeUndefined();
  });

  test('a method of its own is reached before ANY, the others reach ANY', () => {
    expect(methodMatched('/api/v2/transaction/abc', 'PATCH')).toBe('PATCH');
    expect(methodMatched('/api/v2/transaction/abc', 'PUT')).toBe('ANY');
    expect(methodMatched('/api/v2/transaction/abc', 'OPTIONS')).toBe('ANY');
  });

  test('the path finds the resource before the method is looked at', () => {
    expect(matched('/api/v2/transaction/special', 'PATCH')).toBe('/api/v2/transaction/special');
  });

  test('a greedy parameter is all that is left of the path', () => {
    expect(matchRoute(routes, 'GET', '/docs/a/b%20c/')?.pathParameters).toEqual({ page: 'a/b%20c' });
  });

  test('path parameters are as sent', () => {
    expect(matchRoute(routes, 'GET', '/api/v2/transaction/a%20b')?.pathParameters).toEqual({ uuid: 'a%20b' });
    expect(matchRoute(routes, 'GET', '/api/v2/transaction')?.pathParameters).toBeNull();
  });
});
