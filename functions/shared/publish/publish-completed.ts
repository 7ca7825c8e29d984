import { completionSettings } from '../domain/event/settings.ts';
import type { StoredTransaction } from '../domain/transaction.ts';
import { claim } from './claim.ts';
import type { PublishDeps } from './publish-deps.ts';
import { sendAndSettle } from './send.ts';
import { completedEvent } from './take-up.ts';

/**
 * Tells at once that a payment has completed a transaction (interface 6.1, events 6), right after the write that left the
 * marker. Never throws: what fails here is told by the flush, which finds the marker due.
 */
export const publishCompleted = async (stored: StoredTransaction, deps: PublishDeps): Promise<void> => {
  const { uuid } = stored.transaction;
  const quick = { ...deps, settings: { ...deps.settings, ...completionSettings } };
  try {
    const marker = { uuid, kind: 'COMPLETED', rev: 0, touch: 0 } as const;
    const partners = await deps.partners.all();
    const claimed = await claim({ ...completedEvent(marker, stored, stored.version), partners }, quick);
    if (claimed) await sendAndSettle([claimed], quick);
  } catch (fault) {
    deps.log('completionLeft', {}, fault);
  }
};
