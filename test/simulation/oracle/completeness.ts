import { isUnheard } from './deletions.ts';
import type { Owed, Verdict } from './evidence.ts';
import { isMeantFor, mayBeSent, notifyFromVersion } from './rules.ts';
import { coversVersion, type Timeline } from './timeline.ts';

/**
 * I1: a partner that may see a transaction throughout was sent each of its changes. Each version that a partner may
 * see, while it is enabled and not paused, from that change to the end, is within a message that its endpoint accepted,
 * or is owed because of a failure that there was.
 */
export const whoMaySeeItIsNotified = (timeline: Timeline): Verdict[] =>
  eachPair(timeline, ({ clientId, uuid }) => {
    const life = timeline.life(uuid);
    const first = Math.max(
      life ? notifyFromVersion(life) : 1,
      firstEntitledVersion(timeline, clientId, uuid),
    );
    const versions = timeline.changesOf(uuid).map((_, index) => index + 1);
    return versions
      .slice(Math.min(first, versions.length + 1) - 1)
      .filter((version) => !isUnheard(timeline, uuid, version))
      .filter((version) => isLeftPending(timeline, { clientId, uuid, version, type: 'TransactionUpdated' }))
      .map((version) => ({
        ...{ invariant: 'I1 (oracle)', uuid },
        what: `${clientId} may see version ${version} and never got it`,
      }));
  });

/** I8: and each completion. */
export const whoMaySeeItIsNotifiedOfCompletion = (timeline: Timeline): Verdict[] =>
  eachPair(timeline, ({ clientId, uuid }) => {
    const changes = timeline.changesOf(uuid);
    const first = firstEntitledVersion(timeline, clientId, uuid);
    return changes.flatMap(({ state }, index) => {
      const version = index + 1;
      const isCompleting = changes[index - 1]?.state.status === 0 && state.status === 1;
      const notified = { clientId, uuid, version, type: 'TransactionCompleted' };
      return isCompleting && version >= first && isLeftPending(timeline, notified)
        ? [{ invariant: 'I8 (oracle)', uuid, what: `${clientId} may see the completion and never got it` }]
        : [];
    });
  });

type Pair = { clientId: string; uuid: string };

const eachPair = (timeline: Timeline, judgePair: (pair: Pair) => Verdict[]) =>
  timeline.lives.flatMap(({ uuid }) =>
    timeline.clientIds.flatMap((clientId) => judgePair({ clientId, uuid })),
  );

/** The first version from which on the partner may be sent everything to the end; a deletion ends what there is to see. */
const firstEntitledVersion = ({ momentsOf }: Timeline, clientId: string, uuid: string): number => {
  const moments = momentsOf(clientId, uuid);
  const last = moments.at(-1);
  if (!last || !mayBeSent(last.partner, last.state?.ndMeta)) return Number.POSITIVE_INFINITY;
  // What is kept while it is paused comes when it is resumed.
  const lastBarred = moments.findLast(({ partner, state }) => state && !isMeantFor(partner, state.ndMeta));
  const lastDeleted = moments.findLast(({ state }) => state?.isDeleted === 1);
  return Math.max((lastBarred?.version ?? 0) + 1, lastDeleted?.version ?? 1);
};

type Told = Pair & { version: number; type: string };

const isLeftPending = (timeline: Timeline, { clientId, uuid, version, type }: Told): boolean => {
  const isDelivered = timeline
    .receivedBy(clientId, uuid)
    .some((one) => one.body.includes(`"${type}"`) && coversVersion(one, version));
  const hasFailed = () =>
    timeline.owed.some(
      (row) =>
        row.clientId === clientId &&
        row.uuid === uuid &&
        row.type === type &&
        coversVersion(row, version) &&
        isFailure(timeline, row),
    );
  return !isDelivered && !hasFailed() && !isKeptYet(timeline, clientId);
};

/** An address that was set while its endpoint failed, and does not serve yet: its events are kept. */
const isKeptYet = ({ unwell, partners }: Timeline, clientId: string): boolean =>
  unwell.has(clientId) && partners.findLast((one) => one.clientId === clientId)?.isServed === false;

/** What an endpoint does to a message, and what the bus does. */
const isFailure = ({ unwell, refused }: Timeline, { reason, clientId, uuid }: Owed) => {
  if (reason !== 'REFUSED_BY_BUS')
    return /^(HTTP_\d{3}|DNS|TIMEOUT|EXHAUSTED)$/.test(reason) && unwell.has(clientId);
  return refused.filter((one) => one.uuid === uuid && one.clientId === clientId).length >= 5;
};
