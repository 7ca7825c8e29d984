import { describe, expect, test } from '@jest/globals';
import type { StorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryStorefronts } from '../../support/memory/storefronts.ts';

const origin = 'https://shop.example';
const ownerAt = (location: string, changes: Partial<Storefront['owner']> = {}) => ({
  group: 'G',
  franchise: 'F',
  branch: 'Leeds',
  location,
  groupSoftware: '',
  ...changes,
});
const aStorefront = (name: string, changes: Partial<Storefront> = {}): Storefront => ({
  name,
  owner: ownerAt(name),
  origins: [origin],
  retired: false,
  createdAtMs: 1_700_000_000_000,
  ...changes,
});
const later = { createdAtMs: 1_700_000_000_009 };
const refused = (reason: string) => ({ ok: false, reason });
const namesOf = (storefronts: Storefront[]) => storefronts.map(({ name }) => name);

const engine = useEngine();

const inTable = async () => createStorefrontStore(await newTables(engine));
const stores: [string, () => Promise<StorefrontStore>][] = [
  ['in the table', inTable],
  ['in memory', async () => createMemoryStorefronts()],
];

describe.each(stores)('OWN-1 the storefronts %s', (_where, open) => {
  const withLeeds = async (changes: Partial<Storefront> = {}, isDefault = false) => {
    const storefronts = await open();
    const leeds = aStorefront('leeds', changes);
    const registered = await storefronts.register(leeds, { isDefault });
    return { storefronts, leeds, registered };
  };

  test('a registered storefront is found by name, origin and group', async () => {
    const { storefronts, leeds, registered } = await withLeeds();

    expect(registered).toEqual({ ok: true, value: leeds });
    expect(await storefronts.byName('leeds')).toEqual(leeds);
    expect(await storefronts.ofOrigin(origin)).toEqual([leeds]);
    expect(await storefronts.ofGroup('G')).toEqual([leeds]);
    expect(await storefronts.all()).toEqual([leeds]);
  });

  test('what was never registered is not found, and an origin is matched exactly', async () => {
    const { storefronts } = await withLeeds();

    expect(await storefronts.byName('york')).toBeUndefined();
    expect(await storefronts.stageDefault()).toBeUndefined();
    expect(await storefronts.ofOrigin('https://shop.example:8443')).toEqual([]);
    expect(await storefronts.ofOrigin('http://shop.example')).toEqual([]);
    expect(await storefronts.ofGroup('H')).toEqual([]);
    expect(await storefronts.retire('nobody')).toEqual(refused('not-found'));
  });

  test('the first registered storefront of an origin comes first', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds', { createdAtMs: 1_700_000_000_002 }));
    await storefronts.register(aStorefront('york', { createdAtMs: 1_700_000_000_001 }));

    expect(namesOf(await storefronts.ofOrigin(origin))).toEqual(['york', 'leeds']);
  });

  test('owners and names may have any character', async () => {
    const storefronts = await open();
    const odd = aStorefront('Smith & Söhne #1 "☃"', {
      owner: ownerAt('☃'.repeat(80), { group: 'G#,/"\\', franchise: '#' }),
    });

    await storefronts.register(odd);

    expect(await storefronts.ofGroup('G#,/"\\')).toEqual([odd]);
    expect(await storefronts.byName(odd.name)).toEqual(odd);
  });

  const kia = aStorefront('kia', { owner: ownerAt('leeds', { franchise: 'K' }) });
  const ofLeeds = aStorefront('other', { owner: ownerAt('leeds') });
  const imported = { origins: [] };
  test.each<[string, Partial<Storefront>, Storefront, 'ok' | 'name-taken' | 'owner-taken', string[]]>([
    ['a name is unique', {}, aStorefront('leeds', { owner: ownerAt('Y') }), 'name-taken', ['leeds']],
    ['an owner has one that takes checkouts', {}, ofLeeds, 'owner-taken', ['leeds']],
    ['one location under two franchises is two owners', {}, kia, 'ok', ['kia', 'leeds']],
    ['a location of an import gives way, under any name', imported, ofLeeds, 'ok', ['other']],
    [
      'a location of an import gives way, and keeps its name',
      imported,
      aStorefront('leeds'),
      'ok',
      ['leeds'],
    ],
  ])('%s', async (_, known, asked, result, names) => {
    const { storefronts } = await withLeeds(known);

    const outcome = await storefronts.register(asked);

    expect(outcome).toEqual(result === 'ok' ? { ok: true, value: asked } : refused(result));
    expect(namesOf(await storefronts.ofGroup('G')).sort()).toEqual(names);
    expect(namesOf(await storefronts.all())).toEqual(names);
  });

  test('the default storefront is not replaced, although it has no origins', async () => {
    const { storefronts, leeds } = await withLeeds({ origins: [] }, true);

    expect(await storefronts.register(ofLeeds)).toEqual(refused('owner-taken'));
    expect(await storefronts.stageDefault()).toEqual(leeds);
  });

  test('the last default counts, and retiring another leaves it alone', async () => {
    const { storefronts } = await withLeeds({}, true);
    await storefronts.register(aStorefront('york'), { isDefault: true });
    await storefronts.retire('leeds');

    expect((await storefronts.stageDefault())?.name).toBe('york');
  });

  test('V1-10 an identity provider belongs to one group, even if its storefront is retired', async () => {
    const storefronts = await open();
    const identityProvider = { issuer: 'https://id.example', audience: 'a', algorithm: 'RS256' } as const;
    const register = (name: string, group: string) =>
      storefronts.register(
        aStorefront(name, {
          identityProvider,
          origins: [`https://${name}.example`],
          owner: ownerAt(name, { group }),
        }),
      );
    const registered = [
      await register('leeds', 'G'),
      await register('york', 'G'),
      await register('ghent', 'H'),
    ];
    await storefronts.retire('leeds');
    await storefronts.retire('york');

    expect(registered.map((outcome) => outcome.ok || outcome.reason)).toEqual([true, true, 'issuer-taken']);
    expect(await register('ghent', 'H')).toEqual(refused('issuer-taken'));
    expect(await storefronts.byName('ghent')).toBeUndefined();
    expect(await storefronts.ofOrigin('https://york.example')).toMatchObject([{ identityProvider }]);
  });

  test('SHAPE-1 members of the owner from an import stay, and missing ones are taken', async () => {
    const storefronts = await open();
    const known = ownerAt('L', { groupSoftware: 'S' });
    await storefronts.register(aStorefront('Leeds', { owner: known, origins: [] }));
    await storefronts.register(aStorefront('York', { owner: ownerAt('Y'), origins: [] }));

    const asked = ownerAt('L', { branch: 'Leeds North' });
    const leeds = await storefronts.register(aStorefront('leeds-shop', { owner: asked }));
    const owner = ownerAt('Y', { groupSoftware: 'S2' });
    await storefronts.register(aStorefront('york-shop', { owner }));

    expect(leeds.ok && leeds.value.owner).toEqual(known);
    expect((await storefronts.byName('leeds-shop'))?.owner).toEqual(known);
    expect((await storefronts.ofOrigin(origin))[0]?.owner).toEqual(known);
    expect((await storefronts.byName('york-shop'))?.owner).toEqual(owner);
  });

  describe('one that is retired', () => {
    const retired = async (changes: Partial<Storefront> = {}) => {
      const { storefronts } = await withLeeds(changes, true);
      return { storefronts, outcome: await storefronts.retire('leeds') };
    };

    test('takes no checkouts and stays part of its group, however often', async () => {
      const { storefronts, outcome } = await retired();
      const left = aStorefront('leeds', { retired: true });

      await storefronts.retire('leeds');

      expect(outcome).toEqual({ ok: true, value: left });
      expect(await storefronts.ofOrigin(origin)).toEqual([left]);
      expect(await storefronts.stageDefault()).toBeUndefined();
      expect(await storefronts.ofGroup('G')).toEqual([left]);
      expect(await storefronts.byName('leeds')).toEqual(left);
    });

    test('can be opened again', async () => {
      const { storefronts } = await retired();
      const again = aStorefront('leeds', later);

      await storefronts.register(again);

      expect(await storefronts.ofOrigin(origin)).toEqual([aStorefront('leeds', { retired: true }), again]);
      expect(await storefronts.ofGroup('G')).toEqual([again]);
    });

    test('leaves its origin known when its owner goes on at another', async () => {
      const { storefronts } = await retired();

      const moved = { owner: ownerAt('leeds'), origins: ['https://other.example'], ...later };
      await storefronts.register(aStorefront('leeds-shop', moved));

      expect(await storefronts.ofOrigin(origin)).toEqual([aStorefront('leeds', { retired: true })]);
      expect(await storefronts.byName('leeds')).toBeUndefined();
    });

    test('SHAPE-1 gives way with its branch; its group software stays where no other is named', async () => {
      const { storefronts } = await retired({ owner: ownerAt('L', { groupSoftware: 'S' }) });

      const asked = ownerAt('L', { branch: 'Leeds North' });
      await storefronts.register(aStorefront('leeds', { owner: asked, ...later }));

      expect((await storefronts.byName('leeds'))?.owner).toEqual({ ...asked, groupSoftware: 'S' });
    });
  });
});

test('of two parallel registrations of the same owner one is refused', async () => {
  const storefronts = await inTable();
  const rivals = ['a', 'b', 'c', 'd'].map((name) => aStorefront(name, { owner: ownerAt('L') }));

  const outcomes = await Promise.all(rivals.map((rival) => storefronts.register(rival)));

  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await storefronts.ofGroup('G')).toHaveLength(1);
  expect(await storefronts.all()).toHaveLength(1);
});

test('a registration does not replace an import that another replaced, under the same name, since it was read', async () => {
  const access = await newTables(engine);
  const storefronts = createStorefrontStore(access);
  await storefronts.register(aStorefront('leeds', { origins: [] }));
  const rivals = [() => storefronts.register(aStorefront('leeds', later))];
  access.documents.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') await rivals.pop()?.();
        return next(args);
      },
    { step: 'initialize' },
  );

  expect(await storefronts.register(aStorefront('leeds'))).toEqual(refused('name-taken'));
  expect((await storefronts.byName('leeds'))?.createdAtMs).toBe(later.createdAtMs);
});
