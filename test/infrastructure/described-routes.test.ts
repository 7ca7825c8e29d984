import { expect, test } from '@jest/globals';
import {
  createHandler as createTokenService,
  type TokenServiceDeps,
} from '../../functions/issue-token/handler.ts';
import { createHandler as createDocs } from '../../functions/serve-docs/handler.ts';
import type { HandlerResult } from '../../functions/shared/http/problem.ts';
import type { AddressMethods } from '../../functions/shared/middleware/allow-methods.ts';
import * as checkout from '../../functions/v1-transaction/route.ts';
import * as partner from '../../functions/v2-partner/route.ts';
import * as read from '../../functions/v2-read/route.ts';
import * as write from '../../functions/v2-write/route.ts';
import { httpEvent } from '../support/builders/http-event.ts';
import { routesOf } from '../support/engine/routes.ts';
import { templatesOf } from '../support/engine/templates.ts';
import { describedOperations } from '../support/openapi/operations.ts';

/**
 * Other addresses of the same thing, by rule: links have no `/api` in their paths (LINK-2), and the metadata of a host's one
 * resource stand without its path, too (RFC 9728). The gateway writes a parameter that takes the rest of a path with a plus.
 */
const documentedAs = (path: string): string =>
  path
    .replace(/^\/(?=transaction\b|session\b|v2\/)/, '/api/')
    .replace(/^(\/\.well-known\/oauth-protected-resource)$/, '$1/api/v2')
    .replace('{page+}', '{page}');

type Routing<Route> = {
  routeOf: (path: string) => Route | undefined;
  methodsOf: (event: never) => AddressMethods;
};

const answeredBy =
  <Route>({ routeOf, methodsOf }: Routing<Route>) =>
  async (path: string): Promise<readonly string[]> =>
    methodsOf({ route: routeOf(path) } as never).answered;

/** What `Allow` names, which these two hold requests against. */
const allowedBy = async (result: HandlerResult): Promise<string[]> =>
  String(result.headers.Allow)
    .split(', ')
    .filter((method) => method !== 'OPTIONS');

const issuer = 'https://auth.example';
const tokenService = createTokenService({
  issuer,
  audience: 'https://api.example/api/v2',
} as TokenServiceDeps);

const methodsAt: Record<string, (path: string) => Promise<readonly string[]>> = {
  'v1-transaction': answeredBy(checkout),
  'v2-partner': answeredBy(partner),
  'v2-read': answeredBy(read),
  'v2-write': answeredBy(write),
  'issue-token': async (path) => allowedBy(await tokenService(httpEvent(path, { method: 'OPTIONS' }))),
  'serve-docs': async (path) => {
    const docs = createDocs({ read: async () => '', baseUrl: 'https://api.example', authUrl: issuer });
    return allowedBy(await docs(httpEvent(path.replace('{page+}', 'start'), { method: 'OPTIONS' })));
  },
};

/** `transactions GET /api/v2/transaction`, for each method that the gateway lets through and the function answers. */
const answeredAt = async (route: string): Promise<string[]> => {
  const [, api, routed, path = '', name = ''] = /^(\w+) (\w+) (\S+) -> \w+ (\S+)$/.exec(route) ?? [];
  const answered = (await methodsAt[name]?.(path)) ?? [];
  return answered
    .filter((method) => routed === 'ANY' || routed === method)
    .map((method) => `${api} ${method} ${documentedAs(path)}`);
};

/** HEAD is answered where GET is, and is not described apart; OPTIONS is answered everywhere (VERB-1). */
const withHead = (operation: string) =>
  operation.includes(' GET ') ? [operation, operation.replace(' GET ', ' HEAD ')] : [operation];

test('S-73 the methods and routes that answer are the operations of the document, and vice versa', async () => {
  const answered = await Promise.all(routesOf(templatesOf('production').service).map(answeredAt));

  expect([...new Set(answered.flat())].sort()).toEqual(describedOperations().flatMap(withHead).sort());
});
