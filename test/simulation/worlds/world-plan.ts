import type { Workload } from '../../../functions/shared/publish/flush.ts';
import type { FaultMode } from '../kernel/faults.ts';
import type { WaitMs } from '../kernel/process.ts';
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
  /** What the checks allow for requests under way, and for clocks; by the mode where nothing is said. */
  graceMs?: number;
  skewMs?: number;
  /** How wrong the clock of a machine may be, where it is one of those that are; 2 s where nothing is said. */
  clockOffMs?: number;
  /** Every record of the stream is lost (I20). */
  isStreamLost?: boolean;
  /** Records of the stream come in any order and any number. */
  isStreamWild?: boolean;
  /** How long calls take. */
  waitMs?: WaitMs;
  /** What a poll publishes by itself; more is a backlog. */
  light?: Workload;
  /** So few rows are a page of one part of the due index. */
  duePage?: number;
};
