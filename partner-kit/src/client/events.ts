import type { EventState, PartnerEvent, PartnerEventDetail, Replay, ReplayedEvent } from '../types.ts';
import { largestPerPage } from '../wire.ts';
import { type Answer, answerOf, callAsk, type WriteOptions, writeAsk } from './answer.ts';
import type { Api } from './api.ts';
import { given } from './list.ts';
import { type List, listOf } from './pages.ts';
import type { CallOptions, Settings } from './settings.ts';

/** Conditions, all of which must hold. */
export type EventFilter = {
  readonly type?: PartnerEvent['type'];
  readonly state?: EventState;
  /** A transaction's uuid. */
  readonly transaction?: string;
  /** Only events since this time. */
  readonly since?: Date | string;
};

export type EventQuery = { readonly filter?: EventFilter; readonly perPage?: number };

/** One page of events, newest first, without a total. */
export type EventPage = {
  readonly data: readonly PartnerEvent[];
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
  readonly _meta: { readonly perPage: number };
  readonly requestId: string | undefined;
};

/** The events to you of the last 30 days. Use them to catch up after your webhook was down. */
export type EventsClient = {
  /** Newest first. Await it for a page, iterate over it for all. */
  list(query?: EventQuery, options?: CallOptions): List<PartnerEvent, EventPage>;
  retrieve(id: string, options?: CallOptions): Promise<Answer<PartnerEventDetail>>;
  /** Replays one event to your webhook, with its id and its bytes. */
  replay(id: string, options?: WriteOptions): Promise<Answer<Replay>>;
  /**
   * Replays everything since a time, as one event for each transaction. With `state: 'failed'`, only what your webhook
   * did not accept. One request schedules at most a hundred events. This method repeats it until all are scheduled, and
   * yields the result of each. After 6,000 events it waits as long as the service asks, up to ten minutes. `signal`
   * ends that.
   */
  replayAll(what: ReplayFilter, options?: WriteOptions): AsyncGenerator<ReplayedEvent, void, undefined>;
};

/** What to replay. All conditions must hold. */
export type ReplayFilter = Omit<EventFilter, 'since'> & { readonly since: Date | string };

const path = '/api/v2/event';

export const createEvents = (api: Api, settings: Settings): EventsClient => {
  const read = (target: string, parameters: [string, string][], options: CallOptions) =>
    api({ ...callAsk(options), method: 'GET', target, parameters });
  const order = (target: string, options: WriteOptions, body?: unknown, longestWaitMs = 0) =>
    api({ ...writeAsk(options, settings), method: 'POST', target, body, longestWaitMs });
  return {
    list: (query = {}, options = {}) =>
      listOf({
        first: (isForAll) =>
          read(path, eventParameters(isForAll ? { perPage: largestPerPage, ...query } : query), options),
        follow: (href) => read(href, [], options),
      }),
    retrieve: async (id, options = {}) =>
      answerOf<PartnerEventDetail>(await read(`${path}/${encodeURIComponent(id)}`, [], options)),
    replay: async (id, options = {}) =>
      answerOf<Replay>(await order(`${path}/${encodeURIComponent(id)}/replay`, options)),
    replayAll: (what, options = {}) =>
      replayAll(what, (body, more) => order(`${path}/replay`, more, body, replaysWaitMs), options),
  };
};

/** The service accepts 60 such requests in ten minutes, so a replay of more than 6,000 events waits. */
const replaysWaitMs = 600_000;

type ReplayBody = Readonly<Record<string, unknown>>;
type Order = (body: ReplayBody, options: WriteOptions) => Promise<{ body: Record<string, unknown> }>;

/** `next` is the body of the next request. The caller's key is used for all of them, each with its number. */
async function* replayAll(
  { since, ...filter }: ReplayFilter,
  order: Order,
  options: WriteOptions,
): AsyncGenerator<ReplayedEvent, void, undefined> {
  const { idempotencyKey: key } = options;
  let next: ReplayBody | null = { ...filter, since: timeText(since) };
  for (let part = 1; next !== null; part += 1) {
    const own = typeof key === 'string' ? { idempotencyKey: `${key}-${part}` } : {};
    const { body } = await order(next, { ...options, ...own });
    const answer = body as Replay;
    yield* answer.data;
    next = answer.next ?? null;
  }
}

const eventParameters = ({ filter = {}, perPage }: EventQuery): [string, string][] => [
  ...given('filter[type]', filter.type),
  ...given('filter[state]', filter.state),
  ...given('filter[transaction]', filter.transaction),
  ...given('filter[since]', filter.since === undefined ? undefined : timeText(filter.since)),
  ...given('per-page', perPage),
];

const timeText = (time: Date | string) => (typeof time === 'string' ? time : time.toISOString());
