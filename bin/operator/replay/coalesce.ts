import {
  type EventBodies,
  type EventElementName,
  eventElementNames,
  eventIdOf,
  type TransactionEvent,
  type VersionRange,
} from '../../../functions/shared/domain/event/event.ts';
import { fitting, timeText } from '../../../functions/shared/domain/event/message.ts';
import {
  elementNames,
  type JsonObject,
  type JsonValue,
} from '../../../functions/shared/domain/transaction/transaction.ts';

/** An event as the ledger keeps it. Without bodies nobody was to receive it, and only the names of its elements are known. */
export type StoredEvent = { event: TransactionEvent; bodies: EventBodies | undefined };

export type CoalescedEvent = {
  event: TransactionEvent;
  bodies: EventBodies;
  /** Versions within the range that none of the events tells of. */
  gaps: VersionRange[];
};

/** What is new about the one event; the rest follows from those that it stands for. */
export type CoalescingFacts = { stage: string; now: Date; recipients: string[] };

/**
 * Several TransactionUpdated of one transaction as the one that would have been sent instead (events 7): from the first
 * version to the last, every element as of its last change. The last event must have its bodies. One event that tells all
 * that the others tell stays itself, with its id and its bytes (I6).
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
  const { bodies, elements, omitted } = renderFolded(parts, eventId, facts.now);
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

/** In the order in which they fold, without those whose range another one tells as a whole. */
const withoutCovered = (stored: readonly StoredEvent[]): StoredEvent[] =>
  stored
    .toSorted(({ event: a }, { event: b }) => a.to - b.to || a.from - b.from)
    .filter(({ event }) => !stored.some((other) => isWithin(event, other.event)));

const isWithin = (inner: VersionRange, outer: VersionRange) =>
  outer.from <= inner.from && inner.to <= outer.to && outer.to - outer.from > inner.to - inner.from;

/** What lies between ranges that do not join. */
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

const renderFolded = (parts: readonly StoredEvent[], eventId: string, now: Date) => {
  const plain = fold(parts, ({ plain }) => plain);
  const tokens = fold(parts, ({ plain, tokens }) => tokens ?? plain);
  const elements = eventElementNames.filter((name) =>
    parts.some(({ event }) => event.elements.includes(name)),
  );
  const render = ({ message, values }: Folded, some: readonly EventElementName[]) => {
    const detail = detailOf(message.detail, values, some);
    return JSON.stringify({ ...message, id: eventId, time: timeText(now), detail });
  };
  const told = fitting(
    elements.filter((name) => tokens.values.has(name)),
    {
      bytesWith: (some) => Buffer.byteLength(render(tokens, some)),
      bytesOf: (name) => Buffer.byteLength(JSON.stringify(tokens.values.get(name))),
    },
  );
  const bodies = { plain: render(plain, told), tokens: render(tokens, told) };
  return {
    bodies: bodies.tokens === bodies.plain ? { plain: bodies.plain } : bodies,
    elements,
    omitted: elements.filter((name) => !told.includes(name)),
  };
};

type EventMessageBody = JsonObject & { detail: JsonObject };
type Folded = { message: EventMessageBody; values: ReadonlyMap<EventElementName, JsonValue> };

/** The last message, and each element as of its last change; one that was left out then is not known any more (EV-9). */
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

/** In the order of an answer of the API, as every `detail` (TH-08). */
const detailOf = (
  last: JsonObject,
  values: ReadonlyMap<EventElementName, JsonValue>,
  some: readonly EventElementName[],
): JsonObject => {
  const { uuid = null, status = null, ndMeta = null } = last;
  const elements = elementNames.flatMap((name): [string, JsonValue][] => {
    if (name === 'ndMeta') return [[name, ndMeta]];
    const told = some.find((one) => one === name);
    const value = told && values.get(told);
    return value === undefined ? [] : [[name, value]];
  });
  return { uuid, status, ...Object.fromEntries(elements) };
};
