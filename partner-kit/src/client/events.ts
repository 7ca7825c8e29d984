import type { EventState, PartnerEvent, Replay } from '../types.ts';
import { largestPerPage } from '../wire.ts';
import { type Answer, answerOf, callAsk, type WriteOptions, writeAsk } from './answer.ts';
import type { Api } from './api.ts';
import { given } from './list.ts';
import { type List, listOf } from './pages.ts';
import type { CallOptions, Settings } from './settings.ts';

/** Conditions, all of which must hold. `waiting` lists what is still to be sent, the other states what was. */
export type EventFilter = {
  readonly type?: PartnerEvent['type'];
  readonly state?: EventState;
  /** A transaction's uuid. */
  readonly transaction?: string;
  /** Only events since this time. What waits has none. */
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
  /**
   * Sends again what was sent since a time, or what failed: each completion, and each transaction once, with everything
   * that changed and present values. The service sends in the background.
   */
  replay(what: ReplayRequest, options?: WriteOptions): Promise<Answer<Replay>>;
};

/** Everything since a time, narrowed by the other members; or what failed. */
export type ReplayRequest =
  | (Pick<EventFilter, 'transaction'> & {
      readonly since: Date | string;
      readonly type?: 'TransactionUpdated' | 'TransactionCompleted';
    })
  | { readonly state: 'failed' };

const path = '/api/v2/event';

export const createEvents = (api: Api, settings: Settings): EventsClient => {
  const read = (target: string, parameters: [string, string][], options: CallOptions) =>
    api({ ...callAsk(options), method: 'GET', target, parameters });
  return {
    list: (query = {}, options = {}) =>
      listOf({
        first: (isForAll) =>
          read(path, eventParameters(isForAll ? { perPage: largestPerPage, ...query } : query), options),
        follow: (href) => read(href, [], options),
      }),
    replay: async (what, options = {}) => {
      const body = 'since' in what ? { ...what, since: timeText(what.since) } : what;
      const target = `${path}/replay`;
      return answerOf<Replay>(await api({ ...writeAsk(options, settings), method: 'POST', target, body }));
    },
  };
};

const eventParameters = ({ filter = {}, perPage }: EventQuery): [string, string][] => [
  ...given('filter[type]', filter.type),
  ...given('filter[state]', filter.state),
  ...given('filter[transaction]', filter.transaction),
  ...given('filter[since]', filter.since === undefined ? undefined : timeText(filter.since)),
  ...given('per-page', perPage),
];

const timeText = (time: Date | string) => (typeof time === 'string' ? time : time.toISOString());
