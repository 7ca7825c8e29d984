import type { Cause, Emit } from '../feed/happening.ts';
import type { FunctionPool, InvocationOutcome } from './function-pool.ts';

/**
 * A pool that reports the beginning and end of each call to the console. `usual` is the cause of a call whose event does not
 * show it.
 */
export const withReportedCalls = (
  pool: FunctionPool,
  emit: Emit,
  usual: Cause = { by: 'schedule' },
): FunctionPool => ({
  ...pool,
  invoke: async (event, requestId) => {
    const call = { function: pool.name, cause: causeOf(event) ?? usual };
    emit({ kind: 'called', ...call });
    const startedMs = performance.now();
    const outcome = await pool.invoke(event, requestId);
    emit({ kind: 'returned', ...call, tookMs: Math.round(performance.now() - startedMs), ...endOf(outcome) });
    return outcome;
  },
});

type CallingEvent = {
  httpMethod?: string;
  path?: string;
  Records?: CallingRecord[];
};
type CallingRecord = {
  eventSource?: string;
  dynamodb?: { Keys?: { uuid?: { S?: string } }; NewImage?: Record<string, { N?: string }> };
};

/** The cause of a call, where its event shows it. */
const causeOf = (event: unknown): Cause | undefined => {
  const { httpMethod, path = '', Records = [] } = (event ?? {}) as CallingEvent;
  if (httpMethod !== undefined) return { by: 'request', method: httpMethod, path };
  const records = Records.length;
  if (records === 0) return undefined;
  return Records[0]?.eventSource === 'aws:dynamodb'
    ? { by: 'stream', records, uuids: [...new Set(Records.flatMap(uuidOf))] }
    : { by: 'queue', records };
};

/** The uuid of a transaction, except below its `notifyFromVersion` (EV-10): an import changes hundreds. */
const uuidOf = ({ dynamodb }: CallingRecord): string[] => {
  const uuid = dynamodb?.Keys?.uuid?.S;
  const { version, notifyFromVersion } = dynamodb?.NewImage ?? {};
  const isNotified = !(Number(version?.N) < Number(notifyFromVersion?.N));
  return uuid !== undefined && isNotified ? [uuid] : [];
};

/** The failure of a call, or the status of an answer to a request. */
const endOf = (outcome: InvocationOutcome): { failed: string } | { status: number } | object => {
  if (!outcome.ok) return { failed: outcome.reason };
  const status = (JSON.parse(outcome.value) as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? { status } : {};
};
