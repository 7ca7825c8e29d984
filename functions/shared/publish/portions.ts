import { recipientsOf } from '../domain/event/recipient.ts';
import type { NdMeta } from '../domain/ownership/owner.ts';
import type { Partner } from '../domain/partner.ts';
import type { ClaimedEvent, EventToClaim } from './claim.ts';
import { claimAll } from './claim-together.ts';
import { eachApart, type Invocation } from './invocation.ts';
import type { DueWork, EventToResume } from './load-due.ts';
import { sendAndComplete } from './send.ts';

/** The result for some due rows. */
export type TaskCounts = { claimed: number; isCutShort: boolean };

/** A due row to claim or to take over, and the number of recipients that it counts as. */
export type Task = EventToResume | { recipients: number; toClaim: () => Promise<EventToClaim> };

/**
 * Publishes loaded rows in order and in portions: claims or takes over, sends, completes. A portion starts only if it fits
 * and can be finished.
 */
export const publishTasks = async (tasks: readonly Task[], invocation: Invocation): Promise<TaskCounts> => {
  const taken: TaskCounts = { claimed: 0, isCutShort: false };
  const addPortion = async (portion: readonly Task[]) => {
    const claimed = await publishPortion(portion, invocation);
    taken.claimed += claimed?.length ?? 0;
    taken.isCutShort ||= claimed === undefined;
  };
  await Promise.all(
    portionsOf(tasks).map((portion) =>
      invocation.publishing(() => addPortion(portion), recipientsIn(portion)),
    ),
  );
  return taken;
};

/** Undefined if there is no time for it. */
const publishPortion = async (
  portion: readonly Task[],
  invocation: Invocation,
): Promise<ClaimedEvent[] | undefined> => {
  if (!invocation.hasTimeFor(recipientsIn(portion))) return undefined;
  const [resumed, toClaim] = await Promise.all([
    eachApart(portion, invocation, async (task) => ('resume' in task ? task.resume() : undefined)),
    eachApart(portion, invocation, async (task) => ('toClaim' in task ? task.toClaim() : undefined)),
  ]);
  const claimed = [...resumed, ...(await claimAll(toClaim, invocation))];
  await sendAndComplete(claimed, invocation);
  return claimed;
};

/** The tasks for rows that were found due. */
export const tasksOf = async (found: readonly DueWork[], invocation: Invocation): Promise<Task[]> => {
  const partnersNow = latestPartners(ownersOf(found), invocation);
  return eachApart(found, invocation, async (work): Promise<Task | undefined> => {
    if (!work || 'resume' in work) return work;
    const { ndMeta } = work.toClaim.stored.transaction;
    const recipients = recipientsOf(await partnersNow(), ndMeta).length;
    return { recipients, toClaim: async () => ({ ...work.toClaim, partners: await partnersNow() }) };
  });
};

/** The present owners, by which recipients are found (GRANT-4). */
const ownersOf = (found: readonly DueWork[]): (NdMeta | undefined)[] =>
  found.flatMap((work) => (work && 'toClaim' in work ? [work.toClaim.stored.transaction.ndMeta] : []));

/** The greatest age of the partner list when a claim is prepared. Each partner is checked again before sending. */
const partnersForMs = 1_000;

/** Partners are read once for a portion, and again for one that had to wait. */
const latestPartners = (
  owners: readonly (NdMeta | undefined)[],
  { deps: { partners, clock } }: Invocation,
) => {
  let reading: { atMs: number; found: Promise<readonly Partner[]> } | undefined;
  return (): Promise<EventToClaim['partners']> => {
    const nowMs = clock().getTime();
    if (!reading || nowMs - reading.atMs > partnersForMs)
      reading = { atMs: nowMs, found: partners.ofOwners(owners) };
    return reading.found;
  };
};

const recipientsInPortion = 50;

/** Rows with few recipients share a portion, and so their requests to the bus. */
const portionsOf = (tasks: readonly Task[]): Task[][] => {
  const portions: Task[][] = [];
  for (const task of tasks) {
    const last = portions.at(-1);
    if (last && recipientsIn([...last, task]) <= recipientsInPortion) last.push(task);
    else portions.push([task]);
  }
  return portions;
};

/** The recipients of some tasks in all. */
export const recipientsIn = (tasks: readonly Task[]) =>
  tasks.reduce((sum, { recipients }) => sum + recipients, 0);
