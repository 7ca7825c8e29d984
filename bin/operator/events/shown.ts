import type { EventType } from '../../../functions/shared/domain/event/event.ts';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import { isClientId } from '../../../functions/shared/domain/partner.ts';
import {
  type EventState,
  type ShownEvent,
  shownDebts,
  shownLine,
  shownSending,
} from '../../../functions/shared/events/states.ts';
import type { OperatorDeps } from '../deps.ts';
import { findPartner } from '../partners/partners.ts';

/** A partner in the log. A deleted partner's name is its client id. */
export type Recipient = { clientId: string; name: string };

/** Finds a partner by name or client id. The log outlives partners, so any well-formed client id is accepted. */
export const findRecipient = async (
  nameOrId: string,
  deps: OperatorDeps,
): Promise<Outcome<Recipient, 'no-recipient'>> => {
  const found = await findPartner(nameOrId, deps);
  if (found.ok) return found;
  if (!isClientId(nameOrId)) return refuse('no-recipient');
  return succeed({ clientId: nameOrId, name: nameOrId });
};

/** Which events to list. */
export type EventFilter = {
  clientId?: string;
  uuid?: string;
  state?: EventState;
  type?: EventType;
  sinceMs?: number;
  untilMs?: number;
};

type EventDeps = Pick<OperatorDeps, 'debounce' | 'sentLog' | 'partners'>;

/** Events as they are shown, newest first: of one partner, of one transaction, or of all partners. */
export async function* shownEvents(filter: EventFilter, deps: EventDeps): AsyncGenerator<ShownEvent> {
  for await (const event of sourceOf(filter, deps)) {
    const isWanted =
      (filter.clientId === undefined || event.clientId === filter.clientId) &&
      (filter.uuid === undefined || event.uuid === filter.uuid) &&
      (filter.state === undefined || event.state === filter.state) &&
      (filter.type === undefined || event.type === filter.type);
    if (isWanted) yield event;
  }
}

async function* sourceOf(filter: EventFilter, deps: EventDeps): AsyncGenerator<ShownEvent> {
  if (filter.state !== 'waiting' && filter.uuid !== undefined)
    return yield* sendingsOf(filter.uuid, filter, deps);
  const { clientId } = filter;
  const clientIds =
    clientId === undefined ? (await deps.partners.all()).map((one) => one.clientId) : [clientId];
  if (filter.state !== 'waiting')
    return yield* newestFirst(clientIds.map((one) => linesOf(one, filter, deps)));
  for (const one of clientIds) yield* backlogOf(one, deps);
}

const pageSize = 100;

/** Every page of a query. */
async function* pagesOf<Found>(read: (place: string | undefined) => Promise<Found & { next?: string }>) {
  for (let place: string | undefined; ; ) {
    const page = await read(place);
    yield page;
    if (page.next === undefined) return;
    place = page.next;
  }
}

const spanOf = ({ sinceMs, untilMs }: EventFilter, before: string | undefined) => ({
  limit: pageSize,
  ...(sinceMs !== undefined && { sinceMs }),
  ...(untilMs !== undefined && { untilMs }),
  ...(before !== undefined && { before }),
});

/** What was told about a transaction, newest first: each sending has an outcome for each partner. */
export async function* sendingsOf(
  uuid: string,
  filter: EventFilter,
  { sentLog }: Pick<OperatorDeps, 'sentLog'>,
): AsyncGenerator<ShownEvent> {
  const pages = pagesOf((before) => sentLog.sendingsOf(uuid, spanOf(filter, before)));
  for await (const { lines } of pages) yield* lines.flatMap(shownSending);
}

async function* linesOf(
  clientId: string,
  filter: EventFilter,
  { sentLog }: EventDeps,
): AsyncGenerator<ShownEvent> {
  const pages = pagesOf((before) => sentLog.linesOf(clientId, spanOf(filter, before)));
  for await (const { lines } of pages) yield* lines.map(shownLine);
}

async function* backlogOf(clientId: string, { debounce }: EventDeps): AsyncGenerator<ShownEvent> {
  const pages = pagesOf((after) => debounce.backlogOf(clientId, { limit: pageSize, after }));
  for await (const { rows } of pages) yield* rows.flatMap(shownDebts);
}

/** Merges lists that are each sorted newest first. */
async function* newestFirst(lists: readonly AsyncGenerator<ShownEvent>[]): AsyncGenerator<ShownEvent> {
  const next = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    const open = next.flatMap((entry, index) => (entry.done ? [] : [{ event: entry.value, index }]));
    const [newest] = open.toSorted((one, other) => (other.event.atMs ?? 0) - (one.event.atMs ?? 0));
    const list = newest && lists[newest.index];
    if (!newest || !list) return;
    yield newest.event;
    next[newest.index] = await list.next();
  }
}
