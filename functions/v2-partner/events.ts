import {
  type EventType,
  eventIdOf,
  isDeletedAfter,
  type MessageType,
  testEventType,
} from '../shared/domain/event/event.ts';
import { covers, type Grant } from '../shared/domain/ownership/grant.ts';
import type { Partner } from '../shared/domain/partner.ts';
import { pairsOf, type QueryParameters } from '../shared/domain/query/parameters.ts';
import type { JsonObject, StoredTransaction } from '../shared/domain/transaction/transaction.ts';
import { isTransactionUuid } from '../shared/domain/transaction/transaction-uuid.ts';
import { type BacklogRow, type LogLine, outcomeIn } from '../shared/events/rows.ts';
import { type EventState, meaningOf, reasonShown, stateOf } from '../shared/events/states.ts';
import { type DebounceTable, logLifetimeMs, placeOf, type SentLog } from '../shared/events/table.ts';
import { weakTag } from '../shared/http/entity-tag.ts';
import { type LinkFacts, type Links, linkHeader } from '../shared/http/links.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { queryProblem } from '../shared/http/request-problems.ts';
import { json } from '../shared/http/response.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import { cursorAt, type EventFilter, type EventQuery, readEventQuery } from './event-query.ts';

export type EventDeps = {
  sentLog: SentLog;
  table: Pick<DebounceTable, 'backlogOf'>;
  /** The existing ones, including deleted ones, strongly consistent. */
  transactionsOf: (uuids: readonly string[]) => Promise<ReadonlyMap<string, StoredTransaction>>;
  clock: Clock;
  baseUrl: string;
  /** A part of each event's id. */
  stage: string;
};

/** One event as its partner sees it. What waits has no id and no end yet: it is made when it is sent. */
type Shown = {
  place: string;
  id: string | null;
  type: MessageType;
  uuid: string;
  from: number;
  to: number | null;
  atMs?: number;
  state: EventState;
  reason?: string | undefined;
  dueAtMs?: number | undefined;
  expiresAtMs?: number | undefined;
};

/** The partner's events (V2-7). Without totals, because counting would have to check every event. */
export const listEvents = async (
  { partner, multiValueQueryStringParameters }: HttpEvent & { partner: Partner },
  deps: EventDeps,
): Promise<HandlerResult> => {
  const query = readEventQuery(multiValueQueryStringParameters, partner.clientId);
  if (!query.ok) return queryProblem(query);
  const { parameters, perPage } = query.value;
  const { events, next } = await readPage(partner, query.value, deps);
  const links = linksOf(
    { href: `${deps.baseUrl}/v2/event`, parameters: { ...parameters, 'per-page': [String(perPage)] } },
    next && cursorAt(next, parameters, partner.clientId),
  );
  const body = { data: events.map(presented), _links: links, _meta: { perPage } };
  const response = json(200, body, linkHeader(links));
  return { ...response, headers: { ...response.headers, ETag: weakTag(response.body) } };
};

const linksOf = (
  { href, parameters }: Pick<LinkFacts, 'href' | 'parameters'>,
  cursor: string | undefined,
): Links => {
  const { after: _, ...first } = parameters;
  const at = (asked: QueryParameters) => ({ href: `${href}?${new URLSearchParams(pairsOf(asked))}` });
  return {
    self: at(parameters),
    first: at(first),
    ...(cursor !== undefined && { next: at({ ...first, after: [cursor] }) }),
  };
};

export const isoTime = (ms: number) => new Date(ms).toISOString();
const timeOrNull = (ms: number | undefined) => (ms === undefined ? null : isoTime(ms));

/** From an allow list, so that no internal value can appear. */
export const presented = ({ id, type, uuid, from, to, state, reason, ...times }: Shown): JsonObject => ({
  id,
  type,
  transaction: uuid === '' ? null : uuid,
  fromVersion: from,
  toVersion: to,
  at: timeOrNull(times.atMs),
  state,
  reason: reason === undefined ? null : reasonShown(reason),
  meaning: meaningOf(state, reason),
  nextAttemptAt: timeOrNull(times.dueAtMs),
  keptUntil: timeOrNull(times.expiresAtMs),
});

/** What one request reads at most, whatever it finds, and as many transactions. */
const linesAtOnce = 50;
const mostReads = 4;

/** A page before its end may have fewer events than requested, even none. */
const readPage = async (
  partner: Partner,
  { filter, perPage, after }: EventQuery,
  deps: EventDeps,
): Promise<{ events: Shown[]; next?: string | undefined }> => {
  const source = await sourceOf(partner, filter, deps);
  const found: Shown[] = [];
  let place = after;
  // One more than the page, so that only what the partner may see makes a `next`.
  for (let reads = 1; source && reads <= mostReads && found.length <= perPage; reads += 1) {
    const { events, next } = await source(place);
    found.push(...(await readable(partner, events.filter(meantBy(filter)), deps)));
    place = next;
    if (place === undefined) break;
  }
  const events = found.slice(0, perPage);
  return { events, next: found.length > perPage ? events.at(-1)?.place : source && place };
};

const meantBy =
  ({ type, state, transaction }: EventFilter) =>
  (event: Shown): boolean =>
    (type === undefined || event.type === type) &&
    (state === undefined || event.state === state) &&
    (transaction === undefined || event.uuid === transaction);

type Source = (place: string | undefined) => Promise<{ events: Shown[]; next?: string | undefined }>;

/** Nothing is read about a transaction that the partner may not see, so that the cost shows nothing about it. */
const sourceOf = async (
  { clientId, grants }: Partner,
  { state, transaction: uuid, sinceMs: asked }: EventFilter,
  { sentLog, table, transactionsOf, clock, stage }: EventDeps,
): Promise<Source | undefined> => {
  // What waits has no time yet.
  if (state === 'waiting' && asked !== undefined) return undefined;
  const limit = linesAtOnce;
  // TTL removes lines days late.
  const sinceMs = Math.max(asked ?? 0, clock().getTime() - logLifetimeMs);
  const spanBefore = (place: string | undefined) => ({ sinceMs, limit, ...(place && { before: place }) });
  if (uuid !== undefined) {
    const stored = isTransactionUuid(uuid) ? (await transactionsOf([uuid])).get(uuid) : undefined;
    if (!covers(grants, stored?.transaction.ndMeta)) return undefined;
  }
  if (state === 'waiting')
    return async (place) => {
      // The keys of one transaction follow its uuid without the last letter.
      const from = uuid === undefined ? undefined : `TX#${uuid.slice(0, -1)}`;
      const { rows, next } = await table.backlogOf(clientId, { limit, after: place ?? from });
      const isPast = uuid !== undefined && rows.some((row) => row.uuid !== uuid);
      return { events: rows.map((row) => waitingOf(row, stage)), next: isPast ? undefined : next };
    };
  if (uuid === undefined)
    return async (place) => {
      const { lines, next } = await sentLog.linesOf(clientId, spanBefore(place));
      return { events: lines.map((line) => sentOf(line, placeOf(line))), next };
    };
  return async (place) => {
    const { lines, next } = await sentLog.sendingsOf(uuid, spanBefore(place));
    const events = lines.flatMap((line) => {
      const own = outcomeIn(line, clientId);
      if (!own) return [];
      const eventId = eventIdOf(stage, line.type as EventType, uuid, own);
      return [sentOf({ ...own, eventId }, placeOf(line))];
    });
    return { events, next };
  };
};

const sentOf = (line: LogLine, place: string): Shown => {
  const { eventId, uuid, from, to, atMs, outcome, reason } = line;
  const type = line.type as MessageType;
  return { place, id: eventId, type, uuid, from, to, atMs, reason, state: stateOf[outcome] };
};

/** An update goes up to the version that the transaction has then. */
const waitingOf = ({ uuid, from, completed, ...row }: BacklogRow, stage: string): Shown => {
  const { reason, dueAtMs, expiresAtMs } = row;
  const more = { uuid, state: 'waiting', reason, dueAtMs, expiresAtMs } as const;
  if (completed === undefined)
    return { ...more, place: `TX#${uuid}`, id: null, type: 'TransactionUpdated', from, to: null };
  const range = { from: completed - 1, to: completed };
  const [type, place] = ['TransactionCompleted', `TX#${uuid}#COMPLETED`] as const;
  return { ...more, ...range, place, type, id: eventIdOf(stage, type, uuid, range) };
};

/** The events that the partner may read now, in their order. */
const readable = async (
  { grants }: Partner,
  events: readonly Shown[],
  { transactionsOf }: Pick<EventDeps, 'transactionsOf'>,
): Promise<Shown[]> => {
  const uuids = [...new Set(events.flatMap(({ uuid }) => (uuid === '' ? [] : [uuid])))];
  const stored = await transactionsOf(uuids);
  return events.filter((event) => mayKnowOf(event, stored.get(event.uuid), grants));
};

/**
 * Whether it would be sent to the partner now (GRANT-2): of a deleted transaction only the deletion (DEL-1), and no
 * completion that a restored table does not have (DR-10).
 */
const mayKnowOf = (
  { type, to }: Pick<Shown, 'type' | 'to'>,
  stored: StoredTransaction | undefined,
  grants: readonly Grant[],
): boolean => {
  if (type === testEventType) return true;
  if (!stored || !covers(grants, stored.transaction.ndMeta)) return false;
  if (isDeletedAfter({ to: to ?? stored.version }, stored)) return false;
  return type === 'TransactionUpdated' || stored.transaction.status === 1;
};

/** Failures are searched in this many of the newest lines. */
const linesLookedAt = 100;

/** The newest failure that the partner may know of (V2-6). */
export const lastFailureOf = async (partner: Partner, deps: EventDeps): Promise<JsonObject | null> => {
  const sinceMs = deps.clock().getTime() - logLifetimeMs;
  const { lines } = await deps.sentLog.linesOf(partner.clientId, { sinceMs, limit: linesLookedAt });
  const failed = lines.filter(({ outcome }) => outcome === 'FAILED').map((line) => sentOf(line, ''));
  const [last] = await readable(partner, failed, deps);
  if (!last) return null;
  const [, status] = /^HTTP_(\d{3})$/.exec(last.reason ?? '') ?? [];
  return {
    event: last.id,
    at: timeOrNull(last.atMs),
    reason: reasonShown(last.reason ?? ''),
    status: status === undefined ? null : Number(status),
  };
};
