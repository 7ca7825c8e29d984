import { describe, expect, test } from '@jest/globals';
import {
  createInspectionStore,
  type InspectionStore,
} from '../../../functions/shared/store/partners/inspection.ts';
import { addTables } from '../../support/engine/engine.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryInspections } from '../../support/memory/endpoint-world.ts';

const engine = useEngine();
let sets = 0;

const inTable = async (): Promise<InspectionStore> => {
  sets += 1;
  await addTables(engine.client, `-inspection-${sets}`, ['Partners']);
  return createInspectionStore({
    documents: engine.documents,
    partnersTable: `Partners-inspection-${sets}`,
  });
};

const stores: [string, () => Promise<InspectionStore>][] = [
  ['in the table', inTable],
  ['in memory', async () => createMemoryInspections()],
];

describe.each(stores)('the progress of the inspection of endpoints, %s,', (_where, open) => {
  test('EV-21 begins with nobody', async () => {
    const inspections = await open();

    expect(await inspections.read()).toEqual({ differing: [] });
  });

  test('EV-21 is stored by the last poll', async () => {
    const inspections = await open();
    await inspections.write({ lastClientId: 'A', differing: ['A', 'B'] });
    await inspections.write({ lastClientId: 'C', differing: [] });

    expect(await inspections.read()).toEqual({ lastClientId: 'C', differing: [] });
  });
});
