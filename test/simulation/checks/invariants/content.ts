import { isDeepStrictEqual } from 'node:util';
import { eventElementNames } from '../../../../functions/shared/domain/event/event.ts';
import { presentTransaction } from '../../../../functions/shared/domain/query/projection.ts';
import {
  elementNames,
  type JsonObject,
  type JsonValue,
  type StoredTransaction,
} from '../../../../functions/shared/domain/transaction/transaction.ts';
import { checkMessage } from '../../../support/builders/message-schema.ts';
import type { Accepted } from '../../service/history.ts';
import { source } from '../../service/service.ts';
import { type Facts, type Finding, unless } from '../facts.ts';

type Message = { [name: string]: JsonValue } & { detail: JsonObject };
const messageOf = (text: string) => JSON.parse(text) as Message;

/** I6: same range, same id and bytes; another range, another id. */
export const rangesHaveOneId = ({ world }: Facts): Finding[] => {
  const ids = new Map<string, string>();
  const ranges = new Map<string, string>();
  const texts = new Map<string, Set<string>>();
  return world.history.accepted.flatMap(({ eventId, message, detailType, from, to, atMs }) => {
    const { uuid } = messageOf(message).detail as { uuid: string };
    const range = `${detailType} ${uuid} (${from}, ${to}]`;
    const known = texts.get(eventId) ?? new Set();
    texts.set(eventId, known.add(message));
    const isSame = (ids.get(range) ?? eventId) === eventId && (ranges.get(eventId) ?? range) === range;
    ids.set(range, eventId);
    ranges.set(eventId, range);
    // One with payment tokens, and one without.
    const isKept = world.left.events.some(
      ({ event, bodies }) => event.eventId === eventId && Object.values(bodies ?? {}).includes(message),
    );
    const what = `${range} has another id or other bytes: ${eventId}`;
    return unless(isSame && known.size <= 2 && isKept, { invariant: 'I6', uuid, atMs, what });
  });
};

const isoSeconds = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** I10: `source`, `resources` empty, `time` ISO seconds Z; every message is as its schema says. */
export const messagesAreWellFormed = ({ world }: Facts): Finding[] =>
  onePerBody(world.history.accepted).flatMap(({ message, source: ofEntry, detailType, eventId, atMs }) => {
    const body = messageOf(message);
    const faults = [
      ...checkMessage(body),
      ...(body.source === source && ofEntry === source ? [] : [`source ${body.source}, ${ofEntry}`]),
      ...(isDeepStrictEqual(body.resources, []) ? [] : ['resources are not empty']),
      ...(isoSeconds.test(String(body.time)) ? [] : [`time ${body.time}`]),
      ...(body.id === eventId && body['detail-type'] === detailType ? [] : ['its id or type is another']),
    ];
    return faults.map((what) => ({ invariant: 'I10', uuid: String(body.detail.uuid), atMs, what }));
  });

const onePerBody = (accepted: readonly Accepted[]) => [
  ...new Map(accepted.map((one) => [one.message, one])).values(),
];

/** I13: limits of sizes and entries (EV-9, PutEvents). No log, status entry or reason contains what callers wrote. */
export const limitsAreKept = ({ world: { history, left } }: Facts): Finding[] => {
  const notes = left.events.flatMap(({ deliveries }) =>
    deliveries.map(({ timeline, reason }) => JSON.stringify([timeline, reason])),
  );
  const isLeaking = (text: string) => /canary|signature-/.test(text);
  return [
    ...history.puts
      .filter(({ entries, bytes }) => entries > 10 || bytes >= 1_000_000)
      .map(({ entries, bytes, atMs }) => {
        return { invariant: 'I13', atMs, what: `${entries} entries of ${bytes} bytes` };
      }),
    ...history.accepted
      .filter(({ detail }) => Buffer.byteLength(detail) > 60_000)
      .map(({ eventId, atMs }) => ({ invariant: 'I13', atMs, what: `${eventId} is larger than 60 kB` })),
    ...[...history.logs, ...notes].filter(isLeaking).map((what) => ({ invariant: 'I13', what })),
  ];
};

/** I14: an API read after a delivery is at least as new. */
export const readsAreAsNew = (facts: Facts): Finding[] =>
  facts.world.history.accepted.flatMap(({ message, to, atMs, eventId }) => {
    const { uuid } = messageOf(message).detail as { uuid: string };
    const version = facts.stateAt(uuid, atMs)?.version ?? 0;
    const what = `${eventId} covers up to ${to}, stored is ${version}`;
    return unless(version >= to, { invariant: 'I14', uuid, atMs, what });
  });

/** What the API answers a partner of a version, with everything expanded. */
export const answerOf = ({ transaction }: StoredTransaction, showsPaymentTokens: boolean): JsonObject => {
  const elements = new Map(elementNames.map((name) => [name, 'everything'] as const));
  const shown = presentTransaction(transaction, { own: 'everything', elements }, { showsPaymentTokens });
  return JSON.parse(JSON.stringify(shown));
};

/** Equivalence: each `detail` is the delta of two answers of the API to that partner (TH-08). */
export const detailsAreDeltas = (facts: Facts): Finding[] =>
  onePerBody(facts.world.history.accepted)
    .filter(({ detailType }) => detailType === 'TransactionUpdated')
    .flatMap(({ message, from, to, omitted, eventId, atMs, clientId }) => {
      const { detail } = messageOf(message);
      const uuid = String(detail.uuid);
      const showsTokens = isWithTokens(facts, eventId, message);
      const stored = facts.state(uuid, to);
      if (!stored) return [{ invariant: 'TH-08', uuid, atMs, what: `there is no version ${to}` }];
      const before = facts.state(uuid, from);
      const [old, now] = [before && answerOf(before, showsTokens), answerOf(stored, showsTokens)];
      const wrong = [...eventElementNames, 'ndMeta', 'uuid', 'status'].filter((name) => {
        // A deletion has no element (EV-11).
        if (now.isDeleted === 1 && !Object.hasOwn(detail, name))
          return ['ndMeta', 'uuid', 'status'].includes(name);
        if (Object.hasOwn(detail, name)) return !isDeepStrictEqual(detail[name], now[name]);
        const usual = name === 'payments' ? [] : null;
        return !omitted.split(',').includes(name) && !isDeepStrictEqual(old?.[name] ?? usual, now[name]);
      });
      return wrong.map((name) => ({
        ...{ invariant: 'TH-08', uuid, atMs },
        what: `${name} in ${eventId} for ${clientId} is not the delta of versions ${from} and ${to}`,
      }));
    });

const isWithTokens = ({ deliveryLog }: Facts, eventId: string, message: string) =>
  deliveryLog.get(eventId)?.bodies?.tokens === message;
