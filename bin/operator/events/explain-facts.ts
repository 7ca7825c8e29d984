import { settingsOf } from '../../../functions/shared/domain/event/timing.ts';
import type { OperatorDeps } from '../deps.ts';
import type { Recipient } from './deliveries.ts';
import type { ExplainFacts } from './explain.ts';

/** The newest events explain most; "events list" shows all. */
const mostEvents = 20;

/** Reads the present facts about one partner and one transaction. */
export const loadExplainFacts = async (
  { clientId }: Recipient,
  uuid: string,
  deps: OperatorDeps,
): Promise<ExplainFacts> => {
  const [partner, stop, stored, debounceRow, marker, events, deliveries] = await Promise.all([
    deps.partners.byClientId(clientId),
    deps.webhookSwitch.read(),
    deps.transactions.byUuid(uuid),
    deps.debounceRows.get({ uuid, kind: 'NOTIFY' }),
    deps.debounceRows.get({ uuid, kind: 'COMPLETED' }),
    firstOf(deps.deliveryLog.eventsOfTransaction(uuid)),
    firstOf(deps.deliveryLog.deliveriesOfTransaction(uuid, { clientId })),
  ]);
  const settings = settingsOf(deps.events.dormancyMs);
  return {
    partner,
    stoppedAtMs: stop?.stoppedAtMs,
    stored,
    debounceRow,
    marker,
    events,
    deliveries,
    nowMs: deps.now().getTime(),
    settings,
  };
};

const firstOf = async <Value>(values: AsyncIterable<Value>): Promise<Value[]> => {
  const found: Value[] = [];
  for await (const value of values) {
    found.push(value);
    if (found.length === mostEvents) break;
  }
  return found;
};
