import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import type { DueRow, DueRowKey } from '../../../functions/shared/domain/event/debounce-row.ts';
import type { EventBodies, TransactionEvent } from '../../../functions/shared/domain/event/event.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { Claim, ClaimOutcome } from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import type { Call, Process } from '../kernel/process.ts';

/** A stored state of a transaction. `before` is absent for its creation. Times are true virtual time. */
export type Commit = { atMs: number; by: string; before?: StoredTransaction; after: StoredTransaction };

/** An event whose claim a process has won. */
export type ClaimMade = {
  atMs: number;
  by: string;
  key: DueRowKey;
  event: TransactionEvent;
  bodies: EventBodies | undefined;
};

/** A process holds a claim for a while: by the claim itself, or when the last one's lease had run out. */
type LeaseTaken = { atMs: number; by: string; eventId: string };

/** A claim that is done with: everything is sent. */
type CompletedSend = { atMs: number; eventId: string };

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
export type Note = { atMs: number; by: string; call: Call; answer: unknown };

/** All that happened in a world. */
export type History = {
  epochMs: number;
  commits: Commit[];
  claims: ClaimMade[];
  leases: LeaseTaken[];
  workers: ShardWorked[];
  completedSends: CompletedSend[];
  accepted: Accepted[];
  /** Entries without a matching target, which the bus dropped. */
  dropped: Accepted[];
  refused: Refused[];
  puts: PutMade[];
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
  /** Instants at which a flight was not scheduled, or for after the end of its lease. */
  strayed: { atMs: number; key: DueRowKey; dueAtMs: number | undefined; leasedUntilMs: number }[];
};

export const newHistory = (epochMs: number): History => ({
  epochMs,
  workers: [],
  commits: [],
  claims: [],
  leases: [],
  completedSends: [],
  accepted: [],
  dropped: [],
  refused: [],
  puts: [],
  arrivals: [],
  partnerStates: [],
  statuses: [],
  struck: [],
  notes: [],
  logs: [],
  lostRecords: [],
  strayed: [],
});

/** Calls that change nothing are too many to be kept, but for the reads of one debounce row. */
const isWorthKeeping = ({ port, method }: Call) => {
  if (port === 'debounceRows') return method !== 'due' && method !== 'getMany';
  if (port === 'deliveryLog') return ['move', 'lease', 'refused', 'addMissing'].includes(method);
  return port === 'transactions' ? method !== 'byUuid' : port === 'queue';
};

/** Records a call that was carried out, and what it means for the checks. */
export const recordCall = (
  history: History,
  atMs: number,
  { process, call, answer }: { process: Process; call: Call; answer: unknown },
) => {
  if (isWorthKeeping(call)) history.notes.push({ atMs, by: process.name, call, answer });
  if (call.port !== 'debounceRows') return;
  for (const { key, event, bodies } of claimsMade(call, answer)) {
    history.claims.push({ atMs, by: process.name, key, event, bodies });
    history.leases.push({ atMs, by: process.name, eventId: event.eventId });
  }
  if (call.method === 'renewLease' && answer !== undefined) {
    const { inflight } = answer as DueRow;
    if (inflight) history.leases.push({ atMs, by: process.name, eventId: inflight.eventId });
  }
  if (call.method === 'complete' && answer === true) {
    const [, { eventId }] = call.args as [DueRowKey, { eventId: string }];
    history.completedSends.push({ atMs, eventId });
  }
};

/** What a call has claimed, alone or together with others. */
export const claimsMade = ({ port, method, args: [first] }: Call, answer: unknown): Claim[] => {
  if (port === 'debounceRows' && method === 'claim') return answer === true ? [first as Claim] : [];
  if (port !== 'debounceRows' || method !== 'claimTogether') return [];
  return (first as Claim[]).filter((_, index) => (answer as ClaimOutcome[])[index] === 'claimed');
};

/** How many claims of a call another run was faster with, or a change. */
export const claimsLost = ({ method }: Call, answer: unknown): number => {
  if (method === 'claim') return answer === false ? 1 : 0;
  if (method !== 'claimTogether') return 0;
  return (answer as ClaimOutcome[]).filter((outcome) => outcome === 'lost').length;
};
