import {
  type EventBodies,
  type EventElementName,
  eventElementNames,
  eventIdOf,
  type TransactionEvent,
  type VersionRange,
} from '../domain/event/event.ts';
import { fitting } from '../domain/event/message.ts';
import { elementNames, type JsonObject, type JsonValue } from '../domain/transaction/transaction.ts';

/** An event as the ledger keeps it. Without recipients it has no bodies, and only the names of its elements are known. */
export type StoredEvent = { event: TransactionEvent; bodies: EventBodies | undefined };

/** One event that stands for several. */
export type CoalescedEvent = {
  event: TransactionEvent;
  bodies: EventBodies;
  /** Versions within the range that none of the events tells of. */
  gaps: VersionRange[];
};

/** The facts of the new event that do not follow from the events that it stands for. */
export type CoalescingFacts = { stage: string; now: Date; recipients: string[] };

/**
 * Several TransactionUpdated of one transaction as the one that would have been sent instead: from the first version to
 * the last, every element as of its last change. The last event must have its bodies. If one event tells everything that
 * the others tell, it is returned itself, with its id and its bytes (I6).
 */
export const coalesce = (
  stored: readonly [StoredEvent, ...StoredEvent[]],
  facts: CoalescingFacts,
): CoalescedEvent => {
  const parts = withoutCovered(stored);
  const last = parts.at(-1) ?? stored[0];
  const [alone, ...others] = parts;
  if (alone?.bodies && others.length === 0) return { event: alone.event, bodies: alone.bodies, gaps: [] };
  const range = { from: Math.min(...parts.map(({ event }) => event.from)), to: last.event.to };
  const eventId = eventIdOf(facts.stage, 'TransactionUpdated', last.event.uuid, range);
  const { bodies, elements, omitted } = renderFolded(parts, eventId);
  return {
    event: {
      ...last.event,
      ...{ eventId, ...range, elements, omitted },
      claimedAtMs: facts.now.getTime(),
      recipients: facts.recipients,
    },
    bodies,
    gaps: gapsWithin(parts.map(({ event }) => event)),
  };
};

/** The events in the order in which they fold, without those whose whole range is included by another. */
const withoutCovered = (stored: readonly StoredEvent[]): StoredEvent[] =>
  stored
    .toSorted(({ event: a }, { event: b }) => a.to - b.to || a.from - b.from)
    .filter(({ event }) => !stored.some((other) => isWithin(event, other.event)));

const isWithin = (inner: VersionRange, outer: VersionRange) =>
  outer.from <= inner.from && inner.to <= outer.to && outer.to - outer.from > inner.to - inner.from;

/** The gaps between ranges that do not touch. */
export const gapsWithin = (ranges: readonly VersionRange[]): VersionRange[] => {
  const [first, ...others] = ranges.toSorted((a, b) => a.from - b.from);
  const gaps: VersionRange[] = [];
  let reached = first?.to ?? 0;
  for (const { from, to } of others) {
    if (from > reached) gaps.push({ from: reached, to: from });
    reached = Math.max(reached, to);
  }
  return gaps;
};

/** Of the time of the last part: whoever folds the same parts later, after a restore perhaps, makes the same bytes (EV-6). */
const renderFolded = (parts: readonly StoredEvent[], eventId: string) => {
  const plain = fold(parts, ({ plain }) => plain);
  const tokens = fold(parts, ({ plain, tokens }) => tokens ?? plain);
  const elements = eventElementNames.filter(
    (name) =>
      plain.message.detail.isDeleted !== 1 && parts.some(({ event }) => event.elements.includes(name)),
  );
  const render = ({ message, values }: Folded, names: readonly EventElementName[]) => {
    const detail = detailOf(message.detail, values, names);
    return JSON.stringify({ ...message, id: eventId, detail });
  };
  const included = fitting(
    elements.filter((name) => tokens.values.has(name)),
    {
      bytesWith: (names) => Buffer.byteLength(render(tokens, names)),
      bytesOf: (name) => Buffer.byteLength(JSON.stringify(tokens.values.get(name))),
    },
  );
  const bodies = { plain: render(plain, included), tokens: render(tokens, included) };
  return {
    bodies: bodies.tokens === bodies.plain ? { plain: bodies.plain } : bodies,
    elements,
    omitted: elements.filter((name) => !included.includes(name)),
  };
};

type EventMessageBody = JsonObject & { detail: JsonObject };
type Folded = { message: EventMessageBody; values: ReadonlyMap<EventElementName, JsonValue> };

/** The last message, and each element as of its last change. An element that was omitted then is unknown (EV-9). */
const fold = (parts: readonly StoredEvent[], bodyOf: (bodies: EventBodies) => string): Folded => {
  const values = new Map<EventElementName, JsonValue>();
  let message: EventMessageBody = { detail: {} };
  for (const { event, bodies } of parts) {
    if (bodies) message = JSON.parse(bodyOf(bodies)) as EventMessageBody;
    for (const name of event.elements) {
      const value = bodies && message.detail[name];
      if (value === undefined) values.delete(name);
      else values.set(name, value);
    }
  }
  return { message, values };
};

/** The `detail` of a message, in the order of an API response; of a deleted transaction without elements (EV-11). */
const detailOf = (
  last: JsonObject,
  values: ReadonlyMap<EventElementName, JsonValue>,
  names: readonly EventElementName[],
): JsonObject => {
  const { uuid = null, status = null, ndMeta = null, isDeleted } = last;
  const elements = elementNames.flatMap((name): [string, JsonValue][] => {
    if (name === 'ndMeta') return [[name, ndMeta]];
    const eventName = names.find((one) => one === name);
    const value = eventName && values.get(eventName);
    return value === undefined ? [] : [[name, value]];
  });
  return { uuid, status, ...(isDeleted !== undefined && { isDeleted }), ...Object.fromEntries(elements) };
};
