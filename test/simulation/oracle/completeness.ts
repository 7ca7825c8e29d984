import type { Row, Verdict } from './evidence.ts';
import { mayBeSent, silentVersions } from './rules.ts';
import { coversVersion, type Timeline } from './timeline.ts';

/**
 * I1: whoever may see a transaction throughout was sent each of its changes. Each version of a transaction that a partner
 * may see, enabled and not paused, from that change to the end, is within a message that its endpoint took, or within one
 * that the ledger names as failed for a reason that there really was.
 */
export const whoMaySeeItIsTold = (timeline: Timeline): Verdict[] =>
  timeline.lives.flatMap(({ uuid, beganAs, changes }) =>
    changes.slice(silentVersions[beganAs]).flatMap(({ atMs }, index) => {
      const version = silentVersions[beganAs] + index + 1;
      return timeline.clientIds
        .filter((clientId) => isEntitled(timeline, { clientId, uuid, version, atMs }))
        .filter((clientId) => !isDelivered(timeline, { clientId, uuid, version }))
        .filter((clientId) => !hasFailed(timeline, { clientId, uuid, version }))
        .map((clientId) => ({
          ...{ invariant: 'I1 (oracle)', uuid, atMs },
          what: `${clientId} may see version ${version} and never got it`,
        }));
    }),
  );

/** I8: and each completion. */
export const whoMaySeeItIsToldOfCompletion = (timeline: Timeline): Verdict[] =>
  timeline.lives.flatMap(({ uuid, changes }) =>
    changes.flatMap(({ atMs, state }, index) => {
      if (changes[index - 1]?.state.status !== 0 || state.status !== 1) return [];
      const version = index + 1;
      const type = 'TransactionCompleted';
      return timeline.clientIds
        .filter((clientId) => isEntitled(timeline, { clientId, uuid, version, atMs }))
        .filter((clientId) => !isDelivered(timeline, { clientId, uuid, version, type }))
        .filter((clientId) => !hasFailed(timeline, { clientId, uuid, version, type }))
        .map((clientId) => ({
          ...{ invariant: 'I8 (oracle)', uuid, atMs },
          what: `${clientId} may see the completion and never got it`,
        }));
    }),
  );

type Told = { clientId: string; uuid: string; version: number; type?: string };

/** From the change to the end; after a deletion there is nothing to be seen. */
const isEntitled = (timeline: Timeline, { clientId, uuid, version, atMs }: Told & { atMs: number }) => {
  const moments = timeline.moments(clientId, uuid, { fromMs: atMs, toMs: Number.POSITIVE_INFINITY });
  const isDeletedSince = moments.some((moment) => moment.version > version && moment.state?.isDeleted === 1);
  return !isDeletedSince && moments.every(({ partner, state }) => mayBeSent(partner, state?.ndMeta));
};

const isDelivered = (timeline: Timeline, { clientId, uuid, version, type = 'TransactionUpdated' }: Told) =>
  timeline
    .receivedBy(clientId, uuid)
    .some((one) => one.body.includes(`"${type}"`) && coversVersion(one, version));

const hasFailed = (timeline: Timeline, { clientId, uuid, version, type = 'TransactionUpdated' }: Told) =>
  timeline.ledger.some(
    (row) =>
      row.clientId === clientId &&
      row.uuid === uuid &&
      row.type === type &&
      coversVersion(row, version) &&
      isFailure(timeline, row),
  );

/** What an endpoint does to a message, and what the bus does. */
const isFailure = ({ unwell, refused }: Timeline, { state, reason = '', clientId, id }: Row) => {
  if (state !== 'DEAD') return false;
  if (reason !== 'REFUSED_BY_BUS')
    return /^(HTTP_\d{3}|DNS|TIMEOUT|EXHAUSTED)$/.test(reason) && unwell.has(clientId);
  return refused.filter((one) => one.id === id && one.clientId === clientId).length >= 5;
};
