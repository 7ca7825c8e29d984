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
 * For one process, until it ends. It keeps this many ids, and the versions of this many transactions, the latest ones: of
 * some days, in 20 MB. After it has dropped versions, a transaction that it does not know has to be read.
 */
export const memoryStore = (most = 100_000): ReceiverStore<undefined> => {
  const seen = new Set<string>();
  const chains = new Map<string, Chain>();
  const inLine = oneAtATime();
  let droppedTo: string | undefined;
  const unknown = (): Chain | undefined => (droppedTo === undefined ? undefined : { unreadTo: 0, droppedTo });
  const keep = (ids: readonly string[], kept: ReadonlyMap<string, Chain>) => {
    for (const id of ids) seen.add(id);
    for (const id of seen) {
      if (seen.size <= most) break;
      seen.delete(id);
    }
    for (const [uuid, chain] of kept) {
      // A map has its oldest entry first.
      chains.delete(uuid);
      chains.set(uuid, chain);
    }
    for (const [uuid, { latest = '' }] of chains) {
      if (chains.size <= most) break;
      chains.delete(uuid);
      if (latest >= (droppedTo ?? '')) droppedTo = latest;
    }
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
          chain: async (of) => kept.get(of) ?? chains.get(of) ?? unknown(),
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
