import { type Outcome, refuse, succeed } from '../../functions/shared/domain/outcome.ts';

/** What a receiver goes by in a webhook message (interface 6.2); all other properties may be disregarded. */
export type WebhookMessage = {
  /** Ours for good: the same event sent again has the same id. */
  id: string;
  type: string;
  source: string;
  /** Absent in messages that have no transaction, such as `WebhookTest`. */
  uuid?: string;
  /** Whether it says that the transaction is deleted; then it brings no elements (EV-11). */
  isDeleted: boolean;
  /** The elements that it brings; null (`[]` for payments) is one that was removed. */
  elements: ReadonlyMap<string, unknown>;
};

/** What the request's headers say about the message. */
export type WebhookHeaders = {
  /** The versions that it covers: after `from`, up to and including `to`. */
  range?: VersionRange;
  /** Elements that were too large to be sent: the API has them. */
  omitted: string[];
};
export type VersionRange = { from: number; to: number };

/** The first three are in every `detail`, whatever changed (interface 6.3). */
const ownNames = ['ndMeta', 'uuid', 'status', 'isDeleted'];

export const readMessage = (text: string): Outcome<WebhookMessage, 'not-json' | 'not-a-message'> => {
  const message = parse(text);
  if (message === undefined) return refuse('not-json');
  const { id, 'detail-type': type, source, detail } = membersOf(message);
  if (typeof id !== 'string' || typeof type !== 'string' || typeof source !== 'string')
    return refuse('not-a-message');
  const { uuid, isDeleted } = membersOf(detail);
  if (isOfTransaction(type) && typeof uuid !== 'string') return refuse('not-a-message');
  const elements = new Map(Object.entries(membersOf(detail)).filter(([name]) => !ownNames.includes(name)));
  const read = { id, type, source, elements, isDeleted: isDeleted === 1 };
  return succeed({ ...read, ...(typeof uuid === 'string' && { uuid }) });
};

/** The types of interface 6.1; others may come one day, and a receiver lets them pass. */
export const isOfTransaction = (type: string): boolean =>
  type === 'TransactionUpdated' || type === 'TransactionCompleted';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

type Headers = Record<string, string | string[] | undefined>;

export const readHeaders = (headers: Headers): WebhookHeaders => {
  const from = versionIn(headers['x-transaction-from-version']);
  const to = versionIn(headers['x-transaction-version']);
  const omitted = String(headers['x-transaction-omitted'] ?? '');
  return {
    ...(from !== undefined && to !== undefined && { range: { from, to } }),
    omitted: omitted.split(',').filter((name) => name !== ''),
  };
};

const versionIn = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
