import type {
  NewPayment,
  NewSecret,
  PartnerRecord,
  Payment,
  TransactionChange,
  WebhookTestReceipt,
} from '../types.ts';
import { largestPerPage } from '../wire.ts';
import { type Answer, answerOf, type CallOptions, type WriteOptions, writeAsk } from './answer.ts';
import { type Api, createApi } from './api.ts';
import { createEvents, type EventsClient } from './events.ts';
import { type ListQuery, listParameters, type Page } from './list.ts';
import { followPages, itemsOf } from './pages.ts';
import { rotateSecret, type SecretOptions } from './secret.ts';
import {
  type Expand,
  type Field,
  type Names,
  type Selected,
  type Selection,
  selectionParameters,
} from './selection.ts';
import { type ClientOptions, type Settings, settingsOf } from './settings.ts';
import { createWebhook, type WebhookClient } from './webhook.ts';

/** The service's API as a partner sees it. */
export type Client = {
  /** One page; `perPage` says how large. */
  list<const E extends Names<Expand> = readonly [], const F extends Names<Field> = readonly []>(
    query?: ListQuery<E, F>,
    options?: CallOptions,
  ): Promise<Page<Selected<E, F>>>;
  /** All pages, by their links: nothing is repeated, and nothing skipped that was there when the reading began. */
  pages<const E extends Names<Expand> = readonly [], const F extends Names<Field> = readonly []>(
    query?: ListQuery<E, F>,
    options?: CallOptions,
  ): AsyncGenerator<Page<Selected<E, F>>, void, undefined>;
  /** The transactions of all pages, which are as large as they may be unless `perPage` says otherwise. */
  all<const E extends Names<Expand> = readonly [], const F extends Names<Field> = readonly []>(
    query?: ListQuery<E, F>,
    options?: CallOptions,
  ): AsyncGenerator<Selected<E, F>, void, undefined>;
  get<const E extends Names<Expand> = readonly [], const F extends Names<Field> = readonly []>(
    uuid: string,
    selection?: Selection<E, F>,
    options?: CallOptions,
  ): Promise<Answer<Selected<E, F>>>;
  /** Writes what is named and leaves the rest; with `ifMatch` only where nothing has changed since. */
  update<const E extends Names<Expand> = readonly [], const F extends Names<Field> = readonly []>(
    uuid: string,
    change: TransactionChange,
    options?: UpdateOptions & Selection<E, F>,
  ): Promise<Answer<Selected<E, F>>>;
  /** Records a payment; one with status 1 completes the transaction. */
  pay(payment: NewPayment, options?: WriteOptions): Promise<Answer<Payment>>;
  /** What the service knows of you. */
  partner(options?: CallOptions): Promise<Answer<PartnerRecord>>;
  /** What you were and are being sent. */
  readonly events: EventsClient;
  /** Your webhook: its address, whether it is paused, its signature. */
  readonly webhook: WebhookClient;
  /**
   * Makes a second client secret; the client's own works on for the overlap, and any other ends. It is in this answer alone, and
   * the client goes on with its own: where no answer came, call again, and the secret that was lost ends.
   */
  rotateSecret(options?: SecretOptions): Promise<NewSecret>;
  /** Has a WebhookTest sent to your webhook. */
  webhookTest(options?: WriteOptions): Promise<Answer<WebhookTestReceipt>>;
};

export type UpdateOptions = WriteOptions & {
  /** The `etag` of what the change is based on; a transaction that has changed since gives a PreconditionFailedError. */
  readonly ifMatch?: string | undefined;
};

/** Makes a client. Nothing is sent until it is used; it may be used for as long as the process runs. */
export const createClient = (options: ClientOptions): Client => {
  const settings = settingsOf(options);
  const api = createApi(settings);
  // What `expand` and `fields` make of a body is known to the types alone: they are the rules of the service.
  return {
    ...readingOf(api),
    ...writingOf(api, settings),
    events: createEvents(api, settings),
    webhook: createWebhook(api, settings),
    rotateSecret: (options?: SecretOptions) => rotateSecret(settings, options),
  } as Client;
};

const transactions = '/api/v2/transaction';
const oneOf = (uuid: string) => `${transactions}/${encodeURIComponent(uuid)}`;

type AnyQuery = ListQuery<Names<Expand>, Names<Field>>;
type AnySelection = Selection<Names<Expand>, Names<Field>>;

const readingOf = (api: Api) => {
  const read = async (target: string, parameters: [string, string][], { signal }: CallOptions) =>
    api({ method: 'GET', target, parameters, signal });
  const list = async (query: AnyQuery = {}, options: CallOptions = {}) =>
    (await read(transactions, listParameters(query), options)).body as Page<unknown>;
  const pages = (query: AnyQuery = {}, options: CallOptions = {}) =>
    followPages(
      () => list(query, options),
      async (href) => (await read(href, [], options)).body as Page<unknown>,
    );
  return {
    ...{ list, pages },
    all: (query: AnyQuery = {}, options: CallOptions = {}) =>
      itemsOf(pages({ perPage: largestPerPage, ...query }, options)),
    get: async (uuid: string, selection: AnySelection = {}, options: CallOptions = {}) =>
      answerOf(await read(oneOf(uuid), selectionParameters(selection), options)),
    partner: async (options: CallOptions = {}) => answerOf(await read('/api/v2/partner', [], options)),
  };
};

const writingOf = (api: Api, settings: Settings) => ({
  update: async (uuid: string, change: TransactionChange, options: UpdateOptions & AnySelection = {}) =>
    answerOf(
      await api({
        ...writeAsk(options, settings),
        ...{ method: 'PATCH', target: oneOf(uuid), parameters: selectionParameters(options), body: change },
        headers: options.ifMatch === undefined ? {} : { 'If-Match': options.ifMatch },
      }),
    ),
  pay: async (payment: NewPayment, options: WriteOptions = {}) =>
    answerOf(
      await api({ ...writeAsk(options, settings), method: 'POST', target: '/api/v2/payment', body: payment }),
    ),
  webhookTest: async (options: WriteOptions = {}) =>
    answerOf(await api({ ...writeAsk(options, settings), method: 'POST', target: '/api/v2/webhook/test' })),
});
