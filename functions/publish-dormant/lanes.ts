import { type Lane, lanesOf, shardsOf } from '../shared/domain/event/lane.ts';
import { type FlushQueue, sendLanes } from '../shared/outbound/flush-queues.ts';
import { allShards } from '../shared/publish/flush.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { LaneStore } from '../shared/store/debounce/lane-store.ts';

/** The lanes of what is due, as one run works with them. */
export type Lanes = {
  /** The lanes of some shards: those that nobody holds, beginning with the one whose turn it is now, and the others. */
  divide: (shards: readonly number[]) => Promise<{ free: Lane[]; held: Lane[] }>;
  /** Undefined where another run has the lane, or it is one of another division. */
  take: (lane: Lane, untilMs: number) => Promise<HeldLane | undefined>;
  /** Asks for a further run on each of these lanes. */
  handOut: (lanes: readonly Lane[]) => Promise<void>;
};

/** A lane that this run has, its shards, and how others may have it again. */
export type HeldLane = Lane & { shards: number[]; giveBack: () => Promise<void> };

type LanesDeps = {
  store: LaneStore;
  /** So many runs work on a backlog at once. */
  count: number;
  /** The queue of messages that name lanes. */
  queue: FlushQueue;
  clock: Clock;
  /** Names each run that takes a lane. */
  newHolder: () => string;
};

/** As often as looks come: each has another lane first. */
const turnMs = 10_000;

/**
 * A lane is worked on by one run at a time: by its lease, which ends with the run that took it, however that ends. What asks
 * for a run may be lost or come twice: a lane that nobody holds is found by the next look, and one that is held is left alone.
 */
export const createLanes = ({ store, count, queue, clock, newHolder }: LanesDeps): Lanes => {
  const nowMs = () => clock().getTime();

  return {
    divide: async (shards) => {
      const held = await store.held(nowMs());
      const isHeld = ({ lane }: Lane) => held.has(lane);
      const lanes = inTurn(lanesOf(shards, count), nowMs());
      return { free: lanes.filter((one) => !isHeld(one)), held: lanes.filter(isHeld) };
    },
    take: async (lane, untilMs) => {
      if (lane.of !== count) return undefined;
      const holder = newHolder();
      const isTaken = await store.take(lane.lane, { holder, nowMs: nowMs(), untilMs });
      const giveBack = () => store.giveBack(lane.lane, holder);
      return isTaken ? { ...lane, shards: shardsOf(lane, allShards), giveBack } : undefined;
    },
    handOut: (lanes) => sendLanes(queue, lanes),
  };
};

/** Whose turn it is goes by time, not by the oldest row: one that fails every time would have all looks on its lane. */
const inTurn = (lanes: readonly Lane[], nowMs: number): Lane[] => {
  const turn = Math.floor(nowMs / turnMs);
  const waits = ({ lane, of }: Lane) => (lane + of - (turn % of)) % of;
  return lanes.toSorted((one, other) => waits(one) - waits(other));
};
