import type { EventState, PartnerEvent, PartnerEventDetail, Receipt } from '../types.ts';
import { type Answer, answerOf, type CallOptions, type WriteOptions, writeAsk } from './answer.ts';
import type { Api } from './api.ts';
import { given } from './list.ts';
import { followPages, itemsOf } from './pages.ts';
import type { Settings } from './settings.ts';

/** Conditions, all of which hold together. */
export type EventFilter = {
  readonly type?: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
  readonly state?: EventState;
  /** A transaction's uuid. */
  readonly transaction?: string;
  /** Not older than this. */
  readonly since?: Date | string;
};

export type EventQuery = { readonly filter?: EventFilter; readonly perPage?: number };

/** One page of events, newest first; how many there are is not counted. */
export type EventPage = {
  readonly data: readonly PartnerEvent[];
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
  readonly _meta: { readonly perPage: number };
};

/** What you were and are being sent, for 30 days: with it you catch up after your webhook was away. */
export type EventsClient = {
  list(query?: EventQuery, options?: CallOptions): Promise<EventPage>;
  pages(query?: EventQuery, options?: CallOptions): AsyncGenerator<EventPage, void, undefined>;
  /** The events of all pages, newest first. */
  all(query?: EventQuery, options?: CallOptions): AsyncGenerator<PartnerEvent, void, undefined>;
  get(id: string, options?: CallOptions): Promise<Answer<PartnerEventDetail>>;
  /** Has one event sent to your webhook again, or all that were not delivered since a time. */
  replay(which: string | { readonly since: Date | string }, options?: WriteOptions): Promise<Answer<Receipt>>;
};

const path = '/api/v2/event';

export const createEvents = (api: Api, settings: Settings): EventsClient => {
  const page = async (target: string, parameters: [string, string][], { signal }: CallOptions) => {
    const { body } = await api({ method: 'GET', target, parameters, signal });
    return body as EventPage;
  };
  const list = (query: EventQuery = {}, options: CallOptions = {}) =>
    page(path, eventParameters(query), options);
  const pages = (query: EventQuery = {}, options: CallOptions = {}) =>
    followPages(
      () => list(query, options),
      (href) => page(href, [], options),
    );
  return {
    ...{ list, pages },
    all: (query = {}, options = {}) => itemsOf(pages({ perPage: 50, ...query }, options)),
    get: async (id, { signal } = {}) =>
      answerOf<PartnerEventDetail>(
        await api({ method: 'GET', target: `${path}/${encodeURIComponent(id)}`, signal }),
      ),
    replay: async (which, options = {}) =>
      answerOf<Receipt>(await api({ ...writeAsk(options, settings), method: 'POST', ...replayAsk(which) })),
  };
};

const replayAsk = (which: string | { readonly since: Date | string }) =>
  typeof which === 'string'
    ? { target: `${path}/${encodeURIComponent(which)}/replay` }
    : { target: `${path}/replay`, body: { since: timeText(which.since) } };

const eventParameters = ({ filter = {}, perPage }: EventQuery): [string, string][] => [
  ...given('filter[type]', filter.type),
  ...given('filter[state]', filter.state),
  ...given('filter[transaction]', filter.transaction),
  ...given('filter[since]', filter.since === undefined ? undefined : timeText(filter.since)),
  ...given('per-page', perPage),
];

const timeText = (time: Date | string) => (typeof time === 'string' ? time : time.toISOString());
