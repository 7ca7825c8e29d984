import type { TransactionCompleted, TransactionUpdated } from '../types.ts';

/** The versions that an event covers: after `from`, up to and including `to`. */
export type VersionRange = { readonly from: number; readonly to: number };

/** A message that says what it must. */
export type ReadMessage = {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  /** Absent in messages that have no transaction. */
  readonly uuid: string | undefined;
  readonly isDeletion: boolean;
  /** The parts of the transaction that it brings, by name. */
  readonly parts: readonly string[];
  readonly message: TransactionUpdated | TransactionCompleted;
};

export type MessageFault = 'not-json' | 'not-a-message';

/** Reads a body; all that the receiver goes by is judged, and nothing else. */
export const readMessage = (body: unknown): ReadMessage | MessageFault => {
  const message = typeof body === 'string' ? parsed(body) : body;
  if (message === undefined) return 'not-json';
  const { id, 'detail-type': type, source, detail } = membersOf(message);
  if (!isText(id) || !isText(type) || !isText(source)) return 'not-a-message';
  const { uuid, isDeleted } = membersOf(detail);
  if (hasTransaction(type) && !isText(uuid)) return 'not-a-message';
  return {
    ...{ id, type, source, uuid: isText(uuid) ? uuid : undefined, isDeletion: isDeleted === 1 },
    parts: Object.keys(membersOf(detail)).filter((name) => name !== 'uuid'),
    message: message as TransactionUpdated,
  };
};

/** Others may come one day: a receiver lets them pass. */
export const hasTransaction = (type: string): boolean =>
  type === 'TransactionUpdated' || type === 'TransactionCompleted';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** The range that the headers say; undefined where they say none. */
export const rangeIn = (header: (name: string) => string | undefined): VersionRange | undefined => {
  const from = versionIn(header('x-transaction-from-version'));
  const to = versionIn(header('x-transaction-version'));
  return from === undefined || to === undefined ? undefined : { from, to };
};

const versionIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** Elements that were too large to be sent. */
export const omittedIn = (header: (name: string) => string | undefined): readonly string[] =>
  (header('x-transaction-omitted') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
