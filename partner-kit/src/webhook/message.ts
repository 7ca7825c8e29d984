import { hasTransaction } from '../event-types.ts';
import type { TransactionCompleted, TransactionUpdated } from '../types.ts';

/** The versions that an event covers: after `from`, up to and including `to`. */
export type VersionRange = { readonly from: number; readonly to: number };

/** A valid message. */
export type ReadMessage = {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  /** When it was published. Empty if the message does not say. */
  readonly time: string;
  /** Absent in messages without a transaction. */
  readonly uuid: string | undefined;
  readonly isDeletion: boolean;
  /** The parts of the transaction in it, by name. */
  readonly parts: readonly string[];
  /** The names of its elements, for a log: `customer`, `extras removed`. For a deletion, `deleted` alone. */
  readonly changed: readonly string[];
  readonly message: TransactionUpdated | TransactionCompleted;
};

/** The values of a message's headers. */
export type Versions = {
  readonly range: VersionRange | undefined;
  /** Elements that were too large to send. */
  readonly omitted: readonly string[];
};

export type MessageFault = 'not-json' | 'not-a-message';

/** Parses a body. Checks what the receiver uses, and nothing else. */
export const readMessage = (body: unknown): ReadMessage | MessageFault => {
  const message = typeof body === 'string' ? parsed(body) : body;
  if (message === undefined) return 'not-json';
  const { id, 'detail-type': type, source, time, detail } = membersOf(message);
  if (!isText(id) || !isText(type) || !isText(source)) return 'not-a-message';
  const members = membersOf(detail);
  const { uuid, isDeleted } = members;
  if (hasTransaction(type) && !isText(uuid)) return 'not-a-message';
  const isDeletion = isDeleted === 1;
  return {
    ...{ id, type, source, uuid: isText(uuid) ? uuid : undefined, isDeletion },
    time: isText(time) ? time : '',
    parts: Object.keys(members).filter((name) => name !== 'uuid'),
    changed: isDeletion ? ['deleted'] : changedIn(members),
    message: message as TransactionUpdated,
  };
};

/** Every `detail` has these, whatever changed. */
const always = ['uuid', 'status', 'ndMeta'];

const changedIn = (detail: Record<string, unknown>): readonly string[] =>
  Object.entries(detail)
    .filter(([name]) => !always.includes(name))
    .map(([name, value]) => (isRemoved(value) ? `${name} removed` : name));

const isRemoved = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

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

export const versionsIn = (header: (name: string) => string | undefined): Versions => {
  const from = versionIn(header('x-transaction-from-version'));
  const to = versionIn(header('x-transaction-version'));
  const omitted = (header('x-transaction-omitted') ?? '').split(',').map((name) => name.trim());
  return {
    range: from === undefined || to === undefined ? undefined : { from, to },
    omitted: omitted.filter((name) => name !== ''),
  };
};

const versionIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
