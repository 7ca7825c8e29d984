import type { KeyKind, KeyRing } from '../../../functions/shared/domain/keys/key-ring.ts';
import { createRingStore } from '../../../functions/shared/store/keys/ring-store.ts';
import type { StackFile } from '../../../localstack/embedded/stack-file.ts';
import { clientOf, documentsOf } from '../engine/engine.ts';

/** The rings of a running stage, whose keys can be made older than they are: tests do not wait for ten minutes. */
export const openStageKeys = ({ stack }: { stack: Pick<StackFile, 'operator'> }) => {
  const { endpoints, variables } = stack.operator;
  const rings = createRingStore({
    documents: documentsOf(clientOf(endpoints.dynamodb)),
    partnersTable: variables.PARTNERS_TABLE ?? '',
  });
  const ringOf = async (kind: KeyKind): Promise<KeyRing> => {
    const ring = await rings.read(kind);
    if (!ring) throw new Error(`There is no ring of ${kind} keys`);
    return ring;
  };
  return {
    ringOf,
    /** Every key of the ring was made so much earlier. */
    age: async (kind: KeyKind, byMs: number) => {
      const ring = await ringOf(kind);
      const entries = ring.entries.map((entry) => ({ ...entry, madeAtMs: entry.madeAtMs - byMs }));
      await rings.replace(kind, { ...ring, revision: ring.revision + 1, entries });
    },
  };
};
