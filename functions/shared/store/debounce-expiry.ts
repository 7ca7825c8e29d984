import type { Delivery } from '../domain/event/delivery.ts';
import type { TransactionEvent } from '../domain/event/event.ts';
import { deliveryLifetimeMs, eventLifetimeMs, isFinal } from './debounce/ledger-store.ts';

/** The engine counts whole seconds and removes days late, so that reads compare, too (S-60). */
export const isExpired = ({ expiresAt }: { expiresAt?: number }, now: Date) =>
  expiresAt !== undefined && expiresAt <= secondsOf(now.getTime());

/** Rounded down: an instant counts as past in its own second. */
export const secondsOf = (milliseconds: number) => Math.floor(milliseconds / 1000);

export const eventExpiresAt = ({ claimedAtMs }: Pick<TransactionEvent, 'claimedAtMs'>) =>
  secondsOf(claimedAtMs + eventLifetimeMs);

/** Only what has ended expires, and nothing that is armed (I12). */
export const deliveryExpiresAt = ({ state, dueAtMs }: Pick<Delivery, 'state' | 'dueAtMs'>, atMs: number) =>
  isFinal(state) && dueAtMs === undefined ? secondsOf(atMs + deliveryLifetimeMs) : undefined;

/** A marker that has done its work. */
export const markerExpiresAt = (atMs: number) => secondsOf(atMs + deliveryLifetimeMs);
