import { recipientsOf } from '../domain/event/recipient.ts';
import type { NdMeta } from '../domain/ownership/owner.ts';
import type { Partner } from '../domain/partner.ts';
import type { ClaimedEvent, EventToClaim } from './claim.ts';
import { claimAll } from './claim-together.ts';
import { eachApart, type Invocation } from './invocation.ts';
import type { DueWork, EventToResume } from './load-due.ts';
import { sendAndComplete } from './send.ts';

/** What became of some due rows. */
export type TaskCounts = { claimed: number; isCutShort: boolean };

/** A due row that is to be claimed or taken over, and as how many recipients it counts. */
export type Task = EventToResume | { recipients: number; toClaim: () => Promise<EventToClaim> };

/**
 * Publishes what was loaded, in its order and by portions: claims it or takes it over, sends and completes it. A
 * portion begins when there is room for its recipients, and only if the invocation can finish it.
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

/** Undefined where the invocation has no time for it. */
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

/** What is to be begun of what was found due. */
export const tasksOf = async (found: readonly DueWork[], invocation: Invocation): Promise<Task[]> => {
  const partnersNow = latestPartners(ownersOf(found), invocation);
  return eachApart(found, invocation, async (work): Promise<Task | undefined> => {
    if (!work || 'resume' in work) return work;
    const { ndMeta } = work.toClaim.stored.transaction;
    const recipients = recipientsOf(await partnersNow(), ndMeta).length;
    return { recipients, toClaim: async () => ({ ...work.toClaim, partners: await partnersNow() }) };
  });
};

/** By whose present owners it is found who may be notified (GRANT-4). */
const ownersOf = (found: readonly DueWork[]): (NdMeta | undefined)[] =>
  found.flatMap((work) => (work && 'toClaim' in work ? [work.toClaim.stored.transaction.ndMeta] : []));

/** How old the list of partners may be when a claim is prepared; each is judged again before it is sent anything. */
const partnersForMs = 1_000;

/** Partners are read once for what is claimed together, and anew for what had to wait. */
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

/** Rows with few recipients go together, so that they share their requests to the bus. */
const portionsOf = (tasks: readonly Task[]): Task[][] => {
  const portions: Task[][] = [];
  for (const task of tasks) {
    const last = portions.at(-1);
    if (last && recipientsIn([...last, task]) <= recipientsInPortion) last.push(task);
    else portions.push([task]);
  }
  return portions;
};

/** For how many recipients some tasks are in all. */
export const recipientsIn = (tasks: readonly Task[]) =>
  tasks.reduce((sum, { recipients }) => sum + recipients, 0);
