import type { Workload } from '../../../functions/shared/publish/flush.ts';
import type { FaultMode } from '../kernel/faults.ts';
import type { Call, Process, WaitMs } from '../kernel/process.ts';
import type { PartnerPlan } from './partner-program.ts';
import type { Planned } from './program.ts';

/** A world before it begins: everything that is meant to happen in it. */
export type WorldPlan = {
  seed: number;
  mode: FaultMode;
  /** So long things are done, and go wrong. */
  activeMs: number;
  /** So long nothing is done any more (I19). */
  restMs: number;
  acts: readonly Planned[];
  partners: readonly PartnerPlan[];
  /** The bus records its attempts in the delivery log (the embedded stage) or not (AWS). */
  isEmbedded: boolean;
  /** How late a TransactionUpdated may be; by the mode where nothing is said. */
  updatedWithinMs?: number;
  /** How late a TransactionCompleted may be; by the mode where nothing is said. */
  completedWithinMs?: number;
  /** What the checks allow for requests under way, and for clocks; by the mode where nothing is said. */
  graceMs?: number;
  skewMs?: number;
  /** How wrong the clock of a machine may be, where it is one of those that are; 2 s where nothing is said. */
  clockOffMs?: number;
  /** Every record of the stream is lost (I20). */
  isStreamLost?: boolean;
  /** Records of the stream come in any order and any number. */
  isStreamWild?: boolean;
  /** Entries that the bus never takes. */
  isNeverTaken?: (clientId: string, eventId: string) => boolean;
  /** Entries for which the bus refuses the whole request. */
  isRefusedWithAll?: (detail: string) => boolean;
  /** Calls that fail every time, as long as things are done. */
  isBroken?: (call: Call) => boolean;
  /** Runs that die at a call, before or after it is carried out. */
  dies?: (process: Process, call: Call, nowMs: number) => 'killed-before' | 'killed-after' | undefined;
  /** How long calls take. */
  waitMs?: WaitMs;
  /** Ticks that are sent then, and never come. */
  ticksAreLost?: { fromMs: number; untilMs: number };
  /** A transaction that no flush can read, as long as things are done. */
  unreadable?: string;
  /** How many workers there are at once at most. */
  workers?: number;
  /** What a poll publishes by itself; more is a backlog. */
  light?: Workload;
  /** Messages to workers that are sent then never come. */
  shardsAreLost?: { fromMs: number; untilMs: number };
  /** Each message to a worker comes once more, so much later. */
  shardsComeAgainAfterMs?: number;
  /** Messages that name completions and are sent then never come. */
  completionsAreLost?: { fromMs: number; untilMs: number };
  /** Messages to `keep-endpoints` that are sent then never come. */
  endpointMessagesAreLost?: { fromMs: number; untilMs: number };
  /** How late the bus may match a record; by the mode where nothing is said. */
  endpointsWithinMs?: number;
  /** So few rows are a page of one part of the due index. */
  duePage?: number;
  /** How often everything is looked at in between (I12). */
  samples?: number;
};
