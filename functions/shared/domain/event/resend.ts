import type { StoredTransaction } from '../transaction/transaction.ts';
import { type Cursor, decideCursor, notifiedVersionOf } from './cursor.ts';
import type { VersionRange } from './event.ts';
import type { EventSettings } from './timing.ts';

/** How an event leaves that is sent again by itself. */
export type ResendDecision =
  /** With its id and its bytes: nothing newer was told, and nothing newer can overtake it. */
  | { step: 'as-is' }
  /** Together with everything that was told since, up to this version. */
  | { step: 'together'; to: number }
  /** Not yet: a newer event may leave at any moment, and would arrive before this one. */
  | { step: 'wait'; dueAtMs: number };

/**
 * Nothing older may arrive last (EV-12): an event that is sent again tells everything up to the newest that was told. While
 * a newer one may leave within the lease of this sending, it waits for that one. `cursor` was read before `stored`.
 */
export const decideResend = (
  { to }: Pick<VersionRange, 'to'>,
  { cursor, stored }: { cursor: Cursor; stored: StoredTransaction },
  { nowMs, settings }: { nowMs: number; settings: EventSettings },
): ResendDecision => {
  const { leaseMs } = settings;
  if (cursor.inflight) return { step: 'wait', dueAtMs: nowMs + leaseMs };
  const next = decideCursor(cursor, stored, { nowMs, settings });
  if (next.step === 'unschedule') return { step: 'together', to: stored.version };
  const leavesAtMs = next.step === 'reschedule' ? next.dueAtMs : nowMs;
  const isNewest = to >= notifiedVersionOf(cursor, stored);
  if (isNewest && leavesAtMs >= nowMs + leaseMs) return { step: 'as-is' };
  return { step: 'wait', dueAtMs: leavesAtMs + leaseMs };
};
