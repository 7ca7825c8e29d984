import { describe, expect, test } from '@jest/globals';
import { begin, json, leeds, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

describe('RUN-6 storefronts', () => {
  const leedsIs = 'storefront create --name leeds --group G --franchise F --location L --branch North';
  const createLeeds = (more = '') => json(more === '' ? leedsIs : `${leedsIs} ${more}`);

  test('SHAPE-1 are created, listed and shown, without --group-software with an empty one', async () => {
    const created = await createLeeds('--origin https://a.example --origin http://localhost:3000/ --default');

    expect(created).toEqual({
      ...{ name: 'leeds', group: 'G', franchise: 'F', location: 'L', branch: 'North', groupSoftware: '' },
      origins: ['https://a.example', 'http://localhost:3000'],
      ...{ retired: false, createdAt: '2026-11-21T12:00:00.000Z', default: true },
    });
    expect(await json('storefront list')).toEqual([created]);
    expect(await json('storefront show leeds')).toEqual(created);
  });

  const issuer = 'https://id.example/tenant';
  const signing = `--issuer ${issuer} --audience shop`;

  test('V1-10 name their identity provider, and how it signs: by RS256, unless said otherwise', async () => {
    const created = await createLeeds(`${signing} --id-token-alg ES256`);
    const { printed } = await run('storefront show leeds');
    begin();

    expect(created.identityProvider).toEqual({ issuer, audience: 'shop', algorithm: 'ES256' });
    for (const text of [issuer, 'shop', 'ES256']) expect(printed).toContain(text);
    expect((await createLeeds(signing)).identityProvider.algorithm).toBe('RS256');
    expect(stage.records).toMatchObject([{ arguments: { identityProvider: { issuer } } }]);
  });

  test.each([
    ...['http://id.example', 'http://127.0.0.1:9000', 'https://id.example?x=1', 'https://id.example#x'],
    ...['https://me:secret@id.example', 'id.example', `https://id.example/${'x'.repeat(300)}`],
  ])('V1-10 %s is not an issuer', async (text) => {
    expect(await createLeeds(`--issuer ${text} --audience shop`)).toEqual({
      error: `"${text}" is not an issuer: give the iss of the ID tokens, an https address without user name, query and fragment.`,
    });
  });

  test('V1-10 an issuer may be on this machine if the stage is', async () => {
    stage.deps.endpointRules = { allowsLoopback: true };
    const { identityProvider } = await createLeeds('--issuer http://127.0.0.1:9000 --audience shop');

    expect(identityProvider.issuer).toBe('http://127.0.0.1:9000');
  });

  test.each([`--issuer ${issuer}`, '--audience shop'])('V1-10 %s needs its counterpart', async (option) => {
    expect(await createLeeds(option)).toEqual({
      error: '--issuer and --audience belong together: give both, or neither.',
    });
  });

  test('V1-10 an identity provider of another group is refused, and nothing is registered', async () => {
    await createLeeds(signing);
    const other = 'storefront create --name ghent --group H --franchise F --location L2 --branch B';

    expect(await json(`${other} ${signing}`)).toEqual({
      error:
        'The identity provider of "ghent" belongs to another group: its users\' sessions would show that group\'s transactions.',
    });
    expect(await json('storefront list')).toHaveLength(1);
  });

  test('SHAPE-1 the software is that of --group-software', async () => {
    expect((await createLeeds('--group-software S')).groupSoftware).toBe('S');
  });

  test('SHAPE-1 a location from an import keeps its branch and software, and the tool says so', async () => {
    const owner = { group: 'G', franchise: 'F', location: 'L', branch: 'Leeds', groupSoftware: 'S' };
    await stage.deps.storefronts.register({ ...leeds, name: 'Leeds', owner, origins: [] });

    const created = await run(`${leedsIs} --origin https://a.example --json`);

    expect(JSON.parse(created.printed)).toMatchObject({ name: 'leeds', branch: 'Leeds', groupSoftware: 'S' });
    expect(created.noted).toBe('Note: the location keeps its branch "Leeds", which is known already.\n');
  });

  test.each([
    ...['https://shop.example/path', 'shop.example', 'ftp://shop.example', 'https://me@shop.example'],
    ...['null', '*', 'https://*', 'https://*.shop.example', "https://shop'.example"],
  ])('%s is not an origin', async (origin) => {
    expect(await createLeeds(`--origin ${origin}`)).toEqual({
      error: `"${origin}" is not a web origin: name one exactly, in lower case, by scheme, host and port where it has one, such as https://shop.example.`,
    });
  });

  test('delete retires: no new checkouts, its owner stays (OWN-1)', async () => {
    await stage.deps.storefronts.register(leeds);

    const retired = await json('storefront delete leeds --yes');

    expect(retired).toMatchObject({ name: 'leeds', retired: true });
    expect(await stage.deps.storefronts.ofOrigin('https://shop.example')).toMatchObject([{ retired: true }]);
    expect(await stage.deps.storefronts.ofGroup('G')).toHaveLength(1);
  });

  test('OWN-1 delete says, before and after, what happens to checkouts from each origin', async () => {
    const origins = ['https://a.example', 'https://b.example'];
    await createLeeds('--origin https://a.example --origin https://b.example --default');
    for (const name of ['york', 'hull'])
      await stage.deps.storefronts.register({
        ...{ ...leeds, name, owner: { ...leeds.owner, location: name } },
        origins: origins.slice(1),
      });
    await stage.deps.storefronts.retire('hull');

    const asked = await json('storefront delete leeds');
    const done = await run('storefront delete leeds --yes');

    expect(asked.error).toBe(
      'This retires the storefront "leeds". Checkouts from https://a.example are refused with 403. ' +
        'Checkouts from https://b.example go on at "york". ' +
        'Checkouts from unknown origins are refused with 403: the stage has no default storefront. ' +
        'There is no terminal to confirm this: add --yes to do it.',
    );
    expect(done.printed.split('\n').slice(-4)).toEqual([
      'Checkouts from https://a.example are refused with 403.',
      'Checkouts from https://b.example go on at "york".',
      'Checkouts from unknown origins are refused with 403: the stage has no default storefront.',
      '',
    ]);
  });

  test('a location has one storefront at most; an origin that is named twice is stored once', async () => {
    const { origins } = await createLeeds('--origin https://a.example --origin https://a.example/');

    expect(origins).toEqual(['https://a.example']);
    expect(await createLeeds('--name other')).toEqual({
      error: 'The location of "other" belongs to another storefront already: "storefront list" shows which.',
    });
  });

  test('50 origins are accepted, 51 are refused', async () => {
    const withOrigins = (count: number) =>
      createLeeds(Array.from({ length: count }, (_, n) => `--origin https://shop-${n}.example`).join(' '));

    expect(await withOrigins(51)).toEqual({ error: 'A storefront has at most 50 origins.' });
    expect((await withOrigins(50)).origins).toHaveLength(50);
  });

  test.each(['', 'x'.repeat(257)])(
    'a location "%s" of another length than 1 to 256 is refused',
    async (location) => {
      expect(await createLeeds(`--location ${location}`)).toEqual({
        error: '--location has 1 to 256 characters.',
      });
    },
  );
});
