import type { Cause, Tell } from '../feed/happening.ts';
import type { FunctionPool, InvocationOutcome } from './function-pool.ts';

/**
 * The pool, with each of its calls told when it begins and when it ends; `usual` is the cause of a call whose event shows
 * none.
 */
export const withToldCalls = (
  pool: FunctionPool,
  tell: Tell,
  usual: Cause = { by: 'schedule' },
): FunctionPool => ({
  ...pool,
  invoke: async (event, requestId) => {
    const call = { function: pool.name, cause: causeOf(event) ?? usual };
    tell({ kind: 'called', ...call });
    const startedMs = performance.now();
    const outcome = await pool.invoke(event, requestId);
    tell({ kind: 'returned', ...call, tookMs: Math.round(performance.now() - startedMs), ...endOf(outcome) });
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

/** What called, as the event itself shows it. */
const causeOf = (event: unknown): Cause | undefined => {
  const { httpMethod, path = '', Records = [] } = (event ?? {}) as CallingEvent;
  if (httpMethod !== undefined) return { by: 'request', method: httpMethod, path };
  const records = Records.length;
  if (records === 0) return undefined;
  return Records[0]?.eventSource === 'aws:dynamodb'
    ? { by: 'stream', records, uuids: [...new Set(Records.flatMap(uuidOf))] }
    : { by: 'queue', records };
};

/** Of what is no silent change (EV-10): an import makes hundreds. */
const uuidOf = ({ dynamodb }: CallingRecord): string[] => {
  const uuid = dynamodb?.Keys?.uuid?.S;
  const { version, notifyFromVersion } = dynamodb?.NewImage ?? {};
  const isSilent = Number(version?.N) < Number(notifyFromVersion?.N);
  return uuid === undefined || isSilent ? [] : [uuid];
};

/** The status of an answer to a request, where there is one. */
const endOf = (outcome: InvocationOutcome): { failed: string } | { status: number } | object => {
  if (!outcome.ok) return { failed: outcome.reason };
  const status = (JSON.parse(outcome.value) as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? { status } : {};
};
