import {
  type BacklogRow,
  type CompletionMarker,
  keyOfRow,
  type LogLine,
  type Note,
  type Pass,
  type PassKey,
  type Row,
  type RowKey,
  type SendingLine,
  textOf,
} from '../../../functions/shared/events/rows.ts';
import { type DebounceTable, shardOf } from '../../../functions/shared/events/table.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';

export type MemoryDebounceTable = DebounceTable & {
  /** Puts a marker or a pass as a part of another write. */
  leave: (row: CompletionMarker | Pass) => void;
  rowsOf: (uuid: string) => Row[];
  passes: () => Pass[];
  lines: LogLine[];
  sendings: SendingLine[];
};

/** What the table has no capacity for now. */
export type IsThrottled = (pk: string) => boolean;
const keyOf = (row: Row | Pass) => (row.kind === 'PASS' ? row : keyOfRow(row));
const pkOf = (key: RowKey | PassKey | Row | Note) => {
  if ('outcomes' in key) return `TX#${key.uuid}`;
  if (!('kind' in key)) return `LOG#${key.clientId}`;
  if (key.kind === 'PASS') return `PASS#${key.clientId}`;
  return key.kind === 'BACKLOG' ? `TO#${key.clientId}` : `TX#${key.uuid}`;
};

const refused = () => Object.assign(new Error('throttled'), { name: 'ThrottlingException' });

/** The Debounce table over a map, with the same conditions. */
export const createMemoryDebounceTable = (
  clock: Clock,
  isThrottled: IsThrottled = () => false,
): MemoryDebounceTable => {
  const rows = new Map<string, Row | Pass>();
  const lines = new Map<string, LogLine>();
  const sendings = new Map<string, SendingLine>();
  let made = 0;
  /** Far apart and never the same again, as random ones are. */
  const newRevision = () => {
    made += 1;
    return made * 1_000_003;
  };
  const isGone = (row: Row | Pass) =>
    'expiresAtMs' in row && row.expiresAtMs !== undefined && row.expiresAtMs <= clock().getTime();
  const find = (key: RowKey | PassKey | Row): Row | Pass | undefined => {
    const row = rows.get(textOf(key));
    return row && !isGone(row) ? row : undefined;
  };
  const put = (row: Row | Pass) => {
    const revision = row.revision === 0 ? newRevision() : row.revision + 1;
    const stored = { ...structuredClone(row), revision };
    if (stored.kind === 'BACKLOG' && stored.owed === 0) stored.owed = revision;
    if (stored.kind === 'BACKLOG' && stored.expiresAtMs !== undefined)
      stored.expiresAtMs = Math.floor(stored.expiresAtMs / 1_000) * 1_000;
    rows.set(textOf(row), stored);
    return true;
  };
  const isAsRead = (row: Row | Pass) => (find(row)?.revision ?? 0) === row.revision;
  const check = (key: RowKey | PassKey | Row) => {
    if (isThrottled(pkOf(key))) throw refused();
  };
  const ofBacklog = (clientId: string) =>
    [...rows.values()].filter(
      (row): row is BacklogRow => row.kind === 'BACKLOG' && row.clientId === clientId && !isGone(row),
    );
  return {
    get lines() {
      return [...lines.values()];
    },
    get sendings() {
      return [...sendings.values()];
    },
    leave: (row) => void put({ ...row, revision: 0 }),
    rowsOf: (uuid) =>
      structuredClone([...rows.values()].filter((row) => row.kind !== 'PASS' && row.uuid === uuid)) as Row[],
    passes: () => structuredClone([...rows.values()].filter((row) => row.kind === 'PASS')),
    recordChange: async ({ uuid, changed, dueAtMs }) => {
      const row = find({ kind: 'NOTIFY', uuid }) ?? { kind: 'NOTIFY', uuid, revision: newRevision() };
      const names = [...new Set([...('changed' in row ? (row.changed ?? []) : []), ...changed])];
      put({ ...row, dueAtMs: row.dueAtMs ?? dueAtMs, ...(names.length > 0 && { changed: names }) } as Row);
    },
    due: async (shard, nowMs, limit) =>
      [...rows.values()]
        .flatMap((row) =>
          row.dueAtMs !== undefined && row.dueAtMs <= nowMs && shardOf(row) === shard
            ? { key: keyOf(row), dueAtMs: row.dueAtMs }
            : [],
        )
        .sort((one, other) => one.dueAtMs - other.dueAtMs)
        .slice(0, limit),
    read: async (keys) => structuredClone(keys.flatMap((key) => find(key) ?? [])) as Row[],
    save: async (row) => {
      check(row);
      return isAsRead(row) && put(row);
    },
    saveWithin: async (pass, some) => {
      for (const row of some) check(row);
      if (find(pass)?.revision !== pass.revision)
        throw new Error('The pass has ended, or another worker has it');
      return some.every(isAsRead) && some.map(put).length > 0;
    },
    remove: async (row) => {
      check(row);
      return isAsRead(row) && rows.delete(textOf(row));
    },
    pay: async (row) => {
      check(row);
      const now = find(row);
      return now?.kind === 'BACKLOG' && now.owed === row.owed && rows.delete(textOf(row));
    },
    write: async (notes) => {
      const left = notes.filter((note) => isThrottled(pkOf(note)));
      for (const note of structuredClone(notes.filter((one) => !left.includes(one))))
        if ('outcomes' in note) sendings.set(`${note.uuid}/${note.atMs}/${note.id}`, note);
        else lines.set(lineText(note), note);
      return left;
    },
    passesOf: async (clientId) =>
      structuredClone(
        [...rows.values()].filter((row): row is Pass => row.kind === 'PASS' && row.clientId === clientId),
      ).sort((one, other) => (one.id < other.id ? -1 : 1)),
    backlogOf: async (clientId, { limit, after = '' }) =>
      pageOf(ofBacklog(clientId), sortKeyOf, { limit, after }, 'rows'),
    linesSince: async (clientId, sinceMs, { limit, after = String(sinceMs).padStart(14, '0') }) =>
      pageOf(
        [...lines.values()].filter((one) => one.clientId === clientId),
        lineText,
        { limit, after },
        'lines',
      ),
  };
};

/** The update comes before the completion. */
const sortKeyOf = ({ uuid, completed }: BacklogRow) =>
  completed === undefined ? `TX#${uuid}` : `TX#${uuid}#COMPLETED`;

const lineText = ({ atMs, eventId, outcome, clientId }: LogLine) =>
  `${String(atMs).padStart(14, '0')}#${eventId}#${outcome}#${clientId}`;

/** A full page has a next one, as in DynamoDB, even if nothing is in it. */
const pageOf = <One, Name extends string>(
  all: readonly One[],
  keyOf: (one: One) => string,
  { limit, after }: { limit: number; after: string },
  name: Name,
) => {
  const sorted = all
    .filter((one) => keyOf(one) > after)
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const page = structuredClone(sorted.slice(0, limit));
  const last = page.at(-1);
  return { [name]: page, ...(page.length === limit && last && { next: keyOf(last) }) } as {
    [key in Name]: One[];
  } & { next?: string };
};
