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
  /** How late a TransactionUpdated and a TransactionCompleted may be; by the mode where nothing is said. */
  updatedWithinMs?: number;
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
  /** How long calls take. */
  waitMs?: WaitMs;
  /** What a poll publishes by itself; more is a backlog. */
  light?: { rows: number };
  /** The bus refuses these for ever. */
  refuses?: (clientId: string, uuid: string) => boolean;
  /** Partitions of the Debounce table that take no write. */
  isThrottled?: (pk: string, atMs: number) => boolean;
  /** When everything is stopped, and started again. */
  stops?: readonly { fromMs: number; untilMs: number }[];
  /** A pass is lost on purpose, so the daily look finds what waits for it. */
  forgets?: true;
  /** How many workers there may be; 4 where nothing is said. */
  workers?: number;
  /** So few rows are a page of a partner's rows or log; 4 where nothing is said, so that walks have several. */
  pageRows?: number;
  /** So few rows are a page of one part of the due index. */
  duePage?: number;
};
