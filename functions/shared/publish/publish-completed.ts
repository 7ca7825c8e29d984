import { completionSettings } from '../domain/event/timing.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import { type ClaimedEvent, claim } from './claim.ts';
import { completedEvent } from './load-due.ts';
import type { PublishDeps } from './publish-deps.ts';
import { sendAndSettle } from './send.ts';

/**
 * Publishes TransactionCompleted at once (interface 6.1), right after the write that left the marker. Never throws: what
 * fails here is published by the flush, which finds the marker due.
 */
export const publishCompleted = async (stored: StoredTransaction, deps: PublishDeps): Promise<void> => {
  const quick = { ...deps, settings: { ...deps.settings, ...completionSettings } };
  try {
    const claimed = await claimCompletion(stored, stored.version, quick);
    if (claimed) await sendAndSettle([claimed], quick);
  } catch (fault) {
    deps.log('completionLeft', {}, fault);
  }
};

/** As many writers at once all come through, and each of them may come in between. */
const mostClaims = 20;

/**
 * A change between the commit and the claim makes the claim lose: it is made anew on what is stored then. A claim that lost
 * on the same version lost to a flusher, which publishes the completion.
 */
const claimCompletion = async (
  stored: StoredTransaction,
  version: number,
  deps: PublishDeps,
  claims = 1,
): Promise<ClaimedEvent | undefined> => {
  const { uuid } = stored.transaction;
  const marker = { uuid, kind: 'COMPLETED', revision: 0, changeCount: 0 } as const;
  const partners = await deps.partners.all();
  const claimed = await claim({ ...completedEvent(marker, stored, version), partners }, deps);
  if (claimed || claims === mostClaims) return claimed;
  const now = await deps.transactions.byUuid(uuid);
  const isChanged = now !== undefined && now.version !== stored.version;
  return isChanged ? claimCompletion(now, version, deps, claims + 1) : undefined;
};
