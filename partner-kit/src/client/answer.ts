import type { ApiAnswer } from './api.ts';
import type { CallOptions, Settings } from './settings.ts';

/** Options of every write. */
export type WriteOptions = CallOptions & {
  /**
   * Your idempotency key: the write happens once, however often you call with it. Use one UUID for each intent, and
   * store it beside the intent. Absent = a new key for each call. `null` sends none, and the write is not retried.
   */
  readonly idempotencyKey?: string | null;
};

/** One record, and the values that the next request may need. */
export type Answer<Data> = {
  readonly data: Data;
  /** For `ifMatch`: the version that was read or written. */
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
  /** Whether this is the stored answer to an earlier request with this idempotency key. */
  readonly isReplay: boolean;
};

/** The type of the body is that of the OpenAPI document, from which this kit's types are made. */
export const answerOf = <Data>({ body, headers, requestId }: ApiAnswer): Answer<Data> => ({
  data: body as Data,
  etag: headers.get('ETag') ?? undefined,
  requestId,
  isReplay: headers.get('Idempotency-Replayed') === 'true',
});

/** The part of a request that its options decide. */
export const callAsk = ({ signal, timeoutMs, attempts }: CallOptions) => ({ signal, timeoutMs, attempts });

/** The same for a write: one key for each call, the same in all its attempts. */
export const writeAsk = (options: WriteOptions, { newKey }: Pick<Settings, 'newKey'>) => ({
  ...callAsk(options),
  idempotencyKey: options.idempotencyKey === undefined ? newKey() : options.idempotencyKey,
});
