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
const matched = (path: string, method = 'GET') => {
  const route = matchRoute(routes, method, path)?.route;
  return route && `${route.method} ${route.resource}`;
};

describe('routes of the local stage', () => {
  test.each([
    ['GET', '/api/v2/transaction', 'ANY /api/v2/transaction'],
    ['GET', '/api/v2/transaction/', 'ANY /api/v2/transaction'],
    ['GET', '/api/v2/transaction/abc', 'ANY /api/v2/transaction/{uuid}'],
    ['GET', '/api/v2/transaction/abc/', 'ANY /api/v2/transaction/{uuid}'],
    // A method of its own is reached before ANY, and the path finds the resource before the method is looked at.
    ['PATCH', '/api/v2/transaction/abc', 'PATCH /api/v2/transaction/{uuid}'],
    ['OPTIONS', '/api/v2/transaction/abc', 'ANY /api/v2/transaction/{uuid}'],
    ['PATCH', '/api/v2/transaction/special', 'ANY /api/v2/transaction/special'],
    ['POST', '/oauth2/token', 'POST /oauth2/token'],
    ['GET', '/docs/', 'ANY /docs'],
    ['GET', '/docs/reference/operations/list', 'ANY /docs/{page+}'],
  ])('%s %s reaches %s (VERB-1)', (method, path, route) => {
    expect(matched(path, method)).toBe(route);
  });

  test.each([
    ...['/', '//', '//api/v2/transaction', '/api//v2/transaction', '/api/v2/transaction//', '/docs//'],
    ...['/api/v2/%74ransaction', '/api/v2/./transaction', '/api/v2/x/../transaction'],
    ...['/api/v2/x/%2e%2e/transaction', '/API/v2/transaction', '/api/v2/transaction/abc/def', 'api/v2', '*'],
    '/oauth2/token',
  ])('GET %s reaches no route', (path) => {
    expect(matched(path)).toBeUndefined();
  });

  test.each([
    ['/api/v2/transaction', null],
    ['/api/v2/transaction/a%20b', { uuid: 'a%20b' }],
    ['/docs/a/b%20c/', { page: 'a/b%20c' }],
  ])('path parameters of %s are as sent: %j', (path, parameters) => {
    expect(matchRoute(routes, 'GET', path)?.pathParameters).toEqual(parameters);
  });
});
