import { decodedSegment } from '../shared/http/request.ts';
import type { AddressMethods } from '../shared/middleware/allow-methods.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';

/** The routes of this function: changes of one transaction, and new payments. */
export type WriteRoute = { name: 'transaction'; uuid: string } | { name: 'payment' };

/** With and without `/api` (LINK-2), and with and without a trailing slash. */
const addresses = /^(?:\/api)?\/v2\/(?:(payment)|transaction\/([^/]+))\/?$/;

/** The route of a path in the gateway's spelling. Undefined for any other spelling (S-12). */
export const routeOf = (path: string): WriteRoute | undefined => {
  const [address, payment, uuid = ''] = addresses.exec(path) ?? [];
  if (address === undefined) return undefined;
  return payment === undefined ? { name: 'transaction', uuid: decodedSegment(uuid) } : { name: 'payment' };
};

/** v2-read answers the other methods of a transaction's address. `Allow` names them as well (VERB-1). */
export const methodsOf = ({ route }: RoutedEvent<WriteRoute>): AddressMethods =>
  route.name === 'payment'
    ? { answered: ['POST'] }
    : { answered: ['PATCH', 'PUT'], named: ['GET', 'HEAD', 'PATCH', 'PUT'] };
