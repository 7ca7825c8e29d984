import type { DueRowKey } from '../domain/event/debounce-row.ts';
import { createInvocation } from './invocation.ts';
import { loadAll } from './load-all.ts';
import { publishTasks, tasksOf } from './portions.ts';
import type { PublishDeps } from './publish-deps.ts';

/** The result for named rows. */
export type PublishedNow = {
  polled: number;
  claimed: number;
  failed: number;
  /** Rows that are still due: in flight, or not started. */
  left: DueRowKey[];
};

/** As many concurrent writers all succeed, and each can come between a read and its claim. */
const mostClaims = 20;

/**
 * Publishes these rows without polling the index. If a change makes a claim lose, it is made again on the present state
 * (EV-16). Rows in flight are left to their sender.
 */
export const publishNow = async (
  deps: PublishDeps,
  keys: readonly DueRowKey[],
  beginUntilMs: number,
): Promise<PublishedNow> => {
  const counts = { polled: keys.length, claimed: 0, failed: 0 };
  const invocation = createInvocation(deps, {
    beginUntilMs,
    onFault: (fault, facts) => {
      counts.failed += 1;
      deps.log('flushFailed', facts, fault);
    },
  });
  let isOver = false;
  for (let tries = 0; tries < mostClaims && !isOver; tries += 1) {
    const tasks = await tasksOf(await loadAll(keys, invocation), invocation);
    const { claimed, isCutShort } = await publishTasks(tasks, invocation);
    counts.claimed += claimed;
    isOver = claimed === tasks.length || isCutShort || counts.failed > 0;
  }
  const rows = await deps.debounceRows.getAll(keys);
  return { ...counts, left: rows.filter(({ dueAtMs }) => dueAtMs !== undefined) };
};
