import { isUnheard } from './deletions.ts';
import type { Sent, Verdict } from './evidence.ts';
import { dormancyMs, mayBeSent, notifyFromVersion } from './rules.ts';
import { coversVersion, type Timeline, uuidIn } from './timeline.ts';

/** I2: a message was published after 120 s of rest since the last change that it covers, and covers all before it. */
export const messagesFollowRest = (timeline: Timeline): Verdict[] => {
  const { epochMs, terms } = timeline;
  // Messages show whole seconds.
  const slackMs = terms.skewMs + 1_000;
  return firstUpdates(timeline).flatMap(({ body, to, id, atMs }) => {
    const uuid = uuidIn(body);
    const publishedMs = Date.parse((JSON.parse(body) as { time: string }).time) - epochMs;
    const [last, next] = timeline.changesOf(uuid).slice(to - 1, to + 1);
    const restMs = last ? publishedMs - Math.max(last.writtenMs, last.atMs - terms.writeMs) : 0;
    const isRested = restMs + slackMs >= dormancyMs;
    const isWhole = !next || next.atMs + slackMs > publishedMs;
    const isPast = publishedMs <= atMs + slackMs;
    const what = `${id} says that it was published ${restMs} ms after version ${to}, sent ${atMs - publishedMs} ms later`;
    return isRested && isWhole && isPast ? [] : [{ invariant: 'I2 (oracle)', uuid, atMs, what }];
  });
};

/** I3: a partner gets at most one update of a transaction in 120 s, except for replays. */
export const updatesAreApart = (timeline: Timeline): Verdict[] => {
  const pairs = Map.groupBy(firstUpdates(timeline), ({ clientId, body }) => `${clientId} ${uuidIn(body)}`);
  return [...pairs.values()].flatMap((sent) =>
    sent.slice(1).flatMap(({ atMs, clientId, body }, index) => {
      const apartMs = atMs - (sent[index]?.atMs ?? 0);
      const what = `${clientId} is sent another update after ${apartMs} ms`;
      return apartMs + timeline.terms.skewMs >= dormancyMs
        ? []
        : [{ invariant: 'I3 (oracle)', uuid: uuidIn(body), atMs, what }];
    }),
  );
};

/** Each update for each partner as it was first put on the bus. */
const firstUpdates = ({ sent }: Timeline): Sent[] => {
  const seen = new Set<string>();
  return sent.filter(({ type, isAgain, id, clientId }) => {
    const name = `${id} ${clientId}`;
    if (type !== 'TransactionUpdated' || isAgain || seen.has(name)) return false;
    seen.add(name);
    return true;
  });
};

/**
 * I17, I18: a partner that may see a change, and is enabled, served and not paused from then on, was sent it in time:
 * an update counted from the last change before the rest, a completion from its payment.
 */
export const allAreSentInTime = (timeline: Timeline): Verdict[] => {
  const { within } = timeline.terms;
  if (!within) return [];
  return timeline.lives.flatMap((life) => {
    const { uuid, changes } = life;
    const isLost = timeline.lostRecords.has(uuid);
    const updatedMs = isLost ? within.lostRecordMs : within.updatedMs;
    return changes.flatMap(({ atMs, state }, index) => {
      const version = index + 1;
      const next = changes[index + 1];
      const isLast = !next || next.atMs - atMs > updatedMs;
      const isNotified = version >= notifyFromVersion(life) && !isUnheard(timeline, uuid, version);
      const isCompleting = changes[index - 1]?.state.status === 0 && state.status === 1;
      return [
        ...(isLast && isNotified
          ? notSent(timeline, { uuid, version, atMs, limitMs: updatedMs, type: 'TransactionUpdated' })
          : []),
        ...(isCompleting
          ? notSent(timeline, {
              uuid,
              version,
              atMs,
              limitMs: within.completedMs,
              type: 'TransactionCompleted',
            })
          : []),
      ];
    });
  });
};

type Due = { uuid: string; version: number; atMs: number; limitMs: number; type: string };

const notSent = (timeline: Timeline, { uuid, version, atMs, limitMs, type }: Due): Verdict[] =>
  timeline.clientIds
    .filter((clientId) => {
      const moments = timeline.momentsIn(clientId, uuid, { fromMs: atMs, toMs: atMs + limitMs });
      const isEntitled = moments.every(
        ({ partner, isServed, state }) => isServed && mayBeSent(partner, state?.ndMeta),
      );
      const isDeletedSince = moments.some(
        (moment) => moment.version > version && moment.state?.isDeleted === 1,
      );
      return isEntitled && !isDeletedSince;
    })
    .filter((clientId) => {
      const notified = timeline.sentTo(clientId, uuid).filter((sent) => sent.type === type);
      return !notified.some((sent) => sent.atMs <= atMs + limitMs && coversVersion(sent, version));
    })
    .filter((clientId) => !isRefusedForGood(timeline, { clientId, uuid, version }))
    .map((clientId) => ({
      invariant: type === 'TransactionCompleted' ? 'I18 (oracle)' : 'I17 (oracle)',
      ...{ uuid, atMs },
      what: `${clientId} is not sent version ${version} within ${limitMs} ms (${type})`,
    }));

/** More than one fault explains. */
const isRefusedForGood = (
  { refused }: Timeline,
  { clientId, uuid, version }: { clientId: string; uuid: string; version: number },
) =>
  refused.filter((one) => one.clientId === clientId && one.uuid === uuid && coversVersion(one, version))
    .length > 1;
