import type { Pass, Row, SendingLine, Told } from '../../../functions/shared/events/rows.ts';

/** What the Debounce table says about one transaction. */
export type Notified = {
  /** The highest version of which a partner was or may have been notified; 0 where none was. */
  upTo: number;
  /** The version up to which everybody was notified; undefined before the first event. */
  notifiedVersion?: number;
  /** The transaction as a partner was last notified of it, and when. */
  last?: Told & { atMs: number };
  /** A TransactionCompleted was sent, or is to be. */
  isCompleted: boolean;
};

/** The Debounce table, summed up. */
export type DebounceSummary = {
  byUuid: ReadonlyMap<string, Notified>;
  /** The newest line: the table is of this time or later. */
  toMs: number;
  /** Partners that are owed something, or have a pass. */
  clientIds: ReadonlySet<string>;
  passes: Pass[];
};

const nothing: Notified = { upTo: 0, isCompleted: false };

export const summaryOf = async (items: AsyncIterable<Row | Pass | SendingLine>): Promise<DebounceSummary> => {
  const byUuid = new Map<string, Notified>();
  const clientIds = new Set<string>();
  const passes: Pass[] = [];
  let toMs = 0;
  for await (const item of items) {
    if ('outcomes' in item) toMs = Math.max(toMs, item.atMs);
    if ('clientId' in item) clientIds.add(item.clientId);
    if ('kind' in item && item.kind === 'PASS') passes.push(item);
    else byUuid.set(item.uuid, withItem(byUuid.get(item.uuid) ?? nothing, item));
  }
  return { byUuid, toMs, clientIds, passes };
};

const withItem = (notified: Notified, item: Row | SendingLine): Notified => {
  if ('outcomes' in item) return withSending(notified, item);
  const upTo = Math.max(notified.upTo, item.leasedTo ?? 0);
  if (item.kind === 'COMPLETED') return { ...notified, upTo, isCompleted: true };
  if (item.kind === 'BACKLOG')
    return { ...notified, upTo, isCompleted: notified.isCompleted || item.completed !== undefined };
  const { notifiedVersion } = item;
  return {
    ...notified,
    upTo: Math.max(upTo, notifiedVersion ?? 0),
    ...(notifiedVersion !== undefined && { notifiedVersion }),
  };
};

/** A sending that was withheld from everybody has notified nobody. */
const withSending = (notified: Notified, { outcomes, type, to, told, atMs }: SendingLine): Notified => {
  if (Object.values(outcomes).every((outcome) => outcome.startsWith('W'))) return notified;
  const isNewer = told !== undefined && atMs >= (notified.last?.atMs ?? 0);
  return {
    ...notified,
    upTo: Math.max(notified.upTo, to),
    isCompleted: notified.isCompleted || type === 'TransactionCompleted',
    ...(isNewer && { last: { ...told, atMs } }),
  };
};
