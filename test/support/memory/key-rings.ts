import type { KeyKind, KeyRing } from '../../../functions/shared/domain/keys/key-ring.ts';
import { refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { RingStore } from '../../../functions/shared/store/keys/ring-store.ts';

/** The same answers as the table gives, held in memory: for tests. One suite runs on both. */
export const createMemoryRings = (): RingStore => {
  const rings = new Map<KeyKind, KeyRing>();
  return {
    read: async (kind) => structuredClone(rings.get(kind)),
    replace: async (kind, ring) => {
      if ((rings.get(kind)?.revision ?? 0) !== ring.revision - 1) return refuse('changed-meanwhile');
      rings.set(kind, structuredClone(ring));
      return succeed(ring);
    },
  };
};
