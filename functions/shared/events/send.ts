import { elementsOf, eventIdOf } from '../domain/event/event.ts';
import { type MessageOrigin, renderMessages } from '../domain/event/message.ts';
import { decideRecipient, type ServedPartner, type SuppressionReason } from '../domain/event/recipient.ts';
import type { EventSettings } from '../domain/event/timing.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import { type BusEntry, type EventBus, groupsThatFit } from '../outbound/event-bus.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Limit } from '../runtime/limit.ts';
import type { Log } from '../runtime/logger.ts';
import type { PartnerDirectory } from '../store/partners/directory.ts';
import type { TransactionReader } from '../store/transactions/reader.ts';
import { afterFailure, endpointTries } from './failures.ts';
import {
  atRest,
  type BacklogRow,
  backlogKey,
  type DebounceRow,
  type Debt,
  decide,
  isDue,
  keyOfRow,
  type LogLine,
  least,
  notesOf,
  notifyKey,
  owingOf,
  type Row,
  type RowKey,
  type Unwritten,
  type View,
} from './rows.ts';
import { type DebounceTable, noted } from './table.ts';

/** What sending needs. Times are in milliseconds. */
export type SendDeps = {
  transactions: Pick<TransactionReader, 'byUuids'>;
  partners: Pick<PartnerDirectory, 'ofOwners' | 'byClientIds'>;
  table: DebounceTable;
  bus: EventBus;
  /** The switch of all webhooks (S-77), read right before each request. */
  isStopped: () => Promise<boolean>;
  /** Random, for items that nobody writes again. */
  newId: () => string;
  pause: (ms: number) => Promise<unknown>;
  clock: Clock;
  log: Log;
  settings: EventSettings;
  /** The stage's name, part of every event id. */
  stage: string;
  origin: MessageOrigin;
};

/** What an invocation has done. */
export type SendCounts = {
  /** Entries that the bus took, that it left without an answer, and that it refused. */
  sent: number;
  unconfirmed: number;
  refused: number;
  /** Faults that were limited to their row, request or write. */
  failed: number;
  /** Events from which large elements were left out (EV-9). */
  oversize: number;
  /** The longest time from a last change until its event was sent; absent where none was. */
  updateDelayMs?: number;
  /** The same from a payment until its completion was sent. */
  completionDelayMs?: number;
};

/** One invocation. */
export type Run = {
  deps: SendDeps;
  /** Nothing is sent after. */
  sendUntilMs: number;
  counts: SendCounts;
  /** Limits a fault to what it befell: it is logged and counted (EV-17). */
  apart: <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;
  /** Limits its requests to the bus (EV-14). */
  onBus: Limit;
};

/** A row that is to be sent now, and what. */
type Ready = { row: Row; stored: StoredTransaction; view: View };

/** A row that this invocation has leased, and what becomes of it. */
type Task = Ready & {
  parcels: Parcel[];
  /** Of a debounce row: what its recipients are owed already. */
  behind: Map<string, BacklogRow>;
  /** Recipients that are paused, or whose endpoint is not on yet. */
  held: ServedPartner[];
  /** By event id: whoever is told the same range is told the same bytes. */
  messages: Map<string, ReturnType<typeof renderMessages>>;
};

/** One message to one partner. */
type Parcel = {
  task: Task;
  clientId: string;
  entry: BusEntry;
  /** `open` until the bus has answered. */
  outcome: 'open' | 'accepted' | 'refused' | 'withheld' | 'paused' | 'unready';
  withheldFor?: SuppressionReason;
  busEventId?: string;
};

/** Sends what these rows ask for, as far as they are due. */
export const sendRows = async (keys: readonly RowKey[], run: Run): Promise<void> => {
  const { deps, apart } = run;
  const leasedAtMs = deps.clock().getTime();
  const due = (await deps.table.read(keys)).filter((row) => isDue(row, leasedAtMs)).map(afterLease);
  const ready = await readyOf(await each(due, (row) => apart(() => caughtUp(row, deps))), run);
  const leased = await each(ready, ({ row, stored }) =>
    apart(async () => {
      const lease = { leasedUntilMs: leasedAtMs + deps.settings.leaseMs, leasedTo: stored.version };
      const isMine = await deps.table.save({ ...row, ...lease });
      return isMine ? { ...row, ...lease, revision: row.revision + 1 } : undefined;
    }),
  );
  // Once more under the lease: a change or deletion that came meanwhile is seen.
  const tasks = (await readyOf(leased, run)).map(
    (one): Task => ({ ...one, parcels: [], behind: new Map(), held: [], messages: new Map() }),
  );
  if (tasks.length === 0) return;
  const addressed = await withParcels(tasks, run);
  await putOnBus(
    addressed.flatMap(({ parcels }) => parcels),
    { run, leasedAtMs },
  );
  await each(addressed, (task) => apart(() => finish(task, run)));
};

/** A lease that was left says that its sender may have sent the row. The next lease would hide it. */
const afterLease = (row: Row): Row =>
  row.kind === 'NOTIFY' && row.leasedTo !== undefined ? { ...row, mayBeTold: true } : row;

/** The tasks with their parcels. What fails for one of them fails for that one alone (EV-17). */
const withParcels = async (tasks: readonly Task[], { deps, apart }: Run): Promise<readonly Task[]> => {
  try {
    await addParcels(tasks, deps);
    return tasks;
  } catch {
    return each(tasks, (task) =>
      apart(async () => {
        const alone: Task = { ...task, parcels: [], behind: new Map(), held: [], messages: new Map() };
        await addParcels([alone], deps);
        return alone;
      }),
    );
  }
};

const each = async <One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result | undefined>,
): Promise<Result[]> => {
  const results = await Promise.all(all.map(work));
  return results.filter((result): result is Awaited<Result> & Result => result !== undefined);
};

/** What could not be written before is written first. Nothing if somebody else wrote meanwhile. */
const caughtUp = async ({ unwritten, ...row }: Row, { table }: SendDeps): Promise<Row | undefined> => {
  if (!unwritten) return row as Row;
  const left = await noted(table, row.uuid, unwritten);
  const now = { ...row, ...(left && { unwritten: left }) } as Row;
  return (await table.save(now)) ? { ...now, revision: row.revision + 1 } : undefined;
};

/** What is to be sent now. Of the other rows, what is to be done is done. */
const readyOf = async (rows: readonly Row[], { deps, apart }: Run): Promise<Ready[]> => {
  if (rows.length === 0) return [];
  const { table, transactions, clock, settings } = deps;
  const behind = new Set(rows.filter(({ kind }) => kind === 'BACKLOG').map(({ uuid }) => uuid));
  // Before the transactions: a change is then seen there, or in both.
  const debounceRows = behind.size === 0 ? [] : await table.read([...behind].map(notifyKey));
  const rowOf = new Map(debounceRows.map((row) => [row.uuid, row as DebounceRow]));
  const transactionOf = await transactions.byUuids([...new Set(rows.map(({ uuid }) => uuid))]);
  const nowMs = clock().getTime();
  return each(rows, async (row) => {
    const stored = transactionOf.get(row.uuid);
    const decision = decide(withoutOwnLease(row, nowMs), stored, rowOf.get(row.uuid), { nowMs, settings });
    if (decision.step === 'send' && stored) return { row, stored, view: decision.view };
    // Where somebody wrote meanwhile, the row stays due.
    await apart(async () => {
      if (decision.step === 'wait') return table.save(dueAgain(row, nowMs, decision.dueAtMs));
      if (row.kind !== 'NOTIFY' && !row.unwritten) return table.remove(row);
      const passed = decision.step === 'pass-over' && { notifiedVersion: decision.version };
      return table.save({ ...dueAgain(row, nowMs), ...passed } as Row);
    });
    return undefined;
  });
};

/** A lease that has ended is another one's, and says what that one may have sent. */
const withoutOwnLease = (row: Row, nowMs: number): Row => {
  const { leasedUntilMs = 0, leasedTo: _, ...own } = row;
  return leasedUntilMs > nowMs ? own : row;
};

const unwrittenPauseMs = 30_000;

/** Without the lease, and due then; or soon, where something is still to be written; or not at all. */
const dueAgain = <Some extends Row>(row: Some, nowMs: number, atMs?: number): Some => {
  const dueAtMs = least(atMs, row.unwritten && nowMs + unwrittenPauseMs);
  return { ...atRest(row), ...(dueAtMs !== undefined && { dueAtMs }) };
};

/** Finds the recipients by the present owner, with what each is owed, and makes their messages. */
const addParcels = async (tasks: readonly Task[], deps: SendDeps): Promise<void> => {
  const first = tasks.filter(({ row }) => row.kind !== 'BACKLOG');
  const again = tasks.flatMap(({ row }) => (row.kind === 'BACKLOG' ? row.clientId : []));
  const [ofOwners, byClientId] = await Promise.all([
    first.length === 0 ? [] : deps.partners.ofOwners(first.map(({ stored }) => stored.transaction.ndMeta)),
    again.length === 0 ? undefined : deps.partners.byClientIds([...new Set(again)]),
  ]);
  const recipients = first.flatMap((task) =>
    ofOwners.flatMap((partner) => {
      const decision = decideRecipient(partner, task.stored.transaction.ndMeta);
      return decision === 'send' || decision === 'hold' ? [{ task, partner, decision }] : [];
    }),
  );
  const updates = recipients.filter(({ task }) => task.row.kind === 'NOTIFY');
  const owed = await deps.table.read(
    updates.map(({ task, partner }) => backlogKey(task.row.uuid, partner.clientId, {})),
  );
  const owedOf = Map.groupBy(owed as BacklogRow[], ({ uuid }) => uuid);
  for (const task of first)
    for (const row of task.row.kind === 'NOTIFY' ? (owedOf.get(task.row.uuid) ?? []) : [])
      if (!row.isTold) task.behind.set(row.clientId, row);
  for (const { task, partner, decision } of recipients)
    if (decision === 'hold') task.held.push(partner);
    else task.parcels.push(parcelOf(task, partner, deps));
  for (const task of tasks)
    if (task.row.kind === 'BACKLOG') {
      const { clientId } = task.row;
      const { showsPaymentTokens = false } = byClientId?.get(clientId) ?? {};
      task.parcels.push(parcelOf(task, { clientId, showsPaymentTokens }, deps));
    }
};

/** Whoever is behind is told from there on (EV-12). */
const parcelOf = (
  task: Task,
  { clientId, showsPaymentTokens }: Pick<ServedPartner, 'clientId' | 'showsPaymentTokens'>,
  { stage, origin, clock }: SendDeps,
): Parcel => {
  const { row, stored, view } = task;
  const behind = row.kind === 'BACKLOG' ? row : task.behind.get(clientId);
  const range = { from: Math.min(view.from, behind?.from ?? view.from), to: view.to };
  const eventId = eventIdOf(stage, view.type, row.uuid, range);
  const elements = elementsOf(view.type, stored, range.from);
  const facts = { eventId, type: view.type, publishedAt: clock(), elements };
  const rendered = task.messages.get(eventId) ?? renderMessages(facts, stored.transaction, origin);
  task.messages.set(eventId, rendered);
  const { bodies, omitted } = rendered;
  const message = showsPaymentTokens ? (bodies.tokens ?? bodies.plain) : bodies.plain;
  const tries = endpointTries(behind);
  const entry = { clientId, eventId, type: view.type, ...range, omitted, message, tries };
  return { task, clientId, entry, outcome: 'open' };
};

/** Each partner's record and the switch are read right before the request (S-54, S-77). */
const putOnBus = async (
  parcels: readonly Parcel[],
  { run, leasedAtMs }: { run: Run; leasedAtMs: number },
): Promise<void> => {
  const { deps, apart, onBus, counts, sendUntilMs } = run;
  const mayStill = () => {
    const nowMs = deps.clock().getTime();
    return nowMs < sendUntilMs && nowMs - leasedAtMs <= deps.settings.abandonMs;
  };
  const request = async (group: readonly Parcel[]): Promise<void> => {
    if (!mayStill()) return;
    const [partners, isStopped] = await Promise.all([
      deps.partners.byClientIds([...new Set(group.map(({ clientId }) => clientId))]),
      deps.isStopped(),
    ]);
    if (isStopped) return;
    for (const parcel of group) {
      const partner = partners.get(parcel.clientId);
      const decision = decideRecipient(partner, parcel.task.stored.transaction.ndMeta);
      if (decision === 'hold') parcel.outcome = partner?.webhookPaused ? 'paused' : 'unready';
      else if (decision !== 'send') Object.assign(parcel, { outcome: 'withheld', withheldFor: decision });
    }
    const open = group.filter(({ outcome }) => outcome === 'open');
    if (open.length === 0 || !mayStill()) return;
    const answers = await deps.bus.put(open.map(({ entry }) => entry));
    // Refused as a whole, for some entry's content: halved until that one stands alone (EV-18).
    if (answers[0]?.outcome === 'refused-together') {
      const half = Math.ceil(open.length / 2);
      await request(open.slice(0, half));
      return request(open.slice(half));
    }
    for (const [index, parcel] of open.entries()) {
      const answer = answers[index];
      if (answer?.outcome === 'refused') {
        parcel.outcome = 'refused';
        counts.refused += 1;
      } else if (answer?.outcome !== 'accepted') counts.unconfirmed += 1;
      else {
        Object.assign(parcel, { outcome: 'accepted', busEventId: answer.busEventId });
        counts.sent += 1;
        if (parcel.entry.omitted.length > 0) counts.oversize += 1;
      }
    }
  };
  await Promise.all(groupsThatFit(parcels).map((group) => apart(() => onBus(() => request(group)))));
};

/** Log, debts, the row, paid debts: in this order a crash leaves at worst something that is sent again. */
const finish = async (task: Task, run: Run): Promise<void> => {
  const { row, parcels, stored } = task;
  const { table, clock, newId } = run.deps;
  const nowMs = clock().getTime();
  const isSent = parcels.some(({ outcome }) => outcome === 'accepted');
  const isOpen = parcels.some(({ outcome }) => outcome === 'open');
  // The bus did not answer at all: the row comes back when the lease ends.
  if (row.kind !== 'BACKLOG' && isOpen && !isSent) return;
  const debts = row.kind === 'BACKLOG' ? [] : debtsOf(task, nowMs);
  const { ndMeta, status } = stored.transaction;
  const left = await noted(table, row.uuid, {
    notes: notesOf(
      parcels.flatMap((parcel) => lineOf(parcel, nowMs)),
      newId,
      ndMeta && { ndMeta, status },
    ),
    debts,
  });
  const unwritten = joined(row.unwritten, left);
  const now = { ...row, ...(unwritten && { unwritten }) };
  switch (now.kind) {
    case 'NOTIFY':
      await settle(now, stored.version, nowMs, run.deps);
      if (isSent)
        run.counts.updateDelayMs = Math.max(run.counts.updateDelayMs ?? 0, nowMs - stored.updatedAtMs);
      await each([...task.behind.values()], (owed) => pay(owed, parcels, nowMs, run.deps));
      return;
    case 'COMPLETED':
      if (isSent)
        run.counts.completionDelayMs = Math.max(
          run.counts.completionDelayMs ?? 0,
          nowMs - (now.dueAtMs ?? nowMs),
        );
      await (unwritten ? table.save({ ...dueAgain(now, nowMs), isTold: true }) : table.remove(now));
      return;
    case 'BACKLOG':
      return finishBacklog(now, parcels, nowMs, run);
    default:
      now satisfies never;
  }
};

const joined = (one: Unwritten | undefined, other: Unwritten | undefined): Unwritten | undefined =>
  one && other
    ? { notes: [...one.notes, ...other.notes], debts: [...one.debts, ...other.debts] }
    : (one ?? other);

/** What the bus took or refused, and what was withheld. */
const lineOf = (parcel: Parcel, atMs: number): LogLine[] => {
  const { clientId, entry, task, outcome, withheldFor, busEventId } = parcel;
  const { eventId, type, from, to } = entry;
  const line = { clientId, atMs, eventId, uuid: task.row.uuid, type, from, to };
  if (outcome === 'accepted')
    return [{ ...line, outcome: 'SENT', ...(busEventId !== undefined && { busEventId }) }];
  if (outcome === 'refused') return [{ ...line, outcome: 'FAILED', reason: reasons.refused }];
  return outcome === 'withheld'
    ? [{ ...line, outcome: 'WITHHELD', ...(withheldFor && { reason: withheldFor }) }]
    : [];
};

const reasons = {
  refused: 'REFUSED_BY_BUS',
  open: 'UNCONFIRMED',
  paused: 'PAUSED',
  unready: 'NOT_READY',
} as const;

type Owed = Debt & { clientId: string };

/** What a first telling has left: each partner is owed its own, and holds up no other. */
const debtsOf = ({ view, parcels, held, behind }: Task, nowMs: number): Owed[] => {
  const debt = (clientId: string, outcome: keyof typeof reasons): Owed => {
    const failure = failureOf(reasons[outcome], behind.get(clientId), nowMs);
    const isFirst = (outcome === 'refused' || outcome === 'open') && failure.dueAtMs !== undefined;
    return {
      clientId,
      ...owingOf(view.type, view),
      ...failure,
      ...(isFirst && { isFirst: true }),
    };
  };
  return [
    ...parcels.flatMap(({ clientId, outcome }) =>
      outcome === 'accepted' || outcome === 'withheld' ? [] : debt(clientId, outcome),
    ),
    // One that is behind already is owed it, too: whoever sends what it was owed before must not remove that.
    ...held.map(({ clientId, webhookPaused }) => debt(clientId, webhookPaused ? 'paused' : 'unready')),
  ];
};

const failureOf = (reason: string, row: BacklogRow | undefined, nowMs: number) => {
  const isOneMore = row?.reason === reason && row.expiresAtMs === undefined;
  return afterFailure(reason, (isOneMore ? row.tries : 0) + 1, nowMs);
};

const settleTries = 10;

/** Everybody was told. Where a change came meanwhile, the row is due again after its dormancy. */
const settle = async (
  leased: DebounceRow,
  to: number,
  sentAtMs: number,
  { table, settings }: SendDeps,
): Promise<void> => {
  const told = { notifiedVersion: to, lastSentAtMs: sentAtMs };
  const { changed: _, ...row } = dueAgain(leased, sentAtMs);
  if (await table.save({ ...row, ...told })) return;
  for (let tries = 0; tries < settleTries; tries += 1) {
    const [now] = (await table.read([keyOfRow(leased)])) as DebounceRow[];
    // The lease has ended, and another sender has the row.
    if (now?.leasedUntilMs !== leased.leasedUntilMs) return;
    const changed = { ...now, ...told, ...(leased.unwritten && { unwritten: leased.unwritten }) };
    if (await table.save(dueAgain(changed as DebounceRow, sentAtMs, sentAtMs + settings.dormancyMs))) return;
  }
};

/** What a partner was told with the event is owed no longer. */
const pay = async (
  owed: BacklogRow,
  parcels: readonly Parcel[],
  nowMs: number,
  { table }: SendDeps,
): Promise<unknown> => {
  const isPaid = parcels.some((one) => one.clientId === owed.clientId && one.outcome === 'accepted');
  if (!isPaid) return;
  return owed.unwritten ? table.save({ ...dueAgain(owed, nowMs), isTold: true }) : table.pay(owed);
};

const finishBacklog = async (
  row: BacklogRow,
  parcels: readonly Parcel[],
  nowMs: number,
  run: Run,
): Promise<void> => {
  const { table, settings } = run.deps;
  const { outcome = 'open' } = parcels[0] ?? {};
  const { expiresAtMs: _, isFirst, ...rest } = dueAgain(row, nowMs);
  switch (outcome) {
    case 'accepted':
    case 'withheld':
      await (row.unwritten ? table.save({ ...rest, isTold: true } as BacklogRow) : table.pay(row));
      return;
    case 'paused':
    case 'unready':
      // It sleeps until the resume, or until the endpoint is on.
      await table.save({ ...rest, reason: reasons[outcome] } as BacklogRow);
      return;
    case 'refused': {
      const { dueAtMs, expiresAtMs, ...failure } = failureOf(reasons.refused, row, nowMs);
      const atMs = least(dueAtMs, rest.dueAtMs);
      await table.save({
        ...rest,
        ...failure,
        ...(isFirst && dueAtMs !== undefined && { isFirst }),
        ...(atMs === undefined ? { expiresAtMs } : { dueAtMs: atMs }),
      } as BacklogRow);
      return;
    }
    case 'open':
      await table.save(dueAgain(row, nowMs, nowMs + settings.leaseMs));
      return;
    default:
      outcome satisfies never;
  }
};
