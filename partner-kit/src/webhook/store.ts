import type { Chain } from './order.ts';

/** What one step may look at and write. */
export type StepRecords<Tx> = {
  /** The store's own transaction, for what `apply` writes: kept together with the rest, or not at all. */
  readonly tx: Tx;
  isSeen(id: string): Promise<boolean>;
  markSeen(id: string): Promise<void>;
  chain(uuid: string): Promise<Chain | undefined>;
  keepChain(uuid: string, chain: Chain): Promise<void>;
};

/**
 * Where a receiver remembers what it has taken. Over a database, `step` is one transaction: it locks the row of the
 * transaction's uuid, and commits when the work resolves. Then a message is marked as seen exactly if it was applied.
 */
export type ReceiverStore<Tx> = {
  /** One at a time for each uuid; all that the work wrote is kept when it resolves, and nothing when it rejects. */
  step<Value>(uuid: string, work: (records: StepRecords<Tx>) => Promise<Value>): Promise<Value>;
  /** Whether all of it is gone at the end of the process. */
  readonly forgets?: boolean;
  /** The uuids whose chain has `unreadTo`: what a restart has to read. */
  unread(): Promise<readonly string[]>;
};

/** Ids that are remembered in memory: those of some days; a copy of an older message changes nothing, by its versions. */
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

/** Runs works of one name one after the other, whether those before succeed or not. */
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
