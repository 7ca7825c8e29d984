import type { AuditTrail } from '../../../bin/operator/store/audit-trail.ts';
import type { AdoptionNote, RecoveryStore } from '../../../bin/operator/store/recovery/recovery-store.ts';
import type { MemoryTransactions } from './transactions.ts';

/** Nothing went back but what the transactions say; tests of adoptions run on the engine. */
export const createMemoryRecovery = ({
  withDeleted,
}: Pick<MemoryTransactions, 'withDeleted'>): RecoveryStore => {
  let underWay: AdoptionNote | undefined;
  return {
    transactions: () => withDeleted(),
    debounceItems: async function* () {},
    sequences: async () => ({ ids: 0, sequenceNumbers: 0 }),
    sequenceNumbersAtLeast: async () => {},
    retentionAgain: async () => {},
    recordsMadeAfter: async function* () {},
    forgetRecord: async () => {},
    begin: async (note) => {
      underWay ??= note;
      return underWay;
    },
    underWay: async () => underWay,
    end: async () => {
      underWay = undefined;
    },
  };
};

/** No record is lost. */
export const emptyTrail: AuditTrail = { read: async () => [], giveBack: async () => {} };
