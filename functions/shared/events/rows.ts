import { type EventType, isDeletedAfter, type VersionRange } from '../domain/event/event.ts';
import type { EventSettings } from '../domain/event/timing.ts';
import type { StoredTransaction, Transaction } from '../domain/transaction/transaction.ts';
import { chunksOf } from '../runtime/chunks.ts';

/** What every row of the Debounce table has that may be due. Times are epoch milliseconds. */
type Common = {
  uuid: string;
  /** When a sender looks at it next; absent while there is nothing to do. */
  dueAtMs?: number;
  /** One sender has it until then. It stays where that sender died, and the row comes back. */
  leasedUntilMs?: number;
  /** The version that the sender with the lease tells. */
  leasedTo?: number;
  /** Random at first, +1 with every write, also by the stream: the condition of every other write. 0: not written yet. */
  revision: number;
  /** Log lines and debts that their partitions did not take when it was sent. The next look writes them first. */
  unwritten?: Unwritten;
  /** Nothing is left to send: the row stays for what is unwritten. Not of a debounce row. */
  isTold?: true;
};

export type Unwritten = { notes: Note[]; debts: (Debt & { clientId: string })[] };

/** Up to which version everybody was told of a transaction. Scheduled by the stream, by the reconciler and by its sender. */
export type DebounceRow = Common & {
  kind: 'NOTIFY';
  /** Absent before the first event. Then the transaction's `notifyFromVersion` decides (EV-10). */
  notifiedVersion?: number;
  /** When the bus had answered for the last event. */
  lastSentAtMs?: number;
  /** A sender died, or had no answer: what it sent before the first event that is known may have arrived (EV-11). */
  mayBeTold?: true;
  /** For people: the parts that the stream saw change since the last event. */
  changed?: string[];
};

/** A completion that nobody was told of yet. Put by the payment's own write, and removed by its sender. */
export type CompletionMarker = Common & { kind: 'COMPLETED'; version: number };

/**
 * One partner is behind the others for one transaction, with an update or with a completion. Removed when it is told.
 * What is owed in between keeps the row: who has told it asks that nothing more is owed than it read.
 */
export type BacklogRow = Common &
  Debt & {
    kind: 'BACKLOG';
    clientId: string;
    /** The revision that owed something last, so that it is renewed by every debt and never the same again. */
    owed: number;
  };

/** What a partner has not been told: updates after `from`, or the completion of the version `completed`. */
export type Debt = Owing & {
  reason: BacklogReason;
  /** How many sendings have failed for this reason, one after the other. */
  tries: number;
  /** A first telling that failed: it is sent beside first events, not behind what is sent again (EV-26). */
  isFirst?: true;
  dueAtMs?: number;
  /** Only of a row that nothing sends by itself any more: it was given up. */
  expiresAtMs?: number;
};

export type Owing = { from: number; completed?: never } | { completed: number; from?: never };

/** What is owed of an event that was not told. */
export const owingOf = (type: EventType, { from, to }: VersionRange): Owing =>
  type === 'TransactionUpdated' ? { from } : { completed: to };

/**
 * Why a partner is behind, and who tells it.
 * - PAUSED, NOT_READY: looked at once more, then made due by the pass of the resume, or of the endpoint that is on.
 * - REPLAY: made due by the pass of the replay when all is owed.
 * - REMOVED: made due by the pass of a removal; the sender ends it as withheld.
 * - UNCONFIRMED, REFUSED_BY_BUS, TARGET_REMOVED: due by themselves.
 * - the code of a dead letter (`HTTP_404`, `DNS` …): due after the pauses of `failures.ts`, or given up.
 */
type BacklogReason = string;

/** They wait for somebody who looks for them, so they keep their reason and never expire, whatever is owed meanwhile. */
const awaiting: readonly BacklogReason[] = ['PAUSED', 'NOT_READY', 'REPLAY', 'REMOVED'];

/** A walk over one partner's rows or log. Due until it has ended, so that any worker goes on with it. */
export type Pass = Omit<Common, 'uuid' | 'unwritten' | 'isTold' | 'leasedTo'> & {
  kind: 'PASS';
  clientId: string;
  /** Its time and a random part, so that passes are in order; or `withhold`, which there is once. */
  id: string;
  /** `wake` makes rows due, `replay` owes lines of the log, `withhold` ends all rows without sending them. */
  does: 'wake' | 'replay' | 'withhold';
  /** Of a wake: given-up rows alone, or rows alone that wait without an expiry. Absent: every row. */
  only?: 'GIVEN_UP' | 'WAITING';
  /** Of a replay: the lines that it owes. */
  sinceMs?: number;
  untilMs?: number;
  type?: string;
  transaction?: string;
  /** How far it has come. */
  after?: string;
  /** Of a replay: everything is owed, and is made due now. */
  isOwed?: boolean;
  /** Of a withhold: this walk has found a row, so another walk follows. */
  hasFound?: boolean;
};

export type Row = DebounceRow | CompletionMarker | BacklogRow;
export type PassKey = Pick<Pass, 'kind' | 'clientId' | 'id'>;
export type RowKey =
  | { kind: 'NOTIFY' | 'COMPLETED'; uuid: string }
  | { kind: 'BACKLOG'; uuid: string; clientId: string; of: EventType };

/** The key of a transaction's debounce row. */
export const notifyKey = (uuid: string) => ({ uuid, kind: 'NOTIFY' }) as const;

/** The key of the row in which a partner is owed this. */
export const backlogKey = (uuid: string, clientId: string, { completed }: Partial<Owing>) =>
  ({
    kind: 'BACKLOG',
    uuid,
    clientId,
    of: completed === undefined ? 'TransactionUpdated' : 'TransactionCompleted',
  }) as const;

export const keyOfRow = (row: Row): RowKey =>
  row.kind === 'BACKLOG' ? backlogKey(row.uuid, row.clientId, row) : { kind: row.kind, uuid: row.uuid };

/** A key as a text, for maps. */
export const textOf = (one: RowKey | PassKey | Row | Pass): string => {
  if (one.kind === 'PASS') return `${one.clientId}/${one.id}`;
  if (one.kind !== 'BACKLOG') return `${one.uuid}/${one.kind}`;
  const of = 'of' in one ? one.of : backlogKey(one.uuid, one.clientId, one).of;
  return `${one.uuid}/${one.clientId}/${of}`;
};

export const isDue = (
  { dueAtMs, leasedUntilMs = 0 }: Pick<Common, 'dueAtMs' | 'leasedUntilMs'>,
  nowMs: number,
) => dueAtMs !== undefined && dueAtMs <= nowMs && leasedUntilMs <= nowMs;

/** Without a time, so that nobody looks at it, and without a lease. */
export const atRest = <Some extends Row | Pass>(row: Some): Some => {
  const rest: Row | Pass = { ...row };
  delete rest.dueAtMs;
  delete rest.leasedUntilMs;
  if (rest.kind !== 'PASS') delete rest.leasedTo;
  return rest as Some;
};

/** Both debts as one: the earlier version, the earlier time. What is due or waits never expires (I12). */
export const merged = (row: BacklogRow | undefined, debt: Debt): Debt => {
  const { dueAtMs: debtDueAtMs, expiresAtMs, isFirst, ...more } = debt;
  const former = row?.isTold ? undefined : row;
  const waits = former !== undefined && awaiting.includes(former.reason);
  // A pass looks for it, so one more debt that waits for the same makes nobody look earlier.
  const sleeps = waits && former.dueAtMs === undefined && awaiting.includes(debt.reason);
  const dueAtMs = sleeps ? undefined : least(former?.dueAtMs, debtDueAtMs);
  return {
    ...more,
    ...(debt.from !== undefined && { from: Math.min(debt.from, former?.from ?? debt.from) }),
    ...(waits && { reason: former.reason, tries: former.tries }),
    ...((isFirst || former?.isFirst) && { isFirst: true }),
    ...(dueAtMs !== undefined && { dueAtMs }),
    ...(dueAtMs === undefined && !waits && expiresAtMs !== undefined && { expiresAtMs }),
  } as Debt;
};

export const least = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

/** One sending to one partner, or what came of it. */
export type LogLine = VersionRange & {
  clientId: string;
  atMs: number;
  eventId: string;
  uuid: string;
  type: string;
  outcome: 'SENT' | 'FAILED' | 'WITHHELD';
  /** Why it failed or was withheld. */
  reason?: string;
  /** The bus's own id of the entry, where the bus named it. */
  busEventId?: string;
};

/** The same by transaction: up to 100 outcomes of a sending. A `from` only where it differs. */
export type SendingLine = Pick<LogLine, 'uuid' | 'type' | 'atMs' | 'from' | 'to'> & {
  /** Made once a sending, so that a retried write is the same item. */
  id: string;
  /** By client id: `S`, `F` or `W`, a reason, and `from` with a version where the partner's began elsewhere. */
  outcomes: { [clientId: string]: string };
  /** As it was told. After a restore that loses the transaction, its deletion is told with them (DR-5). */
  told?: Told;
};

export type Told = Required<Pick<Transaction, 'ndMeta' | 'status'>>;

export type Note = LogLine | SendingLine;

const outcomesInItem = 100;

/** The lines of a sending by partner and by transaction. A test has no transaction. */
export const notesOf = (lines: readonly LogLine[], newId: () => string, told?: Told): Note[] => [
  ...lines,
  ...chunksOf(
    lines.filter(({ uuid }) => uuid !== ''),
    outcomesInItem,
  ).map((chunk): SendingLine => {
    const [{ uuid, type, atMs, to }] = chunk as [LogLine];
    const from = Math.max(...chunk.map((line) => line.from));
    const outcomeOf = (line: LogLine) =>
      [line.outcome[0], line.reason, line.from !== from && `from ${line.from}`].filter(Boolean).join(' ');
    const outcomes = Object.fromEntries(chunk.map((line) => [line.clientId, outcomeOf(line)]));
    return { uuid, type, atMs, from, to, id: newId(), outcomes, ...(told && { told }) };
  }),
];

/** One message about a transaction, made when it is sent. */
export type View = VersionRange & { type: EventType };

/** What is to be done with a row now. */
export type Decision =
  | { step: 'send'; view: View }
  | { step: 'wait'; dueAtMs: number }
  /** Nobody is told of changes up to this version. */
  | { step: 'pass-over'; version: number }
  | { step: 'nothing' };

type Now = { nowMs: number; settings: EventSettings };

const nothing: Decision = { step: 'nothing' };

/** `debounceRow` is the one of the same transaction, read before `stored`. */
export const decide = (
  row: Row,
  stored: StoredTransaction | undefined,
  debounceRow: DebounceRow | undefined,
  now: Now,
): Decision => {
  if (!stored || row.isTold) return nothing;
  if (row.kind === 'NOTIFY') return decideDebounceRow(row, stored, now);
  if (row.kind === 'COMPLETED') return decideCompletion(row.version, stored, now);
  if (row.completed !== undefined) return decideCompletion(row.completed, stored, now);
  if (!isPending(row.from, stored)) return nothing;
  const view: View = { type: 'TransactionUpdated', from: row.from, to: stored.version };
  // Nobody gets it, so there is nothing to wait for.
  if (row.reason === 'REMOVED') return { step: 'send', view };
  const newer = decideDebounceRow(debounceRow, stored, now);
  const { leaseMs } = now.settings;
  if (newer.step !== 'nothing') {
    // The newer event begins where the partner is, and ends the row.
    const newerAtMs = newer.step === 'wait' ? newer.dueAtMs : now.nowMs;
    return { step: 'wait', dueAtMs: newerAtMs + leaseMs };
  }
  // It was due before the last event, whose sender may be about to remove it.
  const { lastSentAtMs = 0 } = debounceRow ?? {};
  const isBeingPaid = (row.dueAtMs ?? 0) < lastSentAtMs && now.nowMs < lastSentAtMs + leaseMs;
  return isBeingPaid ? { step: 'wait', dueAtMs: lastSentAtMs + leaseMs } : { step: 'send', view };
};

/** Not of a completion that a restore undid, or of a transaction that was deleted since. */
const decideCompletion = (version: number, stored: StoredTransaction, { nowMs }: Now): Decision => {
  // Two items of one write: DynamoDB may show the marker before the transaction.
  if (stored.version < version) return { step: 'wait', dueAtMs: nowMs + 1_000 };
  return stored.transaction.status !== 1 || isDeletedAfter({ to: version }, stored)
    ? nothing
    : { step: 'send', view: { type: 'TransactionCompleted', from: version - 1, to: version } };
};

/** Strict dormancy (EV-1), since the last change and since the last event. */
const decideDebounceRow = (
  row: DebounceRow | undefined,
  stored: StoredTransaction,
  { nowMs, settings }: Now,
): Decision => {
  const from = notifiedVersionOf(row, stored);
  if (!isPending(from, stored)) return nothing;
  // A sender that died may have sent what there was before the last change.
  const { leasedTo, leasedUntilMs = 0, lastSentAtMs = 0 } = row ?? {};
  const isUnsure = leasedTo !== undefined && leasedTo !== stored.version;
  const sentUntilMs = Math.max(lastSentAtMs, isUnsure ? leasedUntilMs : 0);
  const dueAtMs = Math.max(stored.updatedAtMs, sentUntilMs) + settings.dormancyMs;
  if (nowMs < dueAtMs) return { step: 'wait', dueAtMs };
  const to = stored.version;
  return isNeverNotified(row, stored)
    ? { step: 'pass-over', version: to }
    : { step: 'send', view: { type: 'TransactionUpdated', from, to } };
};

/** A restore raises versions without a change of a part (DR-3). */
export const isPending = (from: number, { elementVersions }: Pick<StoredTransaction, 'elementVersions'>) =>
  Math.max(...Object.values(elementVersions)) > from;

/** The version up to which everybody was told. Nobody is told of those before `notifyFromVersion` (EV-10). */
export const notifiedVersionOf = (
  row: Pick<DebounceRow, 'notifiedVersion'> | undefined,
  { notifyFromVersion }: Pick<StoredTransaction, 'notifyFromVersion'>,
): number => row?.notifiedVersion ?? notifyFromVersion - 1;

/** EV-11: created and deleted before anything was told. An import has no session, and was in lists from the beginning. */
const isNeverNotified = (
  row: Pick<DebounceRow, 'lastSentAtMs' | 'mayBeTold'> | undefined,
  { transaction, session, version }: StoredTransaction,
): boolean =>
  // A restore sets the version to a time (DR-3); what was sent before it may be unknown.
  version <= 1e12 &&
  transaction.isDeleted === 1 &&
  transaction.status === 0 &&
  session !== undefined &&
  row?.lastSentAtMs === undefined &&
  row?.mayBeTold === undefined;

/** Whether a change completes the transaction (I8). */
export const completes = (before: StoredTransaction, after: StoredTransaction): boolean =>
  before.transaction.status === 0 && after.transaction.status === 1;

/** Written together with the completing change, due at once, so that no crash separates the two (I8). */
export const completionMarker = ({
  transaction,
  version,
  updatedAtMs,
}: StoredTransaction): CompletionMarker => ({
  uuid: transaction.uuid,
  kind: 'COMPLETED',
  version,
  dueAtMs: updatedAtMs,
  revision: 0,
});

const outcomes = { S: 'SENT', F: 'FAILED', W: 'WITHHELD' } as const;

/** What came of a sending for one partner. Nothing of any other one. */
export const outcomeIn = (
  { uuid, type, atMs, from, to, outcomes: all }: SendingLine,
  clientId: string,
): Omit<LogLine, 'eventId' | 'busEventId'> | undefined => {
  const own = Object.hasOwn(all, clientId) ? all[clientId] : undefined;
  const [, letter, reason, since] = /^([SFW])(?: (?!from )(\S+))?(?: from (\d+))?$/.exec(own ?? '') ?? [];
  if (letter === undefined) return undefined;
  return {
    ...{ clientId, atMs, uuid, type, to },
    from: since === undefined ? from : Number(since),
    outcome: outcomes[letter as keyof typeof outcomes],
    ...(reason !== undefined && { reason }),
  };
};
