import { describe, expect, test } from '@jest/globals';
import type { StorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';
import { addTables } from '../../support/engine/engine.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryStorefronts } from '../../support/memory/storefronts.ts';

const aStorefront = (name: string, changes: Partial<Storefront> = {}): Storefront => ({
  name,
  owner: { group: 'G', franchise: 'F', branch: 'Leeds', location: name, groupSoftware: '' },
  origins: ['https://shop.example'],
  retired: false,
  createdAtMs: 1_700_000_000_000,
  ...changes,
});

const engine = useEngine();
let sets = 0;

const inTable = async () => {
  sets += 1;
  await addTables(engine.client, `-${sets}`);
  return createStorefrontStore({ documents: engine.documents, partnersTable: `Partners-${sets}` });
};

const namesOf = (storefronts: Storefront[]) => storefronts.map(({ name }) => name).sort();

const stores: [string, () => Promise<StorefrontStore>][] = [
  ['in the table', inTable],
  ['in memory', async () => createMemoryStorefronts()],
];

describe.each(stores)('OWN-1 the storefronts %s', (_where, open) => {
  test('a registered storefront is found by name, origin and group', async () => {
    const storefronts = await open();
    const leeds = aStorefront('leeds');

    const outcome = await storefronts.register(leeds);

    expect(outcome).toEqual({ ok: true, value: leeds });
    expect(await storefronts.byName('leeds')).toEqual(leeds);
    expect(await storefronts.ofOrigin('https://shop.example')).toEqual([leeds]);
    expect(await storefronts.ofGroup('G')).toEqual([leeds]);
    expect(await storefronts.all()).toEqual([leeds]);
  });

  test('V1-10 an identity provider belongs to one group, even if its storefront is retired', async () => {
    const storefronts = await open();
    const identityProvider = { issuer: 'https://id.example', audience: 'a', algorithm: 'RS256' } as const;
    const of = (name: string, group: string) =>
      aStorefront(name, {
        ...{ identityProvider, origins: [`https://${name}.example`] },
        owner: { ...aStorefront(name).owner, group },
      });
    const registered = [];
    for (const [name, group] of [
      ['leeds', 'G'],
      ['york', 'G'],
      ['ghent', 'H'],
    ] as const)
      registered.push(await storefronts.register(of(name, group)));
    await storefronts.retire('leeds');
    await storefronts.retire('york');

    expect(registered.map((outcome) => outcome.ok || outcome.reason)).toEqual([true, true, 'issuer-taken']);
    expect(await storefronts.register(of('ghent', 'H'))).toEqual({ ok: false, reason: 'issuer-taken' });
    expect(await storefronts.byName('ghent')).toBeUndefined();
    expect(await storefronts.ofOrigin('https://york.example')).toMatchObject([{ identityProvider }]);
  });

  test('an unregistered one is not found', async () => {
    const storefronts = await open();

    expect(await storefronts.byName('leeds')).toBeUndefined();
    expect(await storefronts.stageDefault()).toBeUndefined();
    expect(await storefronts.ofOrigin('https://shop.example')).toEqual([]);
    expect(await storefronts.ofGroup('G')).toEqual([]);
  });

  test('the first registered storefront of an origin comes first', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('second', { createdAtMs: 1_700_000_000_002 }));
    await storefronts.register(aStorefront('first', { createdAtMs: 1_700_000_000_001 }));

    const found = await storefronts.ofOrigin('https://shop.example');

    expect(found.map(({ name }) => name)).toEqual(['first', 'second']);
  });

  test('an origin is matched exactly', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds'));

    expect(await storefronts.ofOrigin('https://shop.example:8443')).toEqual([]);
    expect(await storefronts.ofOrigin('http://shop.example')).toEqual([]);
  });

  test('a name is unique', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds'));

    const outcome = await storefronts.register(aStorefront('leeds', { owner: ownerAt('elsewhere') }));

    expect(outcome).toEqual({ ok: false, reason: 'name-taken' });
    expect(namesOf(await storefronts.ofGroup('G'))).toEqual(['leeds']);
  });

  test('an owner has one storefront with checkouts', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds'));

    const outcome = await storefronts.register(aStorefront('other', { owner: ownerAt('leeds') }));

    expect(outcome).toEqual({ ok: false, reason: 'owner-taken' });
    expect(await storefronts.byName('other')).toBeUndefined();
  });

  test('one location under two franchises is two owners', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('ford'));
    const kia = aStorefront('kia', { owner: { ...ownerAt('ford'), franchise: 'K' } });

    const outcome = await storefronts.register(kia);

    expect(outcome.ok).toBe(true);
    expect(namesOf(await storefronts.ofGroup('G'))).toEqual(['ford', 'kia']);
  });

  test('a location from an import is replaced by a storefront with origins, under any name', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('Leeds', { owner: ownerAt('L'), origins: [] }));

    const outcome = await storefronts.register(aStorefront('leeds-shop', { owner: ownerAt('L') }));

    expect(outcome.ok).toBe(true);
    expect(await storefronts.byName('Leeds')).toBeUndefined();
    expect(namesOf(await storefronts.ofGroup('G'))).toEqual(['leeds-shop']);
  });

  test('SHAPE-1 members of the owner from an import stay, and missing ones are taken', async () => {
    const storefronts = await open();
    const known = { ...ownerAt('L'), branch: 'Leeds', groupSoftware: 'S' };
    await storefronts.register(aStorefront('Leeds', { owner: known, origins: [] }));
    await storefronts.register(aStorefront('York', { owner: ownerAt('Y'), origins: [] }));

    const asked = { ...ownerAt('L'), branch: 'Leeds North', groupSoftware: '' };
    const leeds = await storefronts.register(aStorefront('leeds-shop', { owner: asked }));
    await storefronts.register(aStorefront('york-shop', { owner: { ...ownerAt('Y'), groupSoftware: 'S2' } }));

    expect(leeds.ok && leeds.value.owner).toEqual(known);
    expect((await storefronts.byName('leeds-shop'))?.owner).toEqual(known);
    expect((await storefronts.ofOrigin('https://shop.example'))[0]?.owner).toEqual(known);
    expect((await storefronts.byName('york-shop'))?.owner.groupSoftware).toBe('S2');
  });

  test('SHAPE-1 a retired one is replaced with its branch; its group software stays if no other is named', async () => {
    const storefronts = await open();
    const known = { ...ownerAt('L'), groupSoftware: 'S' };
    await storefronts.register(aStorefront('leeds', { owner: known }));
    await storefronts.retire('leeds');

    const asked = { ...ownerAt('L'), branch: 'Leeds North', groupSoftware: '' };
    await storefronts.register(aStorefront('leeds', { owner: asked, createdAtMs: 1_700_000_000_009 }));

    expect((await storefronts.byName('leeds'))?.owner).toEqual({ ...asked, groupSoftware: 'S' });
  });

  test('it may keep its name when it gets origins', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds', { origins: [] }));

    const outcome = await storefronts.register(aStorefront('leeds'));

    expect(outcome.ok).toBe(true);
    expect((await storefronts.byName('leeds'))?.origins).toEqual(['https://shop.example']);
  });

  test('the default storefront is not replaced, although it has no origins', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds', { origins: [] }), { isDefault: true });

    const outcome = await storefronts.register(aStorefront('other', { owner: ownerAt('leeds') }));

    expect(outcome).toEqual({ ok: false, reason: 'owner-taken' });
    expect((await storefronts.stageDefault())?.name).toBe('leeds');
  });

  test('the last default counts', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds'), { isDefault: true });
    await storefronts.register(aStorefront('york'), { isDefault: true });

    expect((await storefronts.stageDefault())?.name).toBe('york');
  });

  test('a retired storefront gets no checkouts and stays part of its group', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds'), { isDefault: true });

    const outcome = await storefronts.retire('leeds');

    expect(outcome).toEqual({ ok: true, value: aStorefront('leeds', { retired: true }) });
    expect(await storefronts.ofOrigin('https://shop.example')).toEqual([
      aStorefront('leeds', { retired: true }),
    ]);
    expect(await storefronts.stageDefault()).toBeUndefined();
    expect(await storefronts.ofGroup('G')).toEqual([aStorefront('leeds', { retired: true })]);
    expect((await storefronts.byName('leeds'))?.retired).toBe(true);
  });

  test('retiring another storefront keeps the default', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds'), { isDefault: true });
    await storefronts.register(aStorefront('york'));

    await storefronts.retire('york');

    expect((await storefronts.stageDefault())?.name).toBe('leeds');
  });

  test('a retired storefront can be opened again', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds'));
    await storefronts.retire('leeds');

    await storefronts.register(aStorefront('leeds', { createdAtMs: 1_700_000_000_009 }));

    const ofOrigin = await storefronts.ofOrigin('https://shop.example');
    expect(ofOrigin.map(({ retired }) => retired)).toEqual([true, false]);
    expect((await storefronts.ofGroup('G')).map(({ retired }) => retired)).toEqual([false]);
  });

  test('the origin of a retired storefront stays known when its owner continues at another', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds'));
    await storefronts.retire('leeds');

    const moved = {
      owner: ownerAt('leeds'),
      origins: ['https://other.example'],
      createdAtMs: 1_700_000_000_009,
    };
    await storefronts.register(aStorefront('leeds-shop', moved));

    const ofOrigin = await storefronts.ofOrigin('https://shop.example');
    expect(ofOrigin.map(({ name, retired }) => ({ name, retired }))).toEqual([
      { name: 'leeds', retired: true },
    ]);
    expect(await storefronts.byName('leeds')).toBeUndefined();
  });

  test('retiring can be repeated', async () => {
    const storefronts = await open();
    await storefronts.register(aStorefront('leeds'));
    await storefronts.retire('leeds');

    await storefronts.retire('leeds');

    expect(await storefronts.ofOrigin('https://shop.example')).toEqual([
      aStorefront('leeds', { retired: true }),
    ]);
  });

  test('retiring an unknown one is refused', async () => {
    const storefronts = await open();

    expect(await storefronts.retire('nobody')).toEqual({ ok: false, reason: 'not-found' });
  });

  test('owners and names may have any character', async () => {
    const storefronts = await open();
    const odd = aStorefront('Smith & Söhne #1 "☃"', {
      owner: { group: 'G#,/"\\', franchise: '#', branch: 'B', location: '☃'.repeat(80), groupSoftware: '' },
    });

    await storefronts.register(odd);

    expect(await storefronts.ofGroup('G#,/"\\')).toEqual([odd]);
    expect(await storefronts.byName(odd.name)).toEqual(odd);
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

function ownerAt(location: string) {
  return { group: 'G', franchise: 'F', branch: 'Leeds', location, groupSoftware: '' };
}
