import type { MiddlewareObj } from '@middy/core';
import type { HandlerResult } from '../shared/http/problem.ts';
import { notFound } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { decodedSegment } from '../shared/http/request.ts';
import type { MethodsHere } from '../shared/middleware/allow-methods.ts';

/** What this function answers: changes of one transaction, and new payments. */
export type Route = { name: 'transaction'; uuid: string } | { name: 'payment' };

export type RoutedEvent = HttpEvent & { route: Route };

/** With and without `/api` (LINK-2), with and without a trailing slash (VERB-1). */
const addresses = /^(?:\/api)?\/v2\/(?:(payment)|transaction\/([^/]+))\/?$/;

/** The route of a path as the gateway gives it; undefined for any other spelling (S-12). */
export const routeOf = (path: string): Route | undefined => {
  const [address, payment, uuid = ''] = addresses.exec(path) ?? [];
  if (address === undefined) return undefined;
  return payment === undefined ? { name: 'transaction', uuid: decodedSegment(uuid) } : { name: 'payment' };
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

/** The reads of a transaction's address are the function v2-read's; `Allow` names them all the same (VERB-1). */
export const methodsOf = ({ route }: RoutedEvent): MethodsHere =>
  route.name === 'payment'
    ? { answered: ['POST'] }
    : { answered: ['PATCH', 'PUT'], named: ['GET', 'HEAD', 'PATCH', 'PUT'] };
