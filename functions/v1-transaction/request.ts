import type { OwnershipClaim } from '../shared/domain/ownership/ownership.ts';
import { hasFilter } from '../shared/domain/query/filter.ts';
import {
  type ListQuery,
  type ListQueryOutcome,
  readListQuery,
  readSingleQuery,
} from '../shared/domain/query/list-query.ts';
import { lastValue, type QueryParameters } from '../shared/domain/query/parameters.ts';
import type { Selection } from '../shared/domain/query/selection.ts';
import { sessionRead } from '../shared/domain/session.ts';
import type { SessionEvent } from '../shared/middleware/authenticate-session.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';
import type { CheckoutRoute } from './route.ts';

/** What a GET or HEAD of V1 asks for, or why it is refused. */
export type CheckoutRead =
  | { asks: 'not-found' }
  | { asks: 'unauthorised' }
  | { asks: 'faulty'; fault: Exclude<ListQueryOutcome, { ok: true }> }
  | { asks: 'list'; query: ListQuery }
  | { asks: 'one'; session: string; uuid: string | undefined; selection: Selection }
  | { asks: 'newest-or-new'; session: string | undefined; claim: OwnershipClaim; selection: Selection };

/** What the request asks for. A `uuid` without a token is refused before anything else is read (TH-01). */
export const checkoutReadOf = (
  event: SessionEvent & Pick<RoutedEvent<CheckoutRoute>, 'route'>,
): CheckoutRead => {
  const { session, route } = event;
  const parameters = event.multiValueQueryStringParameters ?? {};
  if (route.name === 'transaction') return readOne(parameters, session?.id, route.uuid);
  const read = sessionRead(session?.id, { uuid: namesUuid(parameters), filter: hasFilter(parameters) });
  if (read.asks === 'not-found' || read.asks === 'unauthorised') return read;
  if (read.asks === 'list') return readList(parameters, read.session);
  if (read.asks === 'one') return readOne(parameters, read.session, lastValue(parameters, 'uuid'));
  const selection = readSingleQuery(parameters, checkoutNames);
  if (!selection.ok) return { asks: 'faulty', fault: selection };
  return { ...read, claim: readClaim(parameters), selection: selection.value };
};

/** One transaction by parameter or by path, never without a session (V1-2). */
const readOne = (
  parameters: QueryParameters,
  session: string | undefined,
  uuid: string | undefined,
): CheckoutRead => {
  if (session === undefined) return { asks: 'not-found' };
  const selection = readSingleQuery(parameters, checkoutNames);
  if (!selection.ok) return { asks: 'faulty', fault: selection };
  return { asks: 'one', session, uuid, selection: selection.value };
};

/** The parameters of V1 alone. A disguised one would give the checkout to another dealer, or create one (FLT-2). */
const checkoutNames = ['uuid', 'location', 'franchise'];

/** An empty `uuid` and `uuid[]` are malformed, not absent. */
const namesUuid = (parameters: QueryParameters) =>
  Object.keys(parameters).some((name) => name === 'uuid' || name.startsWith('uuid['));

const readList = (parameters: QueryParameters, session: string): CheckoutRead => {
  const query = readListQuery(parameters, { kind: 'session', session }, checkoutNames);
  return query.ok ? { asks: 'list', query: query.value } : { asks: 'faulty', fault: query };
};

const readClaim = (parameters: QueryParameters): OwnershipClaim => {
  const location = lastValue(parameters, 'location');
  const franchise = lastValue(parameters, 'franchise');
  return { ...(location && { location }), ...(franchise && { franchise }) };
};
