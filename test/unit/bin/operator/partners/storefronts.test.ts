import { describe, expect, test } from '@jest/globals';
import { json, leeds, run, stage, useOperatorTool } from '../../../../support/operator/operator-tool.ts';

useOperatorTool();

describe('RUN-6 storefronts', () => {
  const createLeeds = (...more: string[]) => [
    ...['storefront', 'create', '--name', 'leeds', '--group', 'G', '--franchise', 'F', '--location', 'L'],
    ...['--branch', 'Leeds North', ...more],
  ];

  test('are created, listed and shown', async () => {
    const created = await json(
      createLeeds(
        '--group-software',
        'S',
        '--origin',
        'https://a.example',
        '--origin',
        'http://localhost:3000/',
        '--default',
      ),
    );

    expect(created).toEqual({
      name: 'leeds',
      group: 'G',
      franchise: 'F',
      location: 'L',
      branch: 'Leeds North',
      groupSoftware: 'S',
      origins: ['https://a.example', 'http://localhost:3000'],
      retired: false,
      createdAt: '2026-11-21T12:00:00.000Z',
      default: true,
    });
    expect(await json(['storefront', 'list'])).toEqual([created]);
    expect(await json(['storefront', 'show', 'leeds'])).toEqual(created);
  });

  test('SHAPE-1 without --group-software it is empty', async () => {
    expect((await json(createLeeds())).groupSoftware).toBe('');
  });

  test('SHAPE-1 a location that an import made known keeps its branch and software, and the tool says so', async () => {
    const owner = { group: 'G', franchise: 'F', location: 'L', branch: 'Leeds', groupSoftware: 'S' };
    await stage.deps.storefronts.register({ ...leeds, name: 'Leeds', owner, origins: [] });

    const created = await run([...createLeeds('--origin', 'https://a.example'), '--json']);

    expect(JSON.parse(created.printed)).toMatchObject({ name: 'leeds', branch: 'Leeds', groupSoftware: 'S' });
    expect(created.noted).toBe('Note: the location keeps its branch "Leeds", which is known already.\n');
  });

  test.each([
    'https://shop.example/path',
    'shop.example',
    'ftp://shop.example',
    'https://me@shop.example',
    'null',
    '*',
    'https://*',
    'https://*.shop.example',
    "https://shop'.example",
  ])('%s is not an origin', async (origin) => {
    expect(await json(createLeeds('--origin', origin))).toEqual({
      error: `"${origin}" is not a web origin: name one exactly, in lower case, by scheme, host and port where it has one, such as https://shop.example.`,
    });
  });

  test('delete retires: no new checkouts, its owner is kept (OWN-1)', async () => {
    await stage.deps.storefronts.register(leeds);

    const refused = await run(['storefront', 'delete', 'leeds']);
    const retired = await json(['storefront', 'delete', 'leeds', '--yes']);

    expect(refused.exitCode).toBe(1);
    expect(retired).toMatchObject({ name: 'leeds', retired: true });
    expect(await stage.deps.storefronts.ofOrigin('https://shop.example')).toMatchObject([{ retired: true }]);
    expect(await stage.deps.storefronts.ofGroup('G')).toHaveLength(1);
  });

  test('OWN-1 delete says, before and after, what becomes of checkouts from each origin', async () => {
    const origins = ['https://a.example', 'https://b.example'];
    await run(createLeeds('--origin', 'https://a.example', '--origin', 'https://b.example', '--default'));
    for (const name of ['york', 'hull'])
      await stage.deps.storefronts.register({
        ...{ ...leeds, name, owner: { ...leeds.owner, location: name } },
        origins: origins.slice(1),
      });
    await stage.deps.storefronts.retire('hull');

    const asked = await json(['storefront', 'delete', 'leeds']);
    const done = await run(['storefront', 'delete', 'leeds', '--yes']);

    expect(asked.error).toBe(
      'This retires the storefront "leeds". Checkouts from https://a.example are refused with 403. ' +
        'Checkouts from https://b.example go on at "york". ' +
        'Checkouts from unknown origins are refused with 403: the stage has no default storefront. ' +
        'There is no terminal to confirm this at: add --yes to do it.',
    );
    expect(done.printed.split('\n').slice(-4)).toEqual([
      'Checkouts from https://a.example are refused with 403.',
      'Checkouts from https://b.example go on at "york".',
      'Checkouts from unknown origins are refused with 403: the stage has no default storefront.',
      '',
    ]);
  });

  test('a location has one storefront at most', async () => {
    await run(createLeeds('--origin', 'https://a.example'));

    expect(await json([...createLeeds(), '--name', 'other'])).toEqual({
      error: 'The location of "other" belongs to another storefront already: "storefront list" shows which.',
    });
  });

  test('an origin that is named twice is stored once', async () => {
    const created = await json(
      createLeeds('--origin', 'https://a.example', '--origin', 'https://a.example/'),
    );

    expect(created.origins).toEqual(['https://a.example']);
  });

  test('50 origins are accepted, 51 are refused', async () => {
    const origins = (count: number) =>
      Array.from({ length: count }, (_, n) => ['--origin', `https://shop-${n}.example`]).flat();

    const tooMany = await json(createLeeds(...origins(51)));
    const taken = await json(createLeeds(...origins(50)));

    expect(tooMany).toEqual({ error: 'A storefront has at most 50 origins.' });
    expect(taken.origins).toHaveLength(50);
  });

  test.each(['', 'x'.repeat(257)])(
    'a location of another length than 1 to 256 is refused',
    async (location) => {
      expect(await json([...createLeeds(), '--location', location])).toEqual({
        error: '--location has 1 to 256 characters.',
      });
    },
  );
});
