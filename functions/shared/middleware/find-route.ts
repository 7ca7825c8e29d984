import type { MiddlewareObj } from '@middy/core';
import { type HandlerResult, notFound } from '../http/problem.ts';
import type { HttpEvent } from '../http/request.ts';

/** A request to one of the function's routes. */
export type RoutedEvent<Route> = HttpEvent & { route: Route };

/** Adds `event.route`. An unknown path is 404 before any other check (ERR-3). */
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
