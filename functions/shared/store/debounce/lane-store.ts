/** For how long a run keeps a lane: until its function's time is over, whatever becomes of it. */
export type LaneLease = { holder: string; nowMs: number; untilMs: number };

/** Who works on which lane of what is due; one method an access pattern. */
export type LaneStore = {
  /** Lanes that somebody holds, strongly consistent. */
  held: (nowMs: number) => Promise<Set<number>>;
  /** Takes a lane that nobody holds, or whose lease has ended; false where another has it. */
  take: (lane: number, lease: LaneLease) => Promise<boolean>;
  /** Leaves a lane to whoever comes next; nothing happens where another has taken it since. */
  giveBack: (lane: number, holder: string) => Promise<void>;
};
