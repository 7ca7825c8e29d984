import { decodedSegment } from '../shared/http/request.ts';
import type { AddressMethods } from '../shared/middleware/allow-methods.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';

/** The routes of this function: the list, and one transaction. */
export type ReadRoute = { name: 'list' } | { name: 'transaction'; uuid: string };

/** With and without `/api` (LINK-2), and with and without a trailing slash. */
const addresses = /^(?:\/api)?\/v2\/transaction(?:\/([^/]+))?\/?$/;

/** The route of a path in the gateway's spelling. Undefined for any other spelling (S-12). */
export const routeOf = (path: string): ReadRoute | undefined => {
  const [address, uuid] = addresses.exec(path) ?? [];
  if (address === undefined) return undefined;
  return uuid === undefined ? { name: 'list' } : { name: 'transaction', uuid: decodedSegment(uuid) };
};

/** v2-write answers the other methods of a transaction's address. `Allow` names them as well (VERB-1). */
export const methodsOf = ({ route }: RoutedEvent<ReadRoute>): AddressMethods => ({
  answered: ['GET', 'HEAD'],
  ...(route.name === 'transaction' && { named: ['GET', 'HEAD', 'PATCH', 'PUT'] }),
});
