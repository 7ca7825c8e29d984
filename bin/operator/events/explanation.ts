import { settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import type { OperatorDeps } from '../deps.ts';
import type { Recipient } from './deliveries.ts';
import type { Explanation } from './delivery-status.ts';
import { type ExplainFacts, explain } from './explain.ts';

/** Newer events explain more than older ones; "events list" has all. */
const mostEvents = 20;

/** Why a partner was told of a transaction, or was not, as of now. */
export const explainTo = async (
  { clientId }: Recipient,
  uuid: string,
  deps: OperatorDeps,
): Promise<Explanation[]> => {
  const [partner, stored, cursor, marker, events, deliveries] = await Promise.all([
    deps.partners.byClientId(clientId),
    deps.transactions.byUuid(uuid),
    deps.cursors.get({ uuid, kind: 'NOTIFY' }),
    deps.cursors.get({ uuid, kind: 'COMPLETED' }),
    firstOf(deps.ledger.eventsOfTransaction(uuid), () => true),
    firstOf(deps.ledger.deliveriesOfTransaction(uuid, {}), (delivery) => delivery.clientId === clientId),
  ]);
  const known: Pick<ExplainFacts, 'partner' | 'stored' | 'cursor' | 'marker'> = {
    partner,
    stored,
    cursor,
    marker,
  };
  const settings = settingsOf(deps.events.dormancyMs);
  return explain({ ...known, events, deliveries, nowMs: deps.now().getTime(), settings });
};

const firstOf = async <Value>(
  values: AsyncIterable<Value>,
  isWanted: (value: Value) => boolean,
): Promise<Value[]> => {
  const found: Value[] = [];
  for await (const value of values) {
    if (isWanted(value)) found.push(value);
    if (found.length === mostEvents) break;
  }
  return found;
};
