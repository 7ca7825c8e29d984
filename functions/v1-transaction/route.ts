import type { MiddlewareObj } from '@middy/core';
import type { HandlerResult } from '../shared/http/problem.ts';
import { notFound } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { decodedSegment } from '../shared/http/request.ts';
import type { MethodsHere } from '../shared/middleware/allow-methods.ts';
import type { SessionEvent } from '../shared/middleware/authenticate-session.ts';
import type { OriginEvent } from '../shared/middleware/cors.ts';

/** What this function answers: the session's transactions, and one of them. */
export type Route = { name: 'all' } | { name: 'transaction'; uuid: string };

export type RoutedEvent = HttpEvent & { route: Route };

/** With and without `/api` (V1-3), with and without a trailing slash (VERB-1). */
const addresses = /^(?:\/api)?\/transaction(?:\/([^/]+))?\/?$/;

/** Adds `event.route`; a path that is none of ours is 404 before anything else is judged (ERR-3). */
export const findRoute = (): MiddlewareObj<RoutedEvent, HandlerResult> => ({
  before: ({ event }): HandlerResult | undefined => {
    const [address, uuid] = addresses.exec(event.path) ?? [];
    if (address === undefined) return notFound();
    event.route = uuid === undefined ? { name: 'all' } : { name: 'transaction', uuid: decodedSegment(uuid) };
    return undefined;
  },
});

/** V1-1 and V1-6. */
export const methodsOf = ({ route }: RoutedEvent): MethodsHere => ({
  answered: ['GET', 'HEAD', ...(route.name === 'all' ? ['POST'] : ['PATCH', 'PUT'])],
});

/** What a script may be allowed to send to any of these addresses (V1-7). */
export const allMethods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT'];

/** A checkout's request, with its route, its session and the storefronts of its origin. */
export type CheckoutEvent = RoutedEvent & SessionEvent & OriginEvent;
