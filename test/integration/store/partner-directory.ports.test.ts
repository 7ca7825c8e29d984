import { describe, expect, test } from '@jest/globals';
import type { PartnerStore } from '../../../bin/operator/store/partners/partner-store.ts';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import {
  createPartnerDirectory,
  type PartnerDirectory,
} from '../../../functions/shared/store/partners/directory.ts';
import {
  createEndpointStore,
  type EndpointStore,
} from '../../../functions/shared/store/partners/endpoints.ts';
import {
  createWebhookSwitch,
  type WebhookSwitch,
} from '../../../functions/shared/store/partners/webhook-switch.ts';
import { aPartner, aServedEndpoint } from '../../support/builders/a-partner.ts';
import { anOwner } from '../../support/builders/transactions.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import {
  createMemoryPartners,
  createMemoryWebhookSwitch,
  directoryOver,
  endpointsOver,
} from '../../support/memory/partners.ts';

const engine = useEngine();

type Place = {
  store: PartnerStore;
  directory: PartnerDirectory;
  endpoints: EndpointStore;
  webhookSwitch: WebhookSwitch;
};

const inMemory = async (): Promise<Place> => {
  const store = createMemoryPartners();
  const webhookSwitch = createMemoryWebhookSwitch();
  const endpoints = endpointsOver(store, webhookSwitch);
  return { store, endpoints, webhookSwitch, directory: directoryOver(store, webhookSwitch, now) };
};

/** Reads that are not strongly consistent are answered as if nothing was there. */
const inTable = async (): Promise<Place> => {
  const access = await newTables(engine, ['Partners']);
  return {
    store: createPartnerStore(access),
    webhookSwitch: createWebhookSwitch(access),
    endpoints: createEndpointStore(access),
    directory: createPartnerDirectory({ ...access, clock: now }),
  };
};

const now = () => new Date(1_000);
const endpoint = aServedEndpoint({ servesFromMs: 1_000 });

const partners = Array.from({ length: 130 }, (_, index) => {
  const number = String(index).padStart(3, '0');
  return aPartner({ clientId: `P${number}`, name: `Partner ${number}` });
});

const clientIds = partners.map(({ clientId }) => clientId);
const createAll = async ({ store }: Place) => {
  for (const partner of partners) await store.create({ partner, secrets: [], endpoint }, 'signature');
};
const one = aPartner({ clientId: 'P1', name: 'one' });

describe.each([
  { name: 'stand-in in memory', open: inMemory },
  { name: 'DynamoDB engine', open: inTable },
])('$name', ({ open }) => {
  test('I9 all partners, or those of some ids, are read in their present state', async () => {
    const place = await open();
    const { store, directory } = place;
    await createAll(place);
    const [first = aPartner(), second = aPartner()] = partners;
    const disabled = { ...first, enabled: false };
    await store.update({ before: first, after: disabled });

    expect(await directory.byClientIds(['P001', 'P000', 'nobody', 'P001'])).toEqual(
      new Map([
        ['P000', disabled],
        ['P001', second],
      ]),
    );
    expect((await directory.byClientIds(clientIds)).size).toBe(130);
    expect(await directory.byClientIds([])).toEqual(new Map());
  });

  test('S-77 the switch of all webhooks keeps the time of the first stop, pauses no partner and changes no record', async () => {
    const place = await open();
    const { store, directory, webhookSwitch } = place;
    await createAll(place);
    const [known = aPartner()] = partners;
    expect(await webhookSwitch.read()).toBeUndefined();

    const first = await webhookSwitch.stop(1_000);
    const second = await webhookSwitch.stop(2_000);

    expect([first, second]).toEqual(Array(2).fill({ stoppedAtMs: 1_000 }));
    expect(await webhookSwitch.read()).toEqual(second);
    const found = async () => [...(await directory.byClientIds(clientIds)).values()];
    expect((await found()).filter(({ webhookPaused }) => webhookPaused)).toEqual([]);
    expect(await store.byClientId('P000')).toEqual(known);
    expect(await store.all()).toEqual(partners);

    await webhookSwitch.start(3_000);
    await webhookSwitch.start(4_000);
    expect(await webhookSwitch.read()).toBeUndefined();
    expect(await found()).toEqual(partners.map((partner) => ({ ...partner, isUnserved: true })));
  });

  test('DR-13 after a start a partner is unserved until keep-endpoints has seen that start', async () => {
    const { store, directory, endpoints, webhookSwitch } = await open();
    await store.create({ partner: one, secrets: [], endpoint }, 'signature');
    const isUnserved = async () => (await directory.byClientIds(['P1'])).get('P1')?.isUnserved;
    await webhookSwitch.stop(300);
    await webhookSwitch.start(500);

    const restored = await isUnserved();
    await endpoints.write('P1', { ...endpoint, resumedAtMs: 499 });
    const ofAnEarlierStart = await isUnserved();
    await endpoints.write('P1', { ...endpoint, resumedAtMs: 500 });

    expect([restored, ofAnEarlierStart, await isUnserved()]).toEqual([true, true, undefined]);
  });

  test('I9 a partner is unserved until its endpoint is on', async () => {
    const { store, directory } = await open();
    const statuses = {
      new: undefined,
      later: aServedEndpoint({ servesFromMs: 1_001 }),
      now: aServedEndpoint({ servesFromMs: 1_000 }),
      paused: { state: 'paused', sinceMs: 0 } as const,
    };
    for (const [clientId, status] of Object.entries(statuses)) {
      const partner = aPartner({ clientId, name: clientId });
      await store.create({ partner, secrets: [], ...(status && { endpoint: status }) }, 'signature');
    }

    const byIds = [...(await directory.byClientIds(Object.keys(statuses))).values()];
    const ofOwner = await directory.ofOwners([anOwner({ franchise: '', location: '' })]);

    const expected = [
      ['later', true],
      ['new', true],
      ['now', undefined],
      ['paused', true],
    ];
    for (const found of [byIds, ofOwner])
      expect(found.map(({ clientId, isUnserved }) => [clientId, isUnserved]).sort()).toEqual(expected);
  });

  test('S-77 keep-endpoints reads a partner, its signature and the switch with its time', async () => {
    const { store, endpoints, webhookSwitch } = await open();
    await store.create({ partner: one, secrets: [], endpoint }, 'signature');
    const read = async () => {
      const record = await endpoints.read('P1');
      const { signature, ...alike } = record;
      expect([await endpoints.readMany(['P1', 'P2']), signature]).toEqual([
        new Map([['P1', alike]]),
        { signature: 'signature' },
      ]);
      return alike;
    };

    const atFirst = await read();
    await webhookSwitch.stop(2_000);
    const stopped = await read();
    await webhookSwitch.start(3_000);
    const started = await read();
    await webhookSwitch.stop(4_000);

    const served = { partner: one, status: endpoint, isStopped: false };
    expect(atFirst).toEqual(served);
    expect(stopped).toEqual({ ...served, isStopped: true });
    expect(started).toEqual({ ...served, startedAtMs: 3_000 });
    expect(await read()).toEqual(stopped);
    expect(await endpoints.clientIds()).toEqual(['P1']);
  });

  test('keep-endpoints writes the status of a partner, and none of a removed one', async () => {
    const { store, endpoints } = await open();
    await store.create({ partner: one, secrets: [] }, 'signature');

    const written = [await endpoints.write('P1', endpoint), await endpoints.write('P2', endpoint)];

    expect(written).toEqual([true, false]);
    expect(await store.profileOf('P1')).toEqual({ partner: one, secrets: [], endpoint });
    expect(await endpoints.read('P2')).toEqual({ isStopped: false });
  });
});
