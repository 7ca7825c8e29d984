import { decodedSegment } from '../shared/http/request.ts';
import type { AddressMethods } from '../shared/middleware/allow-methods.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';

/** What this function answers: changes of one transaction, and new payments. */
export type WriteRoute = { name: 'transaction'; uuid: string } | { name: 'payment' };

/** With and without `/api` (LINK-2), with and without a trailing slash. */
const addresses = /^(?:\/api)?\/v2\/(?:(payment)|transaction\/([^/]+))\/?$/;

/** The route of a path as the gateway gives it; undefined for any other spelling (S-12). */
export const routeOf = (path: string): WriteRoute | undefined => {
  const [address, payment, uuid = ''] = addresses.exec(path) ?? [];
  if (address === undefined) return undefined;
  return payment === undefined ? { name: 'transaction', uuid: decodedSegment(uuid) } : { name: 'payment' };
};

/** v2-read answers the reads of a transaction's address; `Allow` names them all the same (VERB-1). */
export const methodsOf = ({ route }: RoutedEvent<WriteRoute>): AddressMethods =>
  route.name === 'payment'
    ? { answered: ['POST'] }
    : { answered: ['PATCH', 'PUT'], named: ['GET', 'HEAD', 'PATCH', 'PUT'] };
