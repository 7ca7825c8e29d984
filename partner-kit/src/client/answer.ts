import type { ApiAnswer } from './api.ts';
import type { CallOptions, Settings } from './settings.ts';

/** What every write takes. */
export type WriteOptions = CallOptions & {
  /**
   * A key of your own, which makes the write happen once however often you call: one UUID for each intent, kept beside it.
   * Without it each call has a new one. `null` sends none, and the write is not tried again.
   */
  readonly idempotencyKey?: string | null;
};

/** One record, with what the next request needs to know of it. */
export type Answer<Data> = {
  readonly data: Data;
  /** For `ifMatch`: the version that was read or written. */
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
  /** Whether the service had answered a request with this idempotency key before, and this is that answer. */
  readonly isReplay: boolean;
};

/** What the body is, the document says; the types of this kit are made of it. */
export const answerOf = <Data>({ body, headers, requestId }: ApiAnswer): Answer<Data> => ({
  data: body as Data,
  etag: headers.get('ETag') ?? undefined,
  requestId,
  isReplay: headers.get('Idempotency-Replayed') === 'true',
});

/** The part of a request that its options decide. */
export const callAsk = ({ signal, timeoutMs, attempts }: CallOptions) => ({ signal, timeoutMs, attempts });

/** The same of a write: a key for each call, the same at all its attempts. */
export const writeAsk = (options: WriteOptions, { newKey }: Pick<Settings, 'newKey'>) => ({
  ...callAsk(options),
  idempotencyKey: options.idempotencyKey === undefined ? newKey() : options.idempotencyKey,
});
