import type { OAuthScope } from '../shared/domain/partner.ts';
import { decodedSegment } from '../shared/http/request.ts';
import type { AddressMethods } from '../shared/middleware/allow-methods.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';

/** What this function answers: the calling partner itself, what it was sent, and what it has sent again. */
export type PartnerRoute =
  | { name: 'partner' | 'events' | 'replay-since' | 'webhook-test' }
  | { name: 'event' | 'replay'; id: string };

/** With and without `/api` (LINK-2), with and without a trailing slash. */
const addresses =
  /^(?:\/api)?\/v2\/(?:(partner|event|event\/replay|webhook\/test)|event\/([^/]+)(\/replay)?)\/?$/;

const fixed: Record<string, PartnerRoute> = {
  partner: { name: 'partner' },
  event: { name: 'events' },
  'event/replay': { name: 'replay-since' },
  'webhook/test': { name: 'webhook-test' },
};

/** The route of a path as the gateway gives it; undefined for any other spelling (S-12). No event's id is `replay`. */
export const routeOf = (path: string): PartnerRoute | undefined => {
  const [, words, id, replay] = addresses.exec(path) ?? [];
  if (words !== undefined) return fixed[words];
  if (id === undefined) return undefined;
  return { name: replay === undefined ? 'event' : 'replay', id: decodedSegment(id) };
};

const isOrder = ({ name }: PartnerRoute) => ['replay', 'replay-since', 'webhook-test'].includes(name);

/** What is looked at is read, what has something sent is posted. */
export const methodsOf = ({ route }: RoutedEvent<PartnerRoute>): AddressMethods => ({
  answered: isOrder(route) ? ['POST'] : ['GET', 'HEAD'],
});

export const oauthScopeOf = ({ route }: RoutedEvent<PartnerRoute>): OAuthScope =>
  isOrder(route) ? 'nop2/write' : 'nop2/read';
