import type { TransactionChange } from '../types.ts';
import { largestPerPage } from '../wire.ts';
import { type Answer, answerOf, callAsk, type WriteOptions, writeAsk } from './answer.ts';
import type { Api } from './api.ts';
import { type ListQuery, listParameters, type Page } from './list.ts';
import { type List, listOf } from './pages.ts';
import {
  type Expand,
  type Field,
  type Names,
  type Selected,
  type Selection,
  selectionParameters,
} from './selection.ts';
import type { CallOptions, Settings } from './settings.ts';

/** The transactions within your grants. */
export type TransactionsClient = {
  /** In the order of creation. Await it for a page, iterate over it for all. */
  list<const E extends Names<Expand> = readonly [], const F extends Names<Field> = readonly []>(
    query?: ListQuery<E, F>,
    options?: CallOptions,
  ): List<Selected<E, F>, Page<Selected<E, F>>>;
  retrieve<const E extends Names<Expand> = readonly [], const F extends Names<Field> = readonly []>(
    uuid: string,
    selection?: Selection<E, F>,
    options?: CallOptions,
  ): Promise<Answer<Selected<E, F>>>;
  /** Writes the named members and no others. With `ifMatch`, only if nothing has changed since. */
  update<const E extends Names<Expand> = readonly [], const F extends Names<Field> = readonly []>(
    uuid: string,
    change: TransactionChange,
    options?: UpdateOptions & Selection<E, F>,
  ): Promise<Answer<Selected<E, F>>>;
};

export type UpdateOptions = WriteOptions & {
  /**
   * The `etag` on which the change is based. If the transaction has changed since, a PreconditionFailedError is thrown.
   */
  readonly ifMatch?: string | undefined;
};

const path = '/api/v2/transaction';
const oneOf = (uuid: string) => `${path}/${encodeURIComponent(uuid)}`;

type AnyQuery = ListQuery<Names<Expand>, Names<Field>>;
type AnySelection = Selection<Names<Expand>, Names<Field>>;

/** The effect of `expand` and `fields` on a body is only in the types, which follow the rules of the service. */
export const createTransactions = (api: Api, settings: Settings): TransactionsClient => {
  const read = (target: string, parameters: [string, string][], options: CallOptions) =>
    api({ ...callAsk(options), method: 'GET', target, parameters });
  const transactions = {
    list: (query: AnyQuery = {}, options: CallOptions = {}) =>
      listOf({
        first: (isForAll) =>
          read(path, listParameters(isForAll ? { perPage: largestPerPage, ...query } : query), options),
        follow: (href) => read(href, [], options),
      }),
    retrieve: async (uuid: string, selection: AnySelection = {}, options: CallOptions = {}) =>
      answerOf(await read(oneOf(uuid), selectionParameters(selection), options)),
    update: async (uuid: string, change: TransactionChange, options: UpdateOptions & AnySelection = {}) =>
      answerOf(
        await api({
          ...writeAsk(options, settings),
          ...{ method: 'PATCH', target: oneOf(uuid), parameters: selectionParameters(options), body: change },
          headers: options.ifMatch === undefined ? {} : { 'If-Match': options.ifMatch },
        }),
      ),
  };
  return transactions as TransactionsClient;
};
