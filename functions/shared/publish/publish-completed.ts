import { recipientsOf } from '../domain/event/recipient.ts';
import { completionSettings } from '../domain/event/timing.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import { type ClaimedEvent, claim } from './claim.ts';
import { completedEvent } from './load-due.ts';
import type { CompletionDeps } from './publish-deps.ts';
import { createRun, type Run } from './run.ts';
import { sendAndSettle } from './send.ts';

/**
 * Publishes TransactionCompleted at once (interface 6.1), right after the write that left the marker. Never throws: what
 * fails here, or would keep the payment waiting, is published by the flush, which finds the marker due.
 */
export const publishCompleted = async (stored: StoredTransaction, deps: CompletionDeps): Promise<void> => {
  const quick = { ...deps, settings: { ...deps.settings, ...completionSettings } };
  const run = createRun(quick, {
    beginUntilMs: deps.clock().getTime() + completionSettings.abandonMs,
    onFault: (fault) => deps.log('completionLeft', {}, fault),
  });
  await run.apart(async () => {
    const claimed = await claimCompletion(stored, stored.version, { run, deps });
    if (claimed) await sendAndSettle([claimed], run);
  });
};

/** As many writers at once all come through, and each of them may come in between. */
const mostClaims = 20;

/** Two requests to the bus: nobody waits for more. */
const mostRecipients = 20;

/**
 * A change between the commit and the claim makes the claim lose: it is made anew on what is stored then. A claim that lost
 * on the same version lost to a flusher, which publishes the completion.
 */
const claimCompletion = async (
  stored: StoredTransaction,
  version: number,
  work: { run: Run; deps: CompletionDeps },
  claims = 1,
): Promise<ClaimedEvent | undefined> => {
  const { run, deps } = work;
  const { uuid, ndMeta } = stored.transaction;
  const marker = markerOf(uuid);
  const partners = await deps.partners.ofOwners([ndMeta]);
  const recipients = recipientsOf(partners, ndMeta).length;
  if (recipients > mostRecipients) return leaveToFlush(uuid, deps);
  if (!run.hasTimeFor(recipients)) return undefined;
  const claimed = await claim({ ...completedEvent(marker, stored, version), partners }, run);
  if (claimed || claims === mostClaims) return claimed;
  const now = await deps.transactions.byUuid(uuid);
  const isChanged = now !== undefined && now.version !== stored.version;
  return isChanged ? claimCompletion(now, version, work, claims + 1) : undefined;
};

/** As the payment's write has left it. */
const markerOf = (uuid: string) => ({ uuid, kind: 'COMPLETED', revision: 0, changeCount: 0 }) as const;

/** The marker is due at once instead of in ten seconds, and the flush is told so. */
const leaveToFlush = async (uuid: string, { cursors, clock, askForFlush }: CompletionDeps) => {
  const marker = markerOf(uuid);
  const isLeft = await cursors.reschedule(marker, marker, clock().getTime());
  if (isLeft) await askForFlush();
  return undefined;
};
