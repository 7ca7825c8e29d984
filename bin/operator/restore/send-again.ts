import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import { isChainType } from '../../../functions/shared/domain/event/event.ts';
import { sendAgain } from '../../../functions/shared/replay/send-again.ts';
import { withoutMoves } from '../events/dry-run.ts';
import { type Adoption, wentBack } from './adoption.ts';
import { acceptedAtMsOf, isOpen, type Notified } from './notified.ts';
import { isWithBus, mayBeUndelivered } from './verdict.ts';

/**
 * Sends again the deliveries that were open at the time of the restored delivery log, or that the bus may have given up
 * since: for each partner one event of the transaction, up to its new version (DR-4, DR-11).
 */
export const sendUndeliveredAgain = async (
  uuid: string,
  known: Notified | undefined,
  adoption: Adoption,
): Promise<void> => {
  const { deps, dryRun, report, deliveryLogToMs } = adoption;
  if (!known || !wentBack(adoption, 'debounce') || !mayBeUndelivered(known, deliveryLogToMs)) return;
  const deliveryLog = dryRun ? withoutMoves(deps.deliveryLog) : deps.deliveryLog;
  for (const deliveries of (await undeliveredOf(uuid, adoption)).values()) {
    const sent = await sendAgain(deliveries, { ...deps, deliveryLog, clock: deps.now });
    report.sentAgain += sent.filter(({ outcome }) => outcome === 'scheduled').length;
  }
};

/** Deliveries by client id. Accepted ones are left out where transactions were restored too: all is sent then. */
const undeliveredOf = async (uuid: string, adoption: Adoption): Promise<Map<string, Delivery[]>> => {
  const { deps, deliveryLogToMs } = adoption;
  const wasWithBus = (delivery: Delivery) =>
    delivery.state === 'ACCEPTED' &&
    isWithBus(acceptedAtMsOf(delivery), deliveryLogToMs) &&
    !wentBack(adoption, 'transactions');
  const found: Delivery[] = [];
  for await (const delivery of deps.deliveryLog.deliveriesOfTransaction(uuid, {}))
    if (isChainType(delivery.type) && (isOpen(delivery) || wasWithBus(delivery))) found.push(delivery);
  return Map.groupBy(found, ({ clientId }) => clientId);
};
