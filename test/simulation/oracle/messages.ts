import { isDeepStrictEqual } from 'node:util';
import type { Members, Sent, State, Verdict } from './evidence.ts';
import { momentsBefore } from './recipients.ts';
import { elementNames, notifyFromVersion, shownOf } from './rules.ts';
import { type Timeline, uuidIn } from './timeline.ts';

/** The nine properties of interface 6.2. */
const propertyNames = [
  ...['version', 'id', 'detail-type', 'source', 'account', 'time', 'region', 'resources', 'detail'],
];
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** I10: a message is as interface 6.2 says. */
export const messagesAreAsDocumented = ({ sent, terms }: Timeline): Verdict[] =>
  sent.flatMap(({ body, id, type, atMs }) => {
    const message = JSON.parse(body) as Members;
    const faults = [
      ...unless(isDeepStrictEqual(Object.keys(message).sort(), propertyNames.toSorted()), 'other properties'),
      ...unless(uuidForm.test(id) && message.id === id, `the id ${message.id}`),
      ...unless(message['detail-type'] === type, `the type ${message['detail-type']}`),
      ...unless(['TransactionUpdated', 'TransactionCompleted'].includes(type), `the type ${type}`),
      ...unless(message.source === terms.source, `the source ${message.source}`),
      ...unless(isDeepStrictEqual(message.resources, []), 'resources'),
      ...unless(timeForm.test(String(message.time)), `the time ${message.time}`),
    ];
    return faults.map((fault) => ({
      ...{ invariant: 'I10 (oracle)', uuid: uuidIn(body), atMs, what: `${id} has ${fault}` },
    }));
  });

const unless = (holds: boolean, fault: string) => (holds ? [] : [fault]);

/** I5: a message says exactly what changed in its range, as of its last version; I11: and something changed. */
export const messagesSayWhatChanged = (timeline: Timeline): Verdict[] =>
  timeline.sent.flatMap((sent) => {
    const { body, from, to, atMs, type, id } = sent;
    const uuid = uuidIn(body);
    if (!isOfChanges(timeline, sent))
      return [{ invariant: 'I11 (oracle)', uuid, atMs, what: `${type} (${from}, ${to}] has no change` }];
    const { detail } = JSON.parse(body) as { detail: Members };
    const isExpected = expectedDetails(timeline, sent).some((one) => isDeepStrictEqual(detail, one));
    const what = `${id} says ${Object.keys(detail)}, and that is not (${from}, ${to}]`;
    return isExpected ? [] : [{ invariant: 'I5 (oracle)', uuid, atMs, what }];
  });

/** Whether the range of a message is one that may be sent. */
const isOfChanges = (timeline: Timeline, sent: Sent): boolean => {
  const { type, body, from, to } = sent;
  const uuid = uuidIn(body);
  const life = timeline.life(uuid);
  if (!life || to > life.changes.length) return false;
  const isCompletion = timeline.state(uuid, from)?.status === 0 && timeline.state(uuid, to)?.status === 1;
  return type === 'TransactionCompleted'
    ? to === from + 1 && isCompletion
    : from < to && from >= notifyFromVersion(life) - 1;
};

/** One, but for a partner whose right to see tokens just changed, and a completion beside further changes. */
const expectedDetails = (timeline: Timeline, sent: Sent): Members[] => {
  const moments = momentsBefore(timeline, sent);
  const tokens = [...new Set(moments.map(({ partner }) => partner?.showsPaymentTokens === true))];
  return notifiedStates(timeline, sent).flatMap((state) =>
    tokens.map((showsTokens) => {
      const names = notifiedElements(timeline, sent).filter(
        (name) => !sent.omitted.split(',').includes(name),
      );
      const { uuid, status, ndMeta } = state;
      const deletion = sent.type === 'TransactionUpdated' && state.isDeleted === 1 ? { isDeleted: 1 } : {};
      const elements = names.map((name) => [name, shownOf(state, name, showsTokens)]);
      return { uuid, status, ...deletion, ndMeta, ...Object.fromEntries(elements) };
    }),
  );
};

/** The version at the end of the range; of a completion any that was there from then until it was sent. */
const notifiedStates = ({ changesOf }: Timeline, { type, body, to, atMs }: Sent): State[] => {
  const until = changesOf(uuidIn(body)).filter((change) => change.atMs <= atMs);
  const last = type === 'TransactionCompleted' ? until.length : to;
  return until.slice(to - 1, last).map(({ state }) => state);
};

const notifiedElements = ({ state }: Timeline, { type, body, from, to }: Sent) => {
  if (type === 'TransactionCompleted') return ['payments'] as const;
  const uuid = uuidIn(body);
  if (state(uuid, to)?.isDeleted === 1) return [];
  return elementNames.filter((name) => {
    if (isRestoredWithin({ state }, uuid, { from, to })) return wasEverThere({ state }, uuid, { name, to });
    for (let version = from + 1; version <= to; version += 1)
      if (!isDeepStrictEqual(state(uuid, version - 1)?.[name] ?? null, state(uuid, version)?.[name] ?? null))
        return true;
    return false;
  });
};

type States = Pick<Timeline, 'state'>;

/** Who is notified of a restoration is sent all that there ever was (EV-11). */
const isRestoredWithin = ({ state }: States, uuid: string, { from, to }: { from: number; to: number }) =>
  versionsUpTo(to).some(
    (version) =>
      version > from && state(uuid, version - 1)?.isDeleted === 1 && state(uuid, version)?.isDeleted === 0,
  );

const wasEverThere = ({ state }: States, uuid: string, { name, to }: { name: string; to: number }) =>
  versionsUpTo(to).some((version) => (state(uuid, version)?.[name] ?? null) !== null);

const versionsUpTo = (to: number) => Array.from({ length: to }, (_, index) => index + 1);

/** With the address and the headers around it an event has 60 kB (EV-9). */
const largestBytes = 60_000;
const surelyFittingBytes = 58_000;

/** I13: an event has at most 60 kB. Elements are only left out to fit, the largest first (EV-9). */
export const onlyTheTooLargeIsLeftOut = (timeline: Timeline): Verdict[] =>
  timeline.sent.flatMap((sent) => {
    const { body, omitted, atMs, id } = sent;
    const bytes = Buffer.byteLength(body);
    const isRight = bytes <= largestBytes && (omitted === '' || isLeftOutRightly(timeline, sent));
    const what = `${id} has ${bytes} bytes, and left out is: ${omitted}`;
    return isRight ? [] : [{ invariant: 'I13 (oracle)', uuid: uuidIn(body), atMs, what }];
  });

/** An event that stands for several has no more information, so its size is no reason (EV-9). */
const isLeftOutRightly = (timeline: Timeline, sent: Sent): boolean => {
  const [state] = notifiedStates(timeline, sent);
  const notified = notifiedElements(timeline, sent);
  const named = sent.omitted.split(',');
  if (!state || !named.every((name) => notified.some((one) => one === name))) return false;
  const sizes = new Map(notified.map((name) => [name, sizeOf(shownOf(state, name, true))]));
  const sizesOf = (isLeftOut: boolean) =>
    [...sizes].filter(([name]) => named.includes(name) === isLeftOut).map(([, size]) => size);
  const missing = sizesOf(true).reduce((sum, size) => sum + size, 0);
  const isLargest = Math.min(...sizesOf(true)) >= Math.max(0, ...sizesOf(false));
  return sent.isAgain || (isLargest && Buffer.byteLength(sent.body) + missing > surelyFittingBytes);
};

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
