import { createHash, randomInt } from 'node:crypto';
import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { chunksOf } from '../runtime/chunks.ts';
import { batchGet } from '../store/dynamodb/batch-get.ts';
import { consistentGet } from '../store/dynamodb/consistent-get.ts';
import { conditionHeld, failedConditionIn } from '../store/dynamodb/failure.ts';
import { fullJitter, realRetryDelays, withRetries } from '../store/dynamodb/retry.ts';
import type { TableAccess } from '../store/dynamodb/table-access.ts';
import {
  type BacklogRow,
  backlogKey,
  type CompletionMarker,
  type Debt,
  keyOfRow,
  type LogLine,
  merged,
  type Note,
  notifyKey,
  type Pass,
  type PassKey,
  type Row,
  type RowKey,
  type SendingLine,
  type Unwritten,
} from './rows.ts';

/** The Debounce table: rows, passes and the log. A false answer of a write means that somebody else wrote meanwhile. */
export type DebounceTable = {
  /** Schedules the debounce row of a change, if it is not scheduled yet. Any number in any order does no harm (I15). */
  recordChange: (change: { uuid: string; changed: readonly string[]; dueAtMs: number }) => Promise<void>;
  /** What the index knows to be due in a shard, the oldest first. The index may be late. */
  due: (shard: number, nowMs: number, limit: number) => Promise<Due[]>;
  read: (keys: readonly RowKey[]) => Promise<Row[]>;
  /** Writes the row as given, with the next revision, if nobody wrote since. Revision 0: if there is none. */
  save: (row: Row | Pass) => Promise<boolean>;
  /** Writes rows for a pass, all or none. Throws where another worker has the pass meanwhile, or it has ended. */
  saveWithin: (pass: Pass, rows: readonly Row[]) => Promise<boolean>;
  /** Removes the row, if nobody wrote since. */
  remove: (row: Row | Pass) => Promise<boolean>;
  /** Removes a backlog row that was told, if nothing more was owed since. Whoever only looked at it is no hindrance. */
  pay: (row: BacklogRow) => Promise<boolean>;
  /** Writes log lines, and answers those that could not be written after retries. */
  write: (notes: readonly Note[]) => Promise<Note[]>;
  /** All open passes of a partner, in their order. */
  passesOf: (clientId: string) => Promise<Pass[]>;
  backlogOf: (clientId: string, page: Page) => Promise<{ rows: BacklogRow[]; next?: string }>;
  /** A partner's log from an instant on, the oldest line first. */
  linesSince: (clientId: string, sinceMs: number, page: Page) => Promise<{ lines: LogLine[]; next?: string }>;
};

export type Due = { key: RowKey | PassKey; dueAtMs: number };
/** `after` is the `next` of the page before. */
type Page = { limit: number; after?: string | undefined };

const mostTries = 10;

/** Adds a debt to what a partner is owed already. Keeps the lease of who sends it, and refuses that one's removal. */
export const owe = async (
  table: Pick<DebounceTable, 'read' | 'save'>,
  { uuid, clientId, ...debt }: Debt & { uuid: string; clientId: string },
): Promise<void> => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const [row] = (await table.read([backlogKey(uuid, clientId, debt)])) as BacklogRow[];
    if (await table.save(owing(row, { uuid, clientId, ...(debt as Debt) }))) return;
  }
  throw new Error('A backlog row changed at every try');
};

/** The row with one more debt. */
export const owing = (
  row: BacklogRow | undefined,
  { uuid, clientId, ...debt }: Debt & { uuid: string; clientId: string },
): BacklogRow => ({
  ...{ kind: 'BACKLOG', uuid, clientId },
  ...merged(row, debt as Debt),
  ...(row?.leasedUntilMs !== undefined && { leasedUntilMs: row.leasedUntilMs }),
  ...(row?.leasedTo !== undefined && { leasedTo: row.leasedTo }),
  ...(row?.unwritten && { unwritten: row.unwritten }),
  owed: owedByThisWrite,
  revision: row?.revision ?? 0,
});

/** The table puts the revision of the write in its place. */
const owedByThisWrite = 0;

/** Writes lines and debts as far as possible, and answers the rest: one partner's fault holds up no other. */
export const noted = async (
  table: Pick<DebounceTable, 'read' | 'save' | 'write'>,
  uuid: string,
  { notes, debts }: Unwritten,
): Promise<Unwritten | undefined> => {
  const left = notes.length === 0 ? [] : await table.write(notes).catch(() => [...notes]);
  const owed = await Promise.all(
    debts.map((debt) =>
      owe(table, { uuid, ...debt }).then(
        () => [],
        () => [debt],
      ),
    ),
  );
  return left.length + owed.flat().length === 0 ? undefined : { notes: left, debts: owed.flat() };
};

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
/** Parts of the index: first tellings, what is sent again (so that it delays no first event, EV-26), and passes. */
export const shards = { first: range(0, 16), again: range(16, 4), passes: range(20, 4) };

/** The part of the index in which a row is, or a pass. */
export const shardOf = (row: Row | PassKey | { kind: 'NOTIFY' | 'COMPLETED'; uuid: string }): number => {
  const of = (name: string, some: readonly number[]) =>
    some[createHash('sha256').update(name).digest().readUInt32BE() % some.length] as number;
  if (row.kind === 'PASS') return of(row.clientId, shards.passes);
  return of(row.uuid, row.kind === 'BACKLOG' && !row.isFirst ? shards.again : shards.first);
};

const keyOf = (key: RowKey | PassKey) => {
  if (key.kind === 'PASS') return { pk: `PASS#${key.clientId}`, sk: key.id };
  if (key.kind !== 'BACKLOG') return { pk: `TX#${key.uuid}`, sk: key.kind };
  const suffix = key.of === 'TransactionCompleted' ? completedSuffix : '';
  return { pk: `TO#${key.clientId}`, sk: `TX#${key.uuid}${suffix}` };
};
const completedSuffix = '#COMPLETED';

const rowKeyOf = ({ pk, sk }: Record<string, unknown>): RowKey | PassKey => {
  const [of = '', name = ''] = String(pk).split('#');
  if (of === 'PASS') return { kind: 'PASS', clientId: name, id: String(sk) };
  if (of !== 'TO') return { kind: sk as 'NOTIFY' | 'COMPLETED', uuid: name };
  const [, uuid = '', completed] = String(sk).split('#');
  return {
    kind: 'BACKLOG',
    clientId: name,
    uuid,
    of: completed ? 'TransactionCompleted' : 'TransactionUpdated',
  };
};

const keyOfAny = (row: Row | Pass) => keyOf(row.kind === 'PASS' ? row : keyOfRow(row));

const seconds = (ms: number) => Math.floor(ms / 1000);

/** So that a write that was held back since a former row of the same key never fits the present one. */
const newRevision = () => randomInt(2 ** 48 - 1) + 1;

/** The item of a row, at its next revision. */
const itemOf = (row: Row | Pass) => {
  const { expiresAtMs, ...attributes } = row as BacklogRow;
  const revision = row.revision === 0 ? newRevision() : row.revision + 1;
  return {
    ...attributes,
    ...keyOfAny(row),
    revision,
    ...(row.kind === 'BACKLOG' && row.owed === owedByThisWrite && { owed: revision }),
    ...(row.dueAtMs !== undefined && { dueShard: String(shardOf(row)) }),
    ...(expiresAtMs !== undefined && { expiresAt: seconds(expiresAtMs) }),
    ...('changed' in row && { changed: new Set(row.changed) }),
  };
};

/** Only this file writes such items, so their shape is trusted. */
const rowOf = <Some extends Row | Pass>(item: Record<string, unknown>): Some => {
  const { pk: _, sk: _sort, dueShard: _shard, expiresAt, changed, ...row } = item;
  const { of: _of, ...key } = rowKeyOf(item) as Record<string, unknown>;
  return {
    ...row,
    ...key,
    ...(changed !== undefined && { changed: [...(changed as Iterable<string>)] }),
    ...(expiresAt !== undefined && { expiresAtMs: Number(expiresAt) * 1000 }),
  } as unknown as Some;
};

export const logLifetimeMs = 30 * 24 * 60 * 60 * 1000;
const timeText = (ms: number) => String(ms).padStart(14, '0');
/** By partner, sorted by time, then by event; by transaction, sorted by time. */
const noteKey = (note: Note) =>
  'outcomes' in note
    ? { pk: `TX#${note.uuid}`, sk: `LOG#${timeText(note.atMs)}#${note.id}` }
    : { pk: `LOG#${note.clientId}`, sk: `${timeText(note.atMs)}#${note.eventId}#${note.outcome}` };

/** Puts the marker of a completion, as a part of the transaction that completes it (I8). */
export const putMarker = (TableName: string, marker: CompletionMarker) => ({
  TableName,
  Item: itemOf(marker),
});

/** Deletes the debounce row, as a part of the transaction that removes an empty checkout (V1-8). */
export const deleteNotify = (TableName: string, uuid: string) => ({ TableName, Key: keyOf(notifyKey(uuid)) });

/** Puts a pass, as a part of the transaction that causes it. */
export const putPass = (TableName: string, pass: Pass) => ({ TableName, Item: itemOf(pass) });

/** Checks that nothing of a partner is being withheld, as a part of a transaction that begins to send. */
export const noWithhold = (TableName: string, clientId: string) => ({
  TableName,
  Key: keyOf({ kind: 'PASS', clientId, id: 'withhold' }),
  ConditionExpression: 'attribute_not_exists(pk)',
});

/** An index that does not answer in this time delays the other parts no longer (EV-19). */
const dueTimeoutMs = 1_500;
/** Lines in one BatchWriteItem. */
const linesAtOnce = 25;
const writeTries = 5;

/** The only file with statements of the Debounce table. */
export const createDebounceTable = (access: TableAccess<'debounceTable'>): DebounceTable => {
  const { documents, debounceTable: TableName, retryDelays } = access;
  const isAsRead = (revision: number) => ({
    ConditionExpression: 'revision = :revision OR (:revision = :none AND attribute_not_exists(pk))',
    ExpressionAttributeValues: { ':revision': revision, ':none': 0 },
  });
  const page = async (pk: string, from: string, { limit, after }: Page) => {
    const request = new QueryCommand({
      TableName,
      Limit: limit,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': pk, ':after': after ?? from },
    });
    const { Items = [], LastEvaluatedKey } = await withRetries(() => documents.send(request), retryDelays);
    return { items: Items, ...(LastEvaluatedKey && { next: String(LastEvaluatedKey.sk) }) };
  };
  /** Answers what the table left out. */
  const writeOnce = async (notes: readonly Note[]): Promise<Note[]> => {
    const puts = notes.map((note) => ({
      PutRequest: { Item: { ...note, ...noteKey(note), expiresAt: seconds(note.atMs + logLifetimeMs) } },
    }));
    const request = new BatchWriteCommand({ RequestItems: { [TableName]: puts } });
    const { UnprocessedItems } = await documents.send(request);
    const textOfKey = ({ pk, sk }: Record<string, unknown> = {}) => JSON.stringify([pk, sk]);
    const left = (UnprocessedItems?.[TableName] ?? []).map(({ PutRequest }) => textOfKey(PutRequest?.Item));
    return notes.filter((note) => left.includes(textOfKey(noteKey(note))));
  };
  return {
    recordChange: async ({ uuid, changed, dueAtMs }) => {
      const key = { kind: 'NOTIFY', uuid } as const;
      const names = changed.length > 0;
      const request = new UpdateCommand({
        TableName,
        Key: keyOf(key),
        UpdateExpression: `SET dueAtMs = if_not_exists(dueAtMs, :due), dueShard = :shard, kind = :kind, revision = if_not_exists(revision, :random) + :one${names ? ' ADD changed :changed' : ''}`,
        ExpressionAttributeValues: {
          ':due': dueAtMs,
          ':shard': String(shardOf(key)),
          ':kind': key.kind,
          ':one': 1,
          ':random': newRevision(),
          ...(names && { ':changed': new Set(changed) }),
        },
      });
      await withRetries(() => documents.send(request), retryDelays);
    },
    due: async (shard, nowMs, limit) => {
      const request = new QueryCommand({
        TableName,
        IndexName: 'due',
        Limit: limit,
        KeyConditionExpression: 'dueShard = :shard AND dueAtMs <= :now',
        ExpressionAttributeValues: { ':shard': String(shard), ':now': nowMs },
      });
      const abortSignal = AbortSignal.timeout(dueTimeoutMs);
      const { Items = [] } = await withRetries(() => documents.send(request, { abortSignal }), retryDelays);
      return Items.map((item) => ({ key: rowKeyOf(item), dueAtMs: Number(item.dueAtMs) }));
    },
    read: async (keys) =>
      (await batchGet(access, { table: TableName, keys: keys.map(keyOf) })).map((item) => rowOf<Row>(item)),
    save: (row) => {
      const request = new PutCommand({ TableName, Item: itemOf(row), ...isAsRead(row.revision) });
      return conditionHeld(withRetries(() => documents.send(request), retryDelays));
    },
    saveWithin: async (pass, rows) => {
      const isLeased = {
        TableName,
        Key: keyOf(pass),
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ':revision': pass.revision },
      };
      const puts = rows.map((row) => ({
        Put: { TableName, Item: itemOf(row), ...isAsRead(row.revision) },
      }));
      const request = new TransactWriteCommand({ TransactItems: [{ ConditionCheck: isLeased }, ...puts] });
      const failed = await failedConditionIn(withRetries(() => documents.send(request), retryDelays));
      if (failed === 0) throw new Error('The pass has ended, or another worker has it');
      return failed === undefined;
    },
    remove: (row) => {
      const request = new DeleteCommand({ TableName, Key: keyOfAny(row), ...isAsRead(row.revision) });
      return conditionHeld(withRetries(() => documents.send(request), retryDelays));
    },
    pay: (row) => {
      const request = new DeleteCommand({
        TableName,
        Key: keyOfAny(row),
        ConditionExpression: 'owed = :owed',
        ExpressionAttributeValues: { ':owed': row.owed },
      });
      return conditionHeld(withRetries(() => documents.send(request), retryDelays));
    },
    write: async (notes) => {
      const unwritten: Note[] = [];
      for (let left of chunksOf(notes, linesAtOnce))
        for (let tries = 1; left.length > 0; tries += 1) {
          left = await writeOnce(left).catch(() => left);
          if (left.length > 0 && tries === writeTries) {
            unwritten.push(...left);
            break;
          }
          if (left.length > 0) await (retryDelays ?? realRetryDelays).sleep(fullJitter(tries, Math.random));
        }
      return unwritten;
    },
    passesOf: async (clientId) => {
      const { items } = await page(`PASS#${clientId}`, ' ', { limit: 100 });
      return items.map((item) => rowOf<Pass>(item));
    },
    backlogOf: async (clientId, asked) => {
      const { items, ...more } = await page(`TO#${clientId}`, 'TX#', asked);
      return { rows: items.map((item) => rowOf<BacklogRow>(item)), ...more };
    },
    linesSince: async (clientId, sinceMs, asked) => {
      const { items, ...more } = await page(`LOG#${clientId}`, timeText(sinceMs), asked);
      return { lines: items as LogLine[], ...more };
    },
  };
};

/** How far the daily run of `reconcile` has come: it goes on from there. */
export type ReconciledPlace = {
  read: () => Promise<number | undefined>;
  save: (untilMs: number) => Promise<void>;
};

const placeKey = { pk: 'RECONCILED', sk: 'UNTIL' };

export const createReconciledPlace = ({
  documents,
  debounceTable: TableName,
  retryDelays,
}: TableAccess<'debounceTable'>): ReconciledPlace => ({
  read: async () => {
    const { Item } = await withRetries(() => documents.send(consistentGet(TableName, placeKey)), retryDelays);
    return Item && Number(Item.untilMs);
  },
  save: async (untilMs) => {
    const request = new PutCommand({ TableName, Item: { ...placeKey, untilMs } });
    await withRetries(() => documents.send(request), retryDelays);
  },
});

/** An item of the table, read in a scan; undefined for a line by partner. */
export const rowIn = (item: Record<string, unknown>): Row | Pass | SendingLine | undefined => {
  if (String(item.pk).startsWith('LOG#')) return undefined;
  return 'outcomes' in item ? (item as SendingLine) : rowOf<Row | Pass>(item);
};

/** The place of a line, as `before` of a span that goes on behind it. */
export const placeOf = (note: Note): string => noteKey(note).sk;

/** A part of what was sent, newest first. `before` is the `next` of the page before. */
type Span = { sinceMs?: number; untilMs?: number; limit: number; before?: string };

/** What was sent, for people: to a partner, or of a transaction. */
export type SentLog = {
  linesOf: (clientId: string, span: Span) => Promise<{ lines: LogLine[]; next?: string }>;
  sendingsOf: (uuid: string, span: Span) => Promise<{ lines: SendingLine[]; next?: string }>;
};

export const createSentLog = ({
  documents,
  debounceTable: TableName,
  retryDelays,
}: TableAccess<'debounceTable'>): SentLog => {
  const page = async <Line>(pk: string, prefix: string, { sinceMs = 0, untilMs, limit, before }: Span) => {
    const request = new QueryCommand({
      ...{ TableName, Limit: limit, ConsistentRead: true, ScanIndexForward: false },
      // Not BETWEEN and a start key: DynamoDB refuses a start before the first time, where a page of long ago goes on.
      KeyConditionExpression: 'pk = :pk AND sk < :before',
      ExpressionAttributeValues: {
        ':pk': pk,
        // A colon comes after all digits.
        ':before': before ?? `${prefix}${untilMs === undefined ? ':' : timeText(untilMs)}`,
      },
    });
    const { Items = [], LastEvaluatedKey } = await withRetries(() => documents.send(request), retryDelays);
    const isMeant = (sk: unknown) =>
      String(sk).startsWith(prefix) && String(sk) >= `${prefix}${timeText(sinceMs)}`;
    const isMore = LastEvaluatedKey !== undefined && isMeant(LastEvaluatedKey.sk);
    return {
      lines: Items.filter(({ sk }) => isMeant(sk)) as Line[],
      ...(isMore && { next: String(LastEvaluatedKey.sk) }),
    };
  };
  return {
    linesOf: (clientId, span) => page<LogLine>(`LOG#${clientId}`, '', span),
    sendingsOf: (uuid, span) => page<SendingLine>(`TX#${uuid}`, 'LOG#', span),
  };
};
