import { describe, expect, test } from '@jest/globals';
import {
  createPartnerDirectory,
  type PartnerDirectory,
} from '../../../functions/shared/store/partners/directory.ts';
import type { PartnerStore } from '../../../functions/shared/store/partners/partner-store.ts';
import { createPartnerStore } from '../../../functions/shared/store/partners/store.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { addTables, clientOf, documentsOf } from '../../support/engine/engine.ts';
import { injectFaults } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryPartners, directoryOver } from '../../support/memory/partners.ts';

const engine = useEngine();
let sets = 0;

type Place = { store: PartnerStore; directory: PartnerDirectory };

const inMemory = async (): Promise<Place> => {
  const store = createMemoryPartners();
  return { store, directory: directoryOver(store) };
};

/** Reads that are not strongly consistent are answered as if nothing was there. */
const inTable = async (): Promise<Place> => {
  sets += 1;
  await addTables(engine.client, `-directory-${sets}`, ['Partners']);
  const table = `Partners-directory-${sets}`;
  const documents = documentsOf(clientOf(engine.endpoint));
  injectFaults(documents, () => undefined);
  return {
    store: createPartnerStore({ documents: engine.documents, partnersTable: table }),
    directory: createPartnerDirectory({ documents, partnersTable: table }),
  };
};

const partners = Array.from({ length: 130 }, (_, index) => {
  const number = String(index).padStart(3, '0');
  return aPartner({ clientId: `P${number}`, name: `Partner ${number}` });
});

describe.each([
  { name: 'stand-in in memory', open: inMemory },
  { name: 'DynamoDB engine', open: inTable },
])('$name', ({ open }) => {
  test('I9 all partners are read, and those of some ids, as they are now', async () => {
    const { store, directory } = await open();
    for (const partner of partners) await store.create({ partner, secrets: [] }, 'signature');
    const [first = aPartner(), second = aPartner()] = partners;
    const disabled = { ...first, enabled: false };
    await store.update({ before: first, after: disabled });

    expect(await directory.all()).toEqual([disabled, ...partners.slice(1)]);
    expect(await directory.byClientIds(['P001', 'P000', 'nobody', 'P001'])).toEqual(
      new Map([
        ['P000', disabled],
        ['P001', second],
      ]),
    );
    expect((await directory.byClientIds(partners.map(({ clientId }) => clientId))).size).toBe(130);
  });

  test('an empty table has no partners', async () => {
    const { directory } = await open();

    expect(await directory.all()).toEqual([]);
    expect(await directory.byClientIds([])).toEqual(new Map());
  });
});
