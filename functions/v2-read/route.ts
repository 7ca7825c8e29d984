import type { MiddlewareObj } from '@middy/core';
import type { HandlerResult } from '../shared/http/problem.ts';
import { notFound } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { decodedSegment } from '../shared/http/request.ts';
import type { MethodsHere } from '../shared/middleware/allow-methods.ts';

/** What this function answers: the list, one transaction, the calling partner. */
export type Route = { name: 'list' } | { name: 'transaction'; uuid: string } | { name: 'partner' };

export type RoutedEvent = HttpEvent & { route: Route };

/** With and without `/api` (LINK-2), with and without a trailing slash (VERB-1). */
const addresses = /^(?:\/api)?\/v2\/(?:(partner)|transaction(?:\/([^/]+))?)\/?$/;

/** The route of a path as the gateway gives it; undefined for any other spelling (S-12). */
export const routeOf = (path: string): Route | undefined => {
  const [address, partner, uuid] = addresses.exec(path) ?? [];
  if (address === undefined) return undefined;
  if (partner !== undefined) return { name: 'partner' };
  return uuid === undefined ? { name: 'list' } : { name: 'transaction', uuid: decodedSegment(uuid) };
};

/** Adds `event.route`; a path that is none of ours is 404 before anything else is judged (ERR-3). */
export const findRoute = (): MiddlewareObj<RoutedEvent, HandlerResult> => ({
  before: ({ event }): HandlerResult | undefined => {
    const route = routeOf(event.path);
    if (!route) return notFound();
    event.route = route;
    return undefined;
  },
});

/** The writes of a transaction's address are the function v2-write's; `Allow` names them all the same (VERB-1). */
export const methodsOf = ({ route }: RoutedEvent): MethodsHere => ({
  answered: ['GET', 'HEAD'],
  ...(route.name === 'transaction' && { named: ['GET', 'HEAD', 'PATCH', 'PUT'] }),
});
