import type {
  Erasure,
  KeptCopy,
  PersonalDataStore,
} from '../../../bin/operator/store/personal-data/personal-data-store.ts';
import type { TransactionWalk } from '../../../bin/operator/store/transactions/walk.ts';
import type { MemorySessions } from './sessions.ts';

/** What the stand-in keeps, for tests to look at and to add to. */
export type MemoryPersonalData = PersonalDataStore & {
  kept: KeptCopy[];
  receipts: Map<string, { endedAtMs: number; counts: Record<string, number> }>;
};

/** Customers' data over an array of copies, beside the transactions and the ends of sessions of other stand-ins. */
export const createMemoryPersonalData = (
  transactions: Pick<TransactionWalk, 'withDeleted'>,
  { ends }: Pick<MemorySessions, 'ends'>,
): MemoryPersonalData => {
  const erasures: Erasure[] = [];
  const data: MemoryPersonalData = {
    kept: [],
    receipts: new Map(),
    transactions: () => transactions.withDeleted(),
    async *movedSessions() {
      for (const [session, { movedTo }] of ends) if (movedTo !== undefined) yield { session, movedTo };
    },
    async *copies(onScan) {
      onScan({ rows: data.kept.length, units: data.kept.length });
      yield* structuredClone(data.kept);
    },
    eraseCopy: async ({ key }) => {
      data.kept = data.kept.filter((copy) => copy.key.pk !== key.pk);
    },
    erasures: {
      digester: async () => (text) => `digest of ${[...text].toReversed().join('')}`,
      add: async (erasure) => {
        const added = { id: `AT#${new Date(erasure.atMs).toISOString()}#${erasures.length}`, ...erasure };
        erasures.push(added);
        return added;
      },
      all: async () => structuredClone(erasures),
      end: async (id, receipt) => void data.receipts.set(id, receipt),
    },
  };
  return data;
};
