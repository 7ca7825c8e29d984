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

/** What publishing works with. */
export type PublishDeps = {
  transactions: Pick<TransactionReader, 'byUuid' | 'byUuids'>;
  partners: Pick<PartnerDirectory, 'ofOwners' | 'byClientIds'>;
  debounceRows: DebounceRowStore;
  deliveryLog: DeliveryLogStore;
  bus: EventBus;
  clock: Clock;
  log: Log;
  settings: EventSettings;
  /** The stage's name, part of every event's id. */
  stage: string;
  origin: MessageOrigin;
  /** Hears how long after its last change an event was with the bus for all its partners; absent = nobody measures. */
  onNotified?: (type: EventType, delayMs: number) => void;
};
