import type { Chain } from './order.ts';

/** What one step may read and write. */
export type StepRecords<Tx> = {
  /** The store's own transaction, for what `apply` writes: stored together with the rest, or not at all. */
  readonly tx: Tx;
  isSeen(id: string): Promise<boolean>;
  markSeen(id: string): Promise<void>;
  chain(uuid: string): Promise<Chain | undefined>;
  keepChain(uuid: string, chain: Chain): Promise<void>;
};

/**
 * Where a receiver remembers messages. Over a database, `step` is one transaction: it locks the row of the
 * transaction's uuid, and commits when the work resolves. Then a message is marked as seen exactly if it was applied.
 */
export type ReceiverStore<Tx> = {
  /**
   * One step at a time for each uuid. Stores everything that the work wrote when it resolves, and nothing when it
   * rejects.
   */
  step<Value>(uuid: string, work: (records: StepRecords<Tx>) => Promise<Value>): Promise<Value>;
  /** Whether everything is lost when the process ends. */
  readonly forgets?: boolean;
  /** The uuids whose chain has `unreadTo`, which a restart has to read. */
  unread(): Promise<readonly string[]>;
};

/**
 * The number of ids in memory: those of some days. A copy of an older message changes nothing, because of its versions.
 */
const mostIds = 100_000;

/** For one process, until it ends. */
export const memoryStore = (): ReceiverStore<undefined> => {
  const seen = new Set<string>();
  const chains = new Map<string, Chain>();
  const inLine = oneAtATime();
  const keep = (ids: readonly string[], kept: ReadonlyMap<string, Chain>) => {
    for (const id of ids) seen.add(id);
    for (const id of seen) {
      if (seen.size <= mostIds) break;
      seen.delete(id);
    }
    for (const [uuid, chain] of kept) chains.set(uuid, chain);
  };
  return {
    forgets: true,
    step: (uuid, work) =>
      inLine(uuid, async () => {
        const ids: string[] = [];
        const kept = new Map<string, Chain>();
        const value = await work({
          tx: undefined,
          isSeen: async (id) => seen.has(id),
          markSeen: async (id) => void ids.push(id),
          chain: async (of) => kept.get(of) ?? chains.get(of),
          keepChain: async (of, chain) => void kept.set(of, chain),
        });
        keep(ids, kept);
        return value;
      }),
    unread: async () =>
      [...chains].filter(([, { unreadTo }]) => unreadTo !== undefined).map(([uuid]) => uuid),
  };
};

/** Runs the works of one name one after the other, even if earlier ones fail. */
export const oneAtATime = () => {
  const lines = new Map<string, Promise<unknown>>();
  return <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    const turn = (lines.get(name) ?? Promise.resolve()).then(work, work);
    const end = turn
      .catch(() => undefined)
      .finally(() => {
        if (lines.get(name) === end) lines.delete(name);
      });
    lines.set(name, end);
    return turn;
  };
};
