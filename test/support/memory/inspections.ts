import type { Inspection, InspectionStore } from '../../../functions/shared/store/partners/inspection.ts';

/** How far endpoints were inspected, in memory: a stand-in for tests. */
export const createMemoryInspections = (): InspectionStore => {
  let inspection: Inspection = { differing: [] };
  return {
    read: async () => structuredClone(inspection),
    write: async (written) => {
      inspection = structuredClone(written);
    },
  };
};
