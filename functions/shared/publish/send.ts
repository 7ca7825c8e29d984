import { testEventType } from '../domain/event/event.ts';
import { groupsThatFit, largestGroup } from '../outbound/event-bus.ts';
import { chunksOf } from '../runtime/chunks.ts';
import type { ClaimedEvent } from './claim.ts';
import type { Invocation } from './invocation.ts';
import { type Addressed, judgeAll, type Sending } from './judge.ts';
import type { PublishDeps } from './publish-deps.ts';
import { recordAnswer } from './record-answer.ts';

/**
 * Sends claimed events, and completes each whose entries are all sent. An entry without a confirmation counts as not sent:
 * it returns after its lease with the same ID and bytes. A failed entry stops no other.
 */
export const sendAndComplete = async (
  claimed: readonly ClaimedEvent[],
  invocation: Invocation,
): Promise<void> => {
  // Entries of one partner are sent together, so that its record is read once.
  const sendings = claimed.flatMap(readyOf).toSorted(byPartner);
  const left = await Promise.all(
    chunksOf(sendings, largestGroup).map((some) => invocation.sending(() => sendSome(some, invocation))),
  );
  const open = new Set(left.flat().map((one) => one.claimed));
  const done = claimed.filter((one) => !open.has(one));
  for (const one of done) measure(one, invocation.deps);
  await Promise.all(
    done.map((one) => invocation.apart(() => complete(one, invocation.deps), { eventId: one.event.eventId })),
  );
};

const readyOf = (claimed: ClaimedEvent): Sending[] =>
  claimed.deliveries.filter(({ state }) => state === 'READY').map((delivery) => ({ claimed, delivery }));

const byPartner = (one: Sending, other: Sending) =>
  one.delivery.clientId < other.delivery.clientId
    ? -1
    : Number(one.delivery.clientId > other.delivery.clientId);

/** Checks and sends a few entries, and records their status. Returns the open ones. */
const sendSome = async (some: readonly Sending[], invocation: Invocation): Promise<Sending[]> => {
  const [timely, late] = parted(some, invocation);
  if (timely.length === 0) return late;
  const judged = await invocation.apart(() => judgeAll(timely, invocation));
  if (!judged) return [...some];
  const [first = [], ...rest] = groupsThatFit(judged.addressed);
  const left = [...late, ...judged.open, ...(await sendGroup(first, invocation))];
  return [...left, ...(await sendSome(rest.flat(), invocation))];
};

/**
 * One request. A refused request is halved until one entry is alone. A claim that is too old is not sent, because another
 * flusher may have its lease.
 */
const sendGroup = async (group: readonly Addressed[], invocation: Invocation): Promise<Sending[]> => {
  const [timely, late] = parted(group, invocation);
  if (timely.length === 0) return late;
  const answers = await invocation.apart(() => invocation.deps.bus.put(timely.map(({ entry }) => entry)));
  if (answers?.some(({ outcome }) => outcome === 'refused-together')) {
    const middle = Math.ceil(timely.length / 2);
    const first = await sendSome(timely.slice(0, middle), invocation);
    return [...late, ...first, ...(await sendSome(timely.slice(middle), invocation))];
  }
  const recorded = await Promise.all(
    timely.map(({ delivery }, index) => {
      const { eventId, clientId } = delivery;
      return invocation.apart(() => recordAnswer(delivery, answers?.[index], invocation.deps), {
        eventId,
        clientId,
      });
    }),
  );
  return [...late, ...timely.filter((_, index) => recorded[index] !== 'done')];
};

/** Splits entries into those that may still be sent, and the others. */
const parted = <One extends Sending>(some: readonly One[], invocation: Invocation): [One[], One[]] => {
  const isTimely = ({ claimed }: One) => invocation.maySend(claimed);
  return [some.filter(isTimely), some.filter((one) => !isTimely(one))];
};

/** Retries and replays do not measure how soon partners are notified. */
const measure = (
  { dueRow, event: { type, changedAtMs } }: ClaimedEvent,
  { clock, onNotified }: PublishDeps,
) => {
  if (dueRow && type !== testEventType) onNotified?.(type, clock().getTime() - changedAtMs);
};

const complete = async ({ dueRow, event }: ClaimedEvent, { debounceRows, clock, settings }: PublishDeps) => {
  if (!dueRow) return;
  const { uuid, kind, changeCount } = dueRow;
  const nowMs = clock().getTime();
  const rescheduleAtMs = nowMs + settings.dormancyMs;
  await debounceRows.complete(
    { uuid, kind },
    { eventId: event.eventId, changeCount, to: event.to, nowMs, rescheduleAtMs },
  );
};
