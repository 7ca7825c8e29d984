import type { MiddlewareObj } from '@middy/core';
import { type HandlerResult, notFound } from '../http/problem.ts';
import type { HttpEvent } from '../http/request.ts';

/** A request whose path is one of the function's own. */
export type RoutedEvent<Route> = HttpEvent & { route: Route };

/** Adds `event.route`; a path without a route is 404 before anything else is checked (ERR-3). */
export const findRoute = <Route>(
  routeOf: (path: string) => Route | undefined,
): MiddlewareObj<RoutedEvent<Route>, HandlerResult> => ({
  before: ({ event }): HandlerResult | undefined => {
    const route = routeOf(event.path);
    if (!route) return notFound();
    event.route = route;
    return undefined;
  },
});
