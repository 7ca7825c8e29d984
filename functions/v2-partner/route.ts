import type { OAuthScope } from '../shared/domain/partner.ts';
import { decodedSegment } from '../shared/http/request.ts';
import type { AddressMethods } from '../shared/middleware/allow-methods.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';

/** What this function answers: the calling partner itself, and what it was sent. */
export type PartnerRoute = { name: 'partner' } | { name: 'events' } | { name: 'event'; id: string };

/** With and without `/api` (LINK-2), with and without a trailing slash. */
const addresses = /^(?:\/api)?\/v2\/(?:(partner)|event(?:\/([^/]+))?)\/?$/;

/** The route of a path as the gateway gives it; undefined for any other spelling (S-12). */
export const routeOf = (path: string): PartnerRoute | undefined => {
  const [address, partner, id] = addresses.exec(path) ?? [];
  if (address === undefined) return undefined;
  if (partner !== undefined) return { name: 'partner' };
  return id === undefined ? { name: 'events' } : { name: 'event', id: decodedSegment(id) };
};

export const methodsOf = (_event: RoutedEvent<PartnerRoute>): AddressMethods => ({
  answered: ['GET', 'HEAD'],
});

export const oauthScopeOf = (_event: RoutedEvent<PartnerRoute>): OAuthScope => 'nop2/read';
