import { groupsThatFit, largestGroup } from '../outbound/event-bus.ts';
import { chunksOf } from '../runtime/chunks.ts';
import type { ClaimedEvent } from './claim.ts';
import { type Addressed, judgeAll, type Sending } from './judge.ts';
import { noteAnswer } from './note-answer.ts';
import type { PublishDeps } from './publish-deps.ts';
import type { Run } from './run.ts';

/**
 * Sends what was claimed, and settles each event of which every entry is sent. What is not confirmed counts as not sent: the
 * end of its lease brings it back, with the same id and the same bytes. What fails for one entry stops no other.
 */
export const sendAndSettle = async (claimed: readonly ClaimedEvent[], run: Run): Promise<void> => {
  // Entries for one partner go together, so that its record is read once for them.
  const sendings = claimed.flatMap(readyOf).toSorted(byPartner);
  const left = await Promise.all(
    chunksOf(sendings, largestGroup).map((some) => run.sending(() => sendSome(some, run))),
  );
  const open = new Set(left.flat().map((one) => one.claimed));
  const done = claimed.filter((one) => !open.has(one));
  for (const one of done) measure(one, run.deps);
  await Promise.all(
    done.map((one) => run.apart(() => settle(one, run.deps), { eventId: one.event.eventId })),
  );
};

const readyOf = (claimed: ClaimedEvent): Sending[] =>
  claimed.deliveries.filter(({ state }) => state === 'READY').map((delivery) => ({ claimed, delivery }));

const byPartner = (one: Sending, other: Sending) =>
  one.delivery.clientId < other.delivery.clientId
    ? -1
    : Number(one.delivery.clientId > other.delivery.clientId);

/** Judges right before each request, sends and notes a few entries; answers those that are still open. */
const sendSome = async (some: readonly Sending[], run: Run): Promise<Sending[]> => {
  const [timely, late] = parted(some, run);
  if (timely.length === 0) return late;
  const judged = await run.apart(() => judgeAll(timely, run));
  if (!judged) return [...some];
  const [first = [], ...rest] = groupsThatFit(judged.addressed);
  const left = [...late, ...judged.open, ...(await sendGroup(first, run))];
  return [...left, ...(await sendSome(rest.flat(), run))];
};

/**
 * One request. One that is refused as a whole for what is in it is halved, until the entry at fault stands alone. A claim
 * that is too old is not sent: another flusher may have its lease by now.
 */
const sendGroup = async (group: readonly Addressed[], run: Run): Promise<Sending[]> => {
  const [timely, late] = parted(group, run);
  if (timely.length === 0) return late;
  const answers = await run.apart(() => run.deps.bus.put(timely.map(({ entry }) => entry)));
  if (answers?.some(({ outcome }) => outcome === 'refused-together')) {
    const middle = Math.ceil(timely.length / 2);
    const first = await sendSome(timely.slice(0, middle), run);
    return [...late, ...first, ...(await sendSome(timely.slice(middle), run))];
  }
  const noted = await Promise.all(
    timely.map(({ delivery }, index) => {
      const { eventId, clientId } = delivery;
      return run.apart(() => noteAnswer(delivery, answers?.[index], run.deps), { eventId, clientId });
    }),
  );
  return [...late, ...timely.filter((_, index) => noted[index] !== 'done')];
};

/** What may still be sent, and what may not. */
const parted = <One extends Sending>(some: readonly One[], run: Run): [One[], One[]] => {
  const isTimely = ({ claimed }: One) => run.maySend(claimed);
  return [some.filter(isTimely), some.filter((one) => !isTimely(one))];
};

/** What is sent again, days later perhaps, says nothing of how soon partners are told. */
const measure = ({ dueRow, event: { type, changedAtMs } }: ClaimedEvent, { clock, onTold }: PublishDeps) => {
  if (dueRow) onTold?.(type, clock().getTime() - changedAtMs);
};

const settle = async ({ dueRow, event }: ClaimedEvent, { cursors, clock, settings }: PublishDeps) => {
  if (!dueRow) return;
  const { uuid, kind, changeCount } = dueRow;
  const nowMs = clock().getTime();
  const rescheduleAtMs = nowMs + settings.dormancyMs;
  await cursors.settle(
    { uuid, kind },
    { eventId: event.eventId, changeCount, to: event.to, nowMs, rescheduleAtMs },
  );
};
