import type { DeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log-store.ts';

/** The same delivery log for a dry run: what would be sent again is found and counted, and no delivery moves. */
export const withoutMoves = <DeliveryLog extends Pick<DeliveryLogStore, 'move'>>(
  deliveryLog: DeliveryLog,
): DeliveryLog => ({
  ...deliveryLog,
  move: async () => true,
});
