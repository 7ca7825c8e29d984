import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { type Pass, type Row, textOf } from '../../../functions/shared/events/rows.ts';
import type { Call, Process } from '../kernel/process.ts';

/** A stored state of a transaction. `before` is absent for its creation. Times are true virtual time. */
export type Commit = { atMs: number; by: string; before?: StoredTransaction; after: StoredTransaction };

/** A sender has a row until then. */
type LeaseTaken = { atMs: number; by: string; row: Row };

/** A row as it was written, or removed. `within`: for this pass. */
export type RowWrite = { atMs: number; by: string; isRemoval: boolean; row: Row | Pass; within?: string };

/** A debounce row that is settled, or a marker that is gone: everybody was told. */
type CompletedSend = { atMs: number; by: string; row: Row };

/** A worker's message of a due shard, from when it was handed out until it was done with or could be handed out again. */
type ShardWorked = { shard: number; by: string; fromMs: number; untilMs: number };

/** One entry that the bus took, whether or not its sender got the answer. */
export type Accepted = {
  atMs: number;
  by: string;
  busEventId: string;
  source: string;
  detailType: string;
  detail: string;
  clientId: string;
  eventId: string;
  from: number;
  to: number;
  omitted: string;
  /** The webhook body, byte for byte. */
  message: string;
};

/** One entry that the bus refused. */
type Refused = {
  atMs: number;
  clientId: string;
  uuid: string;
  delivery: { id: string; from: string; to: string };
};

/** One request to PutEvents. */
type PutMade = { atMs: number; entries: number; bytes: number };

/** One request that reached a partner's receiver, and how it was answered. */
export type Arrival = {
  atMs: number;
  clientId: string;
  url: string;
  body: string;
  headers: { [name: string]: string };
  answer: string;
};

/** A partner's record from `atMs` on; undefined when it is gone. `isServed`: its events leave. */
type PartnerState = { atMs: number; clientId: string; partner: Partner | undefined; isServed: boolean };

/** An injected fault. `uuid` if it concerned one transaction. */
type Struck = { atMs: number; what: string; by?: string; uuid?: string };

/** One line for a reader; kept as it was made and put into words only when it is printed. */
type Note = { atMs: number; by: string; call: Call; answer: unknown };

/** All that happened in a world. */
export type History = {
  epochMs: number;
  commits: Commit[];
  leases: LeaseTaken[];
  workers: ShardWorked[];
  completedSends: CompletedSend[];
  accepted: Accepted[];
  /** Entries without a matching target, which the bus dropped. */
  dropped: Accepted[];
  refused: Refused[];
  puts: PutMade[];
  /** Successful writes of rows, by whomever. */
  writes: RowWrite[];
  passesPut: { atMs: number; pass: Pass }[];
  /** The switch of all webhooks. */
  stops: { atMs: number; isStopped: boolean }[];
  arrivals: Arrival[];
  partnerStates: PartnerState[];
  /** What `keep-endpoints` has recorded. */
  statuses: { atMs: number; clientId: string; status: EndpointStatus }[];
  struck: Struck[];
  notes: Note[];
  /** Every line that functions logged, as text. */
  logs: string[];
  /** Changes whose record of the stream was lost: by uuid and version. */
  lostRecords: { atMs: number; uuid: string }[];
};

export const newHistory = (epochMs: number): History => ({
  epochMs,
  workers: [],
  commits: [],
  leases: [],
  completedSends: [],
  accepted: [],
  dropped: [],
  refused: [],
  puts: [],
  writes: [],
  passesPut: [],
  stops: [],
  arrivals: [],
  partnerStates: [],
  statuses: [],
  struck: [],
  notes: [],
  logs: [],
  lostRecords: [],
});

const lasts = new WeakMap<History, Map<string, RowWrite>>();
/** The last write of each row. */
const lastOf = (history: History) => {
  const last = lasts.get(history) ?? new Map<string, RowWrite>();
  lasts.set(history, last);
  return last;
};

const isWorthKeeping = ({ port, method }: Call) => {
  if (port === 'table')
    return !['due', 'read', 'backlogOf', 'linesSince', 'passesOf', 'write'].includes(method);
  return port === 'transactions' ? !method.startsWith('byUuid') : port === 'queue';
};

/** Records a call that was carried out, and what it means for the checks. */
export const recordCall = (
  history: History,
  atMs: number,
  { process, call, answer }: { process: Process; call: Call; answer: unknown },
) => {
  if (isWorthKeeping(call))
    history.notes.push({ atMs, by: process.name, call: structuredClone(call), answer });
  if (call.port !== 'table' || answer !== true) return;
  const written = call.method === 'saveWithin' ? (call.args[1] as Row[]) : [call.args[0] as Row];
  for (const row of structuredClone(written)) recordWrite(history, { atMs, process, call, row });
};

const recordWrite = (
  history: History,
  { atMs, process, call, row }: { atMs: number; process: Process; call: Call; row: Row },
) => {
  const note = { atMs, by: process.name, row };
  const before = lastOf(history).get(textOf(row));
  const within = call.method === 'saveWithin' && { within: textOf(call.args[0] as Pass) };
  const write = { ...note, isRemoval: ['remove', 'pay'].includes(call.method), ...within };
  history.writes.push(write);
  lastOf(history).set(textOf(row), write);
  if (process.kind !== 'publish-dormant') return;
  // Who writes a debt keeps the lease that another sender has.
  const isKept = before?.row.leasedUntilMs === row.leasedUntilMs && !before?.isRemoval;
  if (call.method === 'save' && row.leasedUntilMs !== undefined && !isKept) history.leases.push(note);
  if (
    call.method === 'save' &&
    row.kind === 'NOTIFY' &&
    row.leasedUntilMs === undefined &&
    row.lastSentAtMs !== undefined
  )
    history.completedSends.push(note);
  if (call.method === 'remove' && row.kind === 'COMPLETED') history.completedSends.push(note);
};
