import type { EventType } from '../domain/event/event.ts';
import type { MessageOrigin } from '../domain/event/message.ts';
import type { EventSettings } from '../domain/event/timing.ts';
import type { EventBus } from '../outbound/event-bus.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/logger.ts';
import type { DebounceRowStore } from '../store/debounce/debounce-row-store.ts';
import type { DeliveryLogStore } from '../store/debounce/delivery-log-store.ts';
import type { PartnerDirectory } from '../store/partners/directory.ts';
import type { TransactionReader } from '../store/transactions/reader.ts';

/** Dependencies of publishing. */
export type PublishDeps = {
  transactions: Pick<TransactionReader, 'byUuid' | 'byUuids'>;
  partners: Pick<PartnerDirectory, 'ofOwners' | 'byClientIds'>;
  debounceRows: DebounceRowStore;
  deliveryLog: DeliveryLogStore;
  bus: EventBus;
  clock: Clock;
  log: Log;
  settings: EventSettings;
  /** The stage's name, part of every event ID. */
  stage: string;
  origin: MessageOrigin;
  /** Called with the delay in ms from the last change until the bus accepted an event for all partners. Optional. */
  onNotified?: (type: EventType, delayMs: number) => void;
};
