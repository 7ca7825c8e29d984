import { decodedSegment } from '../shared/http/request.ts';
import type { AddressMethods } from '../shared/middleware/allow-methods.ts';
import type { SessionEvent } from '../shared/middleware/authenticate-session.ts';
import type { OriginEvent } from '../shared/middleware/cors.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';

/** The routes of this function: the session's transactions, one of them, and sign-in. */
export type CheckoutRoute = { name: 'all' } | { name: 'transaction'; uuid: string } | { name: 'session' };

/** A checkout's request with its route, its session and the storefronts of its origin. */
export type CheckoutEvent = RoutedEvent<CheckoutRoute> & SessionEvent & OriginEvent;

/** With and without `/api` (V1-3), and with and without a trailing slash. */
const addresses = /^(?:\/api)?\/(?:(session)|transaction(?:\/([^/]+))?)\/?$/;

/** The route of a path in the gateway's spelling. Undefined for any other spelling. */
export const routeOf = (path: string): CheckoutRoute | undefined => {
  const [address, session, uuid] = addresses.exec(path) ?? [];
  if (address === undefined) return undefined;
  if (session !== undefined) return { name: 'session' };
  return uuid === undefined ? { name: 'all' } : { name: 'transaction', uuid: decodedSegment(uuid) };
};

/** The methods of one address (VERB-1). */
export const methodsOf = ({ route }: RoutedEvent<CheckoutRoute>): AddressMethods => ({
  answered: methods[route.name],
});

const methods: Record<CheckoutRoute['name'], readonly string[]> = {
  all: ['GET', 'HEAD', 'POST'],
  transaction: ['GET', 'HEAD', 'PATCH', 'PUT'],
  session: ['POST'],
};

/** The headers that scripts may send to these addresses (V1-7). */
export const allMethods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT'];
