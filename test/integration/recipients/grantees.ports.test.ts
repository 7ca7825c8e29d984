import { DeleteCommand, ScanCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addGrantee } from '../../../bin/operator/store/partners/grantee-updates.ts';
import type { PartnerStore } from '../../../bin/operator/store/partners/partner-store.ts';
import { recipientsOf } from '../../../functions/shared/domain/event/recipient.ts';
import { covers, type Grant } from '../../../functions/shared/domain/ownership/grant.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import {
  createPartnerDirectory,
  type PartnerDirectory,
} from '../../../functions/shared/store/partners/directory.ts';
import { grantKey } from '../../../functions/shared/store/partners/keys.ts';
import { aPartner, aServedEndpoint } from '../../support/builders/a-partner.ts';
import { propertyRun } from '../../support/builders/property-run.ts';
import { anOwner } from '../../support/builders/transactions.ts';
import { type ChooseFault, faultOfNext } from '../../support/engine/faults.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { createSignedPartnerStore } from '../../support/engine/partner-store.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryPartners, directoryOver } from '../../support/memory/partners.ts';

const engine = useEngine();

type Place = { store: PartnerStore; directory: PartnerDirectory };

const inMemory = async (): Promise<Place> => {
  const store = createMemoryPartners();
  return { store, directory: directoryOver(store) };
};

/** Stores over a table of their own, whose requests may fail. */
const inTable = async (choose?: ChooseFault, sleep = async () => {}) => {
  const tables = await newTables(engine, ['Partners'], choose);
  const access = { ...tables, retryDelays: { random: () => 0, sleep }, clock: () => new Date() };
  return {
    store: createSignedPartnerStore(access),
    directory: createPartnerDirectory(access),
    partnersTable: tables.partnersTable,
  };
};

/** Stores whose writes of partners fail from the given number on. */
const inFailingTable = async () => {
  const left = { writes: Number.POSITIVE_INFINITY };
  const place = await inTable((command) => {
    if (command !== 'TransactWriteItemsCommand') return undefined;
    left.writes -= 1;
    return left.writes < 0 ? 'crash-before-send' : undefined;
  });
  return { ...place, left };
};

const named = (clientId: string, grants: Grant[], more: Partial<Partner> = {}) =>
  aPartner({ clientId, name: `Partner ${clientId}`, webhookUrl: 'https://p.example/', grants, ...more });
const create = (store: PartnerStore, partner: Partner) =>
  store.create({ partner, secrets: [], endpoint: aServedEndpoint() }, 'signature');
const grantees = async ({ directory }: Place, owner: Parameters<typeof anOwner>[0]) =>
  (await directory.ofOwners([anOwner(owner)])).map(({ clientId }) => clientId);

/** Who holds what, by the index. */
const indexOf = async (TableName: string) => {
  const { Items = [] } = await engine.documents.send(new ScanCommand({ TableName }));
  const rows = Items.filter(({ grant, clientIds }) => grant !== undefined && clientIds !== undefined);
  return Object.fromEntries(
    rows.map(({ grant, clientIds }) => [
      [grant.group, grant.location].filter((part) => part !== undefined).join('/'),
      [...clientIds].sort(),
    ]),
  );
};

const owner = { group: 'G', franchise: 'F', location: 'L' };
const ofLocation = (location: number): Grant => ({ group: 'G', location: `L${location}` });
/** More than one atomic write takes. */
const many = (from: number): Grant[] => Array.from({ length: 250 }, (_, index) => ofLocation(from + index));

describe.each([
  { name: 'stand-in in memory', open: inMemory },
  { name: 'DynamoDB engine', open: (): Promise<Place> => inTable() },
])('$name', ({ open }) => {
  test('GRANT-4 an owner leads to the holders of the four grants that cover it, and to nobody else', async () => {
    const place = await open();
    const held: [string, Grant[]][] = [
      ['P1', [{ group: 'G' }]],
      ['P10', [{ group: 'G', franchise: 'F' }]],
      ['P2', [{ group: 'G', location: 'L' }]],
      ['P3', [{ group: 'G', franchise: 'F', location: 'L' }]],
      ['P4', [{ group: 'G', franchise: 'X' }, { group: 'X' }]],
      ['P5', [{ group: 'G', franchise: 'L', location: 'F' }]],
      ['P6', [{ group: 'G', franchise: '' }, { group: '' }]],
      ['P7', []],
    ];
    for (const [clientId, grants] of held) await create(place.store, named(clientId, grants));

    expect(await grantees(place, owner)).toEqual(['P1', 'P10', 'P2', 'P3']);
    expect(await grantees(place, { ...owner, location: 'M' })).toEqual(['P1', 'P10']);
    expect(await grantees(place, { ...owner, franchise: 'E' })).toEqual(['P1', 'P2']);
    expect(await grantees(place, { ...owner, franchise: '', location: '' })).toEqual(['P1']);
    expect(await grantees(place, { ...owner, group: 'X' })).toEqual(['P4']);
    expect(await grantees(place, { ...owner, group: '' })).toEqual([]);
    expect(await place.directory.ofOwners([])).toEqual([]);
    expect(await place.directory.ofOwners([undefined])).toEqual([]);
    const both = await place.directory.ofOwners([
      anOwner({ ...owner, group: 'X' }),
      anOwner(owner),
      undefined,
    ]);
    expect(both.map(({ clientId }) => clientId)).toEqual(['P1', 'P10', 'P2', 'P3', 'P4']);
  });

  test('GRANT-4 changed grants count for the next event, whoever else holds them', async () => {
    const place = await open();
    const before = named('P1', [{ group: 'G' }]);
    await create(place.store, before);
    await create(place.store, named('P11', [{ group: 'G' }]));
    expect(await grantees(place, owner)).toEqual(['P1', 'P11']);

    const moved = { ...before, grants: [{ group: 'H' }] };
    await place.store.update({ before, after: moved });
    expect(await grantees(place, owner)).toEqual(['P11']);
    expect(await place.directory.ofOwners([anOwner({ group: 'H' })])).toEqual([moved]);

    expect(await place.store.update({ before, after: { ...before, enabled: false } })).toMatchObject({
      ok: false,
    });
    expect(await grantees(place, owner)).toEqual(['P11']);
    await place.store.rotateSignature({ before: moved, after: before }, { announce: 'next' });
    expect(await grantees(place, owner)).toEqual(['P1', 'P11']);

    await place.store.remove('P1');
    expect(await grantees(place, owner)).toEqual(['P11']);
    await place.store.remove('P11');
    expect(await grantees(place, owner)).toEqual([]);
    await create(place.store, before);
    expect(await place.directory.ofOwners([anOwner(owner)])).toEqual([before]);
  });

  test('GRANT-4 a partner with hundreds of grants is created, changed and removed with all of them', async () => {
    const place = await open();
    const before = named('P', many(0));
    const after = { ...before, grants: many(100), enabled: false };
    const foundAt = async (locations: number[]) => {
      const found = locations.map((location) => grantees(place, { ...owner, location: `L${location}` }));
      return (await Promise.all(found)).map((clientIds) => clientIds.length);
    };
    const ends = [0, 99, 100, 249, 250, 349, 350];

    expect(await create(place.store, before)).toEqual({ ok: true, value: before });
    expect(await place.store.byClientId('P')).toEqual(before);
    expect(await foundAt(ends)).toEqual([1, 1, 1, 1, 0, 0, 0]);
    expect(await place.store.update({ before, after })).toEqual({ ok: true, value: after });
    expect(await place.store.byClientId('P')).toEqual(after);
    expect(await foundAt(ends)).toEqual([0, 0, 1, 1, 1, 1, 0]);
    expect(await place.store.remove('P')).toMatchObject({ ok: true });
    expect(await foundAt(ends)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(await place.store.byName('Partner P')).toBeUndefined();
  }, 60_000);

  test('GRANT-4 I9 after any changes, the recipients found by an owner equal those found among all partners', async () => {
    const names = fc.constantFrom('a', 'b', '#', '","', '');
    const grant = fc.record({ group: names, franchise: names, location: names }, { requiredKeys: ['group'] });
    const states = [{}, { enabled: false }, { webhookPaused: 'operator' as const }, { oauthScopes: [] }];
    const change = fc.record({
      clientId: fc.constantFrom('P1', 'P10', 'P2', 'P3'),
      grants: fc.option(fc.array(grant, { maxLength: 4 }), { nil: undefined, freq: 6 }),
      state: fc.constantFrom<Partial<Partner>>(...states),
    });
    const owners = fc.array(fc.record({ group: names, franchise: names, location: names }), { maxLength: 3 });

    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), owners, async (changes, asked) => {
        const place = await open();
        for (const { clientId, grants, state } of changes) {
          const before = await place.store.byClientId(clientId);
          const after = named(clientId, grants ?? [], state);
          if (before && !grants) await place.store.remove(clientId);
          else if (before) await place.store.update({ before, after });
          else await create(place.store, after);
        }
        const all = await place.store.all();
        const found = await place.directory.ofOwners(asked.map(anOwner));
        for (const one of asked.map(anOwner))
          expect(recipientsOf(found, one)).toEqual(recipientsOf(all, one));
        const covering = all.filter(({ grants }) => asked.some((one) => covers(grants, anOwner(one))));
        expect(found).toEqual(covering);
      }),
      propertyRun('partners that are found by an owner', 12, 300),
    );
  }, 240_000);
});

describe('the index of grantees', () => {
  test.each(['create', 'update', 'remove'] as const)(
    'GRANT-4 after a death during a large %s, record and index agree, and a second try completes it',
    async (kind) => {
      for (const deaths of [1, 2, 3]) {
        const { left, ...place } = await inFailingTable();
        const before = named('P', many(0));
        const after = { ...before, grants: many(100) };
        const run = async () => {
          const now = await place.store.byClientId('P');
          if (kind === 'remove') return place.store.remove('P');
          return now ? place.store.update({ before: now, after }) : create(place.store, after);
        };
        if (kind !== 'create') await create(place.store, before);

        left.writes = deaths;
        await run().catch(() => {});
        const { grants = [] } = (await place.store.byClientId('P')) ?? {};
        const wanted = new Set(grants.map(({ location }) => location));
        expect(wanted.size).toBeLessThanOrEqual(350);
        for (const location of [0, 89, 90, 99, 100, 179, 180, 249, 250, 300, 349].map((one) => `L${one}`))
          expect(await grantees(place, { ...owner, location })).toEqual(wanted.has(location) ? ['P'] : []);

        left.writes = Number.POSITIVE_INFINITY;
        await run();
        expect((await place.store.byClientId('P'))?.grants).toEqual(
          kind === 'remove' ? undefined : after.grants,
        );
      }
    },
    60_000,
  );

  test('GRANT-4 other attributes of the record change with the last step of a large change', async () => {
    const { left, store } = await inFailingTable();
    const before = named('P', []);
    const change = { before, after: { ...before, grants: many(0) } };
    await create(store, before);

    left.writes = 1;
    await expect(store.rotateSignature(change, { announce: 'next' })).rejects.toThrow('injected');

    expect((await store.byClientId('P'))?.grants).toHaveLength(90);
    expect(await store.signatureOf('P')).toEqual({ signature: 'signature' });
    left.writes = Number.POSITIVE_INFINITY;
    const [grown, after] = [{ ...before, grants: many(0).slice(0, 90) }, change.after];
    await store.rotateSignature({ before: grown, after }, { announce: 'next' });
    expect(await store.signatureOf('P')).toEqual({ signature: 'signature', next: 'next' });
  });

  describe('concurrent changes between two requests', () => {
    /** Declines a write of a partner after this many others, and lets other work happen before it is sent again. */
    const beginBetween = async () => {
      const next = { write: Number.POSITIVE_INFINITY, works: async () => {} };
      const place = await inTable(
        (command) => {
          if (command !== 'TransactWriteItemsCommand') return undefined;
          next.write -= 1;
          return next.write === 0 ? 'throttle' : undefined;
        },
        () => next.works(),
      );
      return { ...place, next };
    };

    test('GRANT-4 a partner that gets a grant while it is removed is removed with all of them', async () => {
      const { store, partnersTable, next } = await beginBetween();
      const before = named('P', [{ group: 'G' }]);
      await create(store, before);
      const after = { ...before, grants: [...before.grants, { group: 'H' }] };
      next.works = async () => void (await store.update({ before, after }));

      next.write = 1;
      expect(await store.remove('P')).toEqual({ ok: true, value: undefined });

      expect(await store.byClientId('P')).toBeUndefined();
      expect(await indexOf(partnersTable)).toEqual({});
    });

    test('GRANT-4 a partner with hundreds of grants that is changed while it is created is not reported as created', async () => {
      const { store, next } = await beginBetween();
      next.works = async () => {
        const before = await store.byClientId('P');
        if (before) await store.update({ before, after: { ...before, enabled: false } });
      };

      next.write = 2;

      await expect(create(store, named('P', many(0)))).rejects.toThrow(
        'The partner Partner P was changed while it was made',
      );
    });
  });

  test('GRANT-4 whatever the store writes, the index has each partner at its grants, and nowhere else', async () => {
    const { store, partnersTable } = await inTable();
    const [g, h] = [{ group: 'G' }, { group: 'H', location: 'L' }];
    await create(store, named('P1', [g, h, g]));
    await create(store, named('P2', [g]));
    await create(store, named('P3', []));
    await store.update({ before: named('P2', [g]), after: named('P2', [h]) });
    await create(store, named('P4', [{ group: 'gone' }]));
    await store.remove('P4');

    expect(await indexOf(partnersTable)).toEqual({ G: ['P1'], 'H/L': ['P1', 'P2'] });
  });

  test('GRANT-4 a partner is added to an index from another time than its record', async () => {
    const place = await inTable();
    const partner = named('P', [...many(0), { group: 'G' }, { group: 'G' }]);
    await create(place.store, partner);
    const Key = grantKey({ group: 'G' });
    await engine.documents.send(new DeleteCommand({ TableName: place.partnersTable, Key }));
    expect(await grantees(place, owner)).toEqual([]);

    await place.store.addToIndex(partner);

    expect(await grantees(place, owner)).toEqual(['P']);
  });

  test('GRANT-4 two operators at one grant: the second one tries again', async () => {
    const { next, choose } = faultOfNext();
    const place = await inTable(choose);

    next.fault = 'conflict';
    await create(place.store, named('P', [{ group: 'G' }]));
    next.fault = 'conflict';

    expect(await grantees(place, owner)).toEqual(['P']);
  });

  test('GRANT-4 a write whose answer is lost is done once', async () => {
    const { next, choose } = faultOfNext();
    const place = await inTable(choose);

    next.fault = 'answer-lost';

    expect(await create(place.store, named('P', [{ group: 'G' }]))).toMatchObject({ ok: true });
    expect(await grantees(place, owner)).toEqual(['P']);
  });

  test('GRANT-4 S-54 a removed grant notifies nobody, even if the index still has it', async () => {
    const place = await inTable();
    await create(place.store, named('P', [{ group: 'H' }]));
    for (const clientId of ['P', 'gone']) {
      const TransactItems = [addGrantee(place.partnersTable, { group: 'G' }, clientId)];
      await engine.documents.send(new TransactWriteCommand({ TransactItems }));
    }

    const found = await place.directory.ofOwners([anOwner(owner)]);

    expect(found.map(({ clientId }) => clientId)).toEqual(['P']);
    expect(recipientsOf(found, anOwner(owner))).toEqual([]);
  });

  test('GRANT-4 the owners of hundreds of rows are read in whole transactions of at most a hundred items', async () => {
    const sizes: number[] = [];
    const place = await inTable((command, input) => {
      if (command === 'TransactGetItemsCommand') sizes.push((input.TransactItems as unknown[]).length);
      return undefined;
    });
    await create(place.store, named('P', [ofLocation(59)]));
    const owners = Array.from({ length: 60 }, (_, index) =>
      anOwner({ group: `G${index}`, location: `L${index}` }),
    );

    await place.directory.ofOwners([...owners, ...owners]);
    const asked = owners.map((one) => ({ ...one, group: 'G' }));
    expect((await place.directory.ofOwners(asked)).map(({ clientId }) => clientId)).toEqual(['P']);

    expect(sizes.sort((one, other) => one - other)).toEqual([22, 40, 52, 52, 100, 100]);
  });
});
