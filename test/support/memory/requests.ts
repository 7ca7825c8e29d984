import { refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import {
  type IdempotencyRecord,
  isInForce,
  type RequestStore,
  recordLifetimeMs,
} from '../../../functions/shared/store/requests/request-store.ts';

/** What the stand-in for transactions asks, in one step with its change. */
export type MemoryRequests = RequestStore & {
  /** Whether a record of this id is still in force at the time this one is made. */
  holds: (record: IdempotencyRecord) => boolean;
  put: (record: IdempotencyRecord) => void;
};

/** Idempotency records over a map: a stand-in for tests. */
export const createMemoryRequests = (): MemoryRequests => {
  const byId = new Map<string, IdempotencyRecord>();

  const inForce = (id: string, nowMs: number) => {
    const record = byId.get(id);
    return record && isInForce(record, nowMs) ? structuredClone(record) : undefined;
  };
  const put = (record: IdempotencyRecord) => {
    byId.set(record.id, structuredClone(record));
  };

  return {
    holds: ({ id, expiresAtMs }) => inForce(id, expiresAtMs - recordLifetimeMs) !== undefined,
    put,
    find: async (id, now) => inForce(id, now.getTime()),
    remember: async (record, now) => {
      if (inForce(record.id, now.getTime())) return refuse('key-used');
      put(record);
      return succeed(undefined);
    },
  };
};
