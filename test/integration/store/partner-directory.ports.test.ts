import { describe, expect, test } from '@jest/globals';
import {
  createPartnerDirectory,
  type PartnerDirectory,
} from '../../../functions/shared/store/partners/directory.ts';
import type { PartnerStore } from '../../../functions/shared/store/partners/partner-store.ts';
import { createPartnerStore } from '../../../functions/shared/store/partners/store.ts';
import {
  createWebhookSwitch,
  type WebhookSwitch,
} from '../../../functions/shared/store/partners/webhook-switch.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { addTables, clientOf, documentsOf } from '../../support/engine/engine.ts';
import { injectFaults } from '../../support/engine/faults.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import {
  createMemoryPartners,
  createMemoryWebhookSwitch,
  directoryOver,
} from '../../support/memory/partners.ts';

const engine = useEngine();
let sets = 0;

type Place = { store: PartnerStore; directory: PartnerDirectory; webhookSwitch: WebhookSwitch };

const inMemory = async (): Promise<Place> => {
  const store = createMemoryPartners();
  const webhookSwitch = createMemoryWebhookSwitch();
  return { store, webhookSwitch, directory: directoryOver(store, webhookSwitch) };
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
    webhookSwitch: createWebhookSwitch({ documents: engine.documents, partnersTable: table }),
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

  test('S-77 while the webhooks of the stage are stopped every partner is paused, and no record changes', async () => {
    const { store, directory, webhookSwitch } = await open();
    for (const partner of partners) await store.create({ partner, secrets: [] }, 'signature');
    const [known = aPartner()] = partners;
    expect(await webhookSwitch.read()).toBeUndefined();

    const first = await webhookSwitch.stop(1_000);
    const second = await webhookSwitch.stop(2_000);

    expect([first, second]).toEqual([
      { stoppedAtMs: 1_000, stops: 1 },
      { stoppedAtMs: 1_000, stops: 2 },
    ]);
    expect(await webhookSwitch.read()).toEqual(second);
    const all = await directory.all();
    expect(all).toHaveLength(130);
    expect(all.every(({ webhookPaused }) => webhookPaused !== undefined)).toBe(true);
    const asked = await directory.byClientIds(partners.map(({ clientId }) => clientId));
    expect([...asked.values()].filter(({ webhookPaused }) => webhookPaused)).toHaveLength(130);
    expect(await store.byClientId('P000')).toEqual(known);
    expect(await store.all()).toEqual(partners);

    expect(await webhookSwitch.release(first, 3_000)).toBe(false);
    expect(await webhookSwitch.finish(first)).toBe(false);
    expect(await webhookSwitch.release(second, 3_000)).toBe(true);
    expect(await webhookSwitch.read()).toEqual({ ...second, startingAtMs: 3_000 });
    expect(await directory.all()).toEqual(partners);
    expect((await webhookSwitch.stop(4_000)).startingAtMs).toBeUndefined();
    expect((await directory.all())[0]?.webhookPaused).toBe('operator');
    expect(await webhookSwitch.finish({ stoppedAtMs: 1_000, stops: 3 })).toBe(true);
    expect(await webhookSwitch.finish({ stoppedAtMs: 1_000, stops: 3 })).toBe(false);
    expect(await webhookSwitch.read()).toBeUndefined();
    expect(await directory.all()).toEqual(partners);
  });

  test('an empty table has no partners', async () => {
    const { directory } = await open();

    expect(await directory.all()).toEqual([]);
    expect(await directory.byClientIds([])).toEqual(new Map());
  });
});
