import type { DeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log-store.ts';
import type { AttemptRecord } from './report.ts';

/** Records each attempt of the bus in the delivery log, so that the local stage knows which events were delivered. */
export const recordInDeliveryLog =
  (deliveryLog: Pick<DeliveryLogStore, 'recordAttempt'>) =>
  (record: AttemptRecord): Promise<void> =>
    deliveryLog.recordAttempt({
      eventId: record.eventId,
      clientId: record.clientId,
      atMs: record.atMs,
      isDelivered: record.delivered,
      note: noteOf(record),
    });

/** `attempt 2: status 503, again at 2026-11-21T12:00:03.500Z` */
const noteOf = ({ attempt, status, error, delivered, willRetryAtMs }: AttemptRecord): string => {
  const result = status === undefined ? error : `status ${status}`;
  const said = `attempt ${attempt}: ${result}`;
  if (delivered) return said;
  return willRetryAtMs === undefined
    ? `${said}, given up`
    : `${said}, again at ${new Date(willRetryAtMs).toISOString()}`;
};
