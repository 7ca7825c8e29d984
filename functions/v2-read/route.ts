import type { MiddlewareObj } from '@middy/core';
import type { Answer } from '../shared/http/answer.ts';
import type { HttpEvent } from '../shared/http/event.ts';
import { notFound } from '../shared/http/problem.ts';

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
  return uuid === undefined ? { name: 'list' } : { name: 'transaction', uuid: decoded(uuid) };
};

/** Adds `event.route`; a path that is none of ours is 404 before anything else is judged (ERR-3). */
export const findRoute = (): MiddlewareObj<RoutedEvent, Answer> => ({
  before: ({ event }): Answer | undefined => {
    const route = routeOf(event.path);
    if (!route) return notFound();
    event.route = route;
    return undefined;
  },
});

const decoded = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
