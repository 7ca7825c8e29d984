import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import { isChainType } from '../../../functions/shared/domain/event/event.ts';
import { sendAgain } from '../../../functions/shared/replay/send-again.ts';
import { withoutMoves } from '../events/dry-run.ts';
import { type Adoption, wentBack } from './adoption.ts';
import { acceptedAtMsOf, isOpen, type Notified } from './notified.ts';
import { isWithBus, mayBeUndelivered } from './verdict.ts';

/**
 * Sends again what was to be sent at the time of the restored delivery log, and what the bus may have given up since: of
 * each partner the earliest delivery of the transaction, which the sender turns into one event up to its new version
 * (DR-4, DR-11).
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

/** By client id. Where the transactions went back, too, everybody is sent all of it: what the bus had is in that. */
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
