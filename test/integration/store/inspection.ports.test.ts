import { describe, expect, test } from '@jest/globals';
import {
  createInspectionStore,
  type InspectionStore,
} from '../../../functions/shared/store/partners/inspection.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryInspections } from '../../support/memory/endpoint-world.ts';

const engine = useEngine();

const stores: [string, () => Promise<InspectionStore>][] = [
  ['in the table', async () => createInspectionStore(await newTables(engine, ['Partners']))],
  ['in memory', async () => createMemoryInspections()],
];

describe.each(stores)('the progress of the inspection of endpoints, %s,', (_where, open) => {
  test('EV-21 begins with nobody, and is then as the last run has left it', async () => {
    const inspections = await open();
    expect(await inspections.read()).toEqual({ differing: [] });

    await inspections.write({ lastClientId: 'A', differing: ['A', 'B'] });
    await inspections.write({ lastClientId: 'C', differing: [] });

    expect(await inspections.read()).toEqual({ lastClientId: 'C', differing: [] });
  });
});
