import type { OAuthScope } from '../shared/domain/partner.ts';
import type { AddressMethods } from '../shared/middleware/allow-methods.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';

/** The routes of this function: the calling partner, its events with their replay, and its webhook. */
export type PartnerRoute = {
  name: 'partner' | 'events' | 'replay' | 'webhook' | 'webhook-signature' | 'webhook-test';
};

/** With and without `/api` (LINK-2), and with and without a trailing slash. */
const addresses =
  /^(?:\/api)?\/v2\/(partner|event|event\/replay|webhook|webhook\/signature|webhook\/test)\/?$/;

const routes: Record<string, PartnerRoute> = {
  partner: { name: 'partner' },
  event: { name: 'events' },
  'event/replay': { name: 'replay' },
  webhook: { name: 'webhook' },
  'webhook/signature': { name: 'webhook-signature' },
  'webhook/test': { name: 'webhook-test' },
};

/** The route of a path in the gateway's spelling. Undefined for any other spelling (S-12). */
export const routeOf = (path: string): PartnerRoute | undefined => routes[addresses.exec(path)?.[1] ?? ''];

/** The methods of an address, each with the OAuth scope that it needs. */
type ScopeByMethod = Record<string, OAuthScope>;

const looked: ScopeByMethod = { GET: 'nop2/read', HEAD: 'nop2/read' };
const sent: ScopeByMethod = { POST: 'nop2/write' };
const managed: ScopeByMethod = { POST: 'nop2/webhook' };

/** Reads need `nop2/read`, replays `nop2/write`, and the webhook's management `nop2/webhook` (V2-13). */
const scopes: Record<PartnerRoute['name'], ScopeByMethod> = {
  partner: looked,
  events: looked,
  replay: sent,
  webhook: { ...looked, PUT: 'nop2/webhook', PATCH: 'nop2/webhook', DELETE: 'nop2/webhook' },
  'webhook-signature': managed,
  'webhook-test': managed,
};

export const methodsOf = ({ route }: RoutedEvent<PartnerRoute>): AddressMethods => ({
  answered: Object.keys(scopes[route.name]),
});

/** Only for methods with an answer. Others were refused before (ERR-3). */
export const oauthScopeOf = ({ route, httpMethod }: RoutedEvent<PartnerRoute>): OAuthScope =>
  scopes[route.name][httpMethod] ?? 'nop2/webhook';
