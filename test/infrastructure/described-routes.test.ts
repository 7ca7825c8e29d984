import { expect, test } from '@jest/globals';
import { routesOf } from '../support/engine/routes.ts';
import { templatesOf } from '../support/engine/templates.ts';
import { describedPaths } from '../support/openapi/description.ts';

/**
 * Other addresses of the same thing, by rule: links have no `/api` in their paths (LINK-2), and the metadata of a host's one
 * resource stand without its path, too (RFC 9728).
 */
const documentedAs = (path: string): string =>
  path
    .replace(/^\/(?=transaction\b|v2\/)/, '/api/')
    .replace(/^(\/\.well-known\/oauth-protected-resource)$/, '$1/api/v2');

test('S-73 the routes of the template are the paths of the document, and the reverse', () => {
  const routed = routesOf(templatesOf('production').service).map((route) => {
    const [, api, path = ''] = /^(\w+) \w+ (\S+)/.exec(route) ?? [];
    return `${api} ${documentedAs(path)}`;
  });

  expect([...new Set(routed)].sort()).toEqual(describedPaths().sort());
});
