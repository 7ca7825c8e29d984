import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isRightSecret } from '../../../functions/shared/auth/client-secret.ts';
import type { Storefront } from '../../../functions/shared/domain/storefront.ts';
import type { PartnerStore } from '../../../functions/shared/store/partner-store.ts';
import { aWorkspace, memoryDeps, now, operate, pepper } from '../../support/operator.ts';
import { aNewTransaction, uuidOf } from '../../support/transactions.ts';

const workspace = aWorkspace();
afterAll(() => rmSync(workspace.folder, { recursive: true }));

let stage = memoryDeps();
beforeEach(() => {
  stage = memoryDeps();
});

const run = (args: string[], typed?: string) => operate(stage.deps, workspace.stackFile, args, typed);
const json = async (args: string[]) => JSON.parse((await run([...args, '--json'])).printed);
const create = (name = 'acme', ...more: string[]) =>
  json(['partner', 'create', '--name', name, '--grant', 'group=G', ...more]);

const leeds: Storefront = {
  name: 'leeds',
  owner: { group: 'G', franchise: 'F', branch: 'Leeds', location: 'L', groupSoftware: null },
  origins: ['https://shop.example'],
  retired: false,
  createdAtMs: now.getTime(),
};

describe('RUN-5 partner create', () => {
  test('answers the name, the credentials and the grants, once', async () => {
    const issued = await json([
      ...['partner', 'create', '--name', 'acme', '--grant', 'group=G'],
      ...['--grant', 'group=H,franchise=F,location=L'],
    ]);

    expect(Object.keys(issued)).toEqual(['name', 'clientId', 'clientSecret', 'webhookSignature', 'grants']);
    expect(issued.name).toBe('acme');
    expect(issued.clientId).toMatch(/^[A-Za-z0-9]{26}$/);
    expect(issued.clientSecret).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(issued.webhookSignature).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(issued.grants).toEqual([{ group: 'G' }, { group: 'H', franchise: 'F', location: 'L' }]);
  });

  test('the secret works, and both OAuth scopes are given unless fewer are named', async () => {
    const { clientId, clientSecret } = await create();
    const reader = await create('reader', '--oauth-scopes', 'nop2/read');

    const stored = await stage.deps.partners.credentialsOf(clientId);
    expect(isRightSecret(clientSecret, stored?.secrets ?? [], { pepper, nowMs: now.getTime() })).toBe(true);
    expect(stored?.partner.oauthScopes).toEqual(['nop2/read', 'nop2/write']);
    expect((await stage.deps.partners.byClientId(reader.clientId))?.oauthScopes).toEqual(['nop2/read']);
  });

  test('a partner may be made without a grant, and sees nothing (RUN-6)', async () => {
    const issued = await json(['partner', 'create', '--name', 'acme']);

    expect(issued.grants).toEqual([]);
  });

  test.each([
    [
      ['--grant', 'G'],
      '"G" is not a grant: write group=G, optionally followed by ,franchise=F and ,location=L.',
    ],
    [['--oauth-scopes', 'nop2/admin'], 'OAuth scopes are nop2/read and nop2/write, separated by a space.'],
    [['--oauth-scopes', ''], 'OAuth scopes are nop2/read and nop2/write, separated by a space.'],
    [
      ['--webhook-url', 'http://shop.example/hook'],
      '"http://shop.example/hook" is not an https address without a user name in it.',
    ],
    [
      ['--webhook-url', 'https://me:pw@shop.example/'],
      '"https://me:pw@shop.example/" is not an https address without a user name in it.',
    ],
  ])('%j is refused in a sentence and nothing is made', async (more, error) => {
    const said = await run(['partner', 'create', '--name', 'acme', ...more, '--json']);

    expect(said.exitCode).toBe(1);
    expect(JSON.parse(said.printed)).toEqual({ error });
    expect(await stage.deps.partners.all()).toEqual([]);
  });

  test('a name is taken once', async () => {
    await create();

    const said = await run(['partner', 'create', '--name', 'acme']);

    expect(said).toMatchObject({
      exitCode: 1,
      printed: '',
      noted: 'The name "acme" is taken: choose another one.\n',
    });
  });

  test('a group that no storefront has is pointed out (TH-22)', async () => {
    const said = await run(['partner', 'create', '--name', 'acme', '--grant', 'group=typo']);

    expect(said.exitCode).toBe(0);
    expect(said.noted).toBe('Note: no storefront is registered for group typo yet.\n');
  });
});

describe('S-18 secrets are shown once', () => {
  test('no other answer and no audit record holds a secret, a signature or a hash of one', async () => {
    const issued = await create('acme', '--webhook-url', 'https://acme.example/hook');
    const rotated = await json(['partner', 'rotate-secret', 'acme']);
    const stored = await stage.deps.partners.credentialsOf(issued.clientId);
    const commands = [
      ['list'],
      ['show', 'acme'],
      ['disable', 'acme'],
      ['enable', 'acme'],
      ['grant', 'acme', '--grant', 'group=H'],
    ];

    const answers: string[] = [];
    for (const command of commands) {
      answers.push(
        (await run(['partner', ...command, '--json'])).printed,
        (await run(['partner', ...command])).printed,
      );
    }

    const secrets = [
      issued.clientSecret,
      issued.webhookSignature,
      rotated.clientSecret,
      ...(stored?.secrets ?? []).map(({ hash }) => hash),
    ];
    expect(secrets).toHaveLength(5);
    for (const text of [...answers, JSON.stringify(stage.records)]) {
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
  });
});

describe('partner list, show', () => {
  test('show tells grants, the age of secrets and the storefronts that it sees', async () => {
    await stage.deps.estate.register(leeds);
    const { clientId } = await create();

    const shown = await json(['partner', 'show', 'acme']);

    expect(shown).toEqual({
      name: 'acme',
      clientId,
      enabled: true,
      oauthScopes: ['nop2/read', 'nop2/write'],
      grants: [{ group: 'G' }],
      showsPaymentTokens: false,
      webhookUrl: null,
      createdAt: '2026-11-21T12:00:00.000Z',
      secrets: [
        { id: expect.any(String), active: true, createdAt: '2026-11-21T12:00:00.000Z', expiresAt: null },
      ],
      sees: ['leeds'],
    });
    expect(await json(['partner', 'show', clientId])).toEqual(shown);
  });

  test('an empty list says how to begin, and is an empty list in JSON', async () => {
    expect((await run(['partner', 'list'])).printed).toBe(
      'There is no partner yet: "partner create --help" shows how to make one.\n',
    );
    expect(await json(['partner', 'list'])).toEqual([]);
  });

  test('an unknown partner is an error', async () => {
    expect(await json(['partner', 'show', 'nobody'])).toEqual({
      error: 'There is no partner "nobody": "partner list" shows all.',
    });
  });
});

describe('TH-22 changes of a partner show what they change', () => {
  test('a dry run shows the difference and changes and records nothing', async () => {
    await create();
    const recorded = stage.records.length;

    const said = await run(['partner', 'grant', 'acme', '--grant', 'group=H,location=L', '--dry-run']);

    expect(said.printed).toBe('Partner "acme":\n  + group=H,location=L\nNothing was changed (--dry-run).\n');
    expect((await stage.deps.partners.byName('acme'))?.grants).toEqual([{ group: 'G' }]);
    expect(stage.records).toHaveLength(recorded);
  });

  test('a grant is added, and taken away again', async () => {
    await create();

    const granted = await json(['partner', 'grant', 'acme', '--grant', 'group=H']);
    const revoked = await json(['partner', 'revoke-grant', 'acme', '--grant', 'group=G']);

    expect(granted).toMatchObject({ grants: [{ group: 'G' }, { group: 'H' }], dryRun: false });
    expect(revoked).toMatchObject({
      grants: [{ group: 'H' }],
      before: { grants: [{ group: 'G' }, { group: 'H' }] },
    });
    expect((await stage.deps.partners.byName('acme'))?.grants).toEqual([{ group: 'H' }]);
  });

  test('a grant that it has, or has not, is an error', async () => {
    await create();

    expect(await json(['partner', 'grant', 'acme', '--grant', 'group=G'])).toEqual({
      error: 'It already has the grant group=G.',
    });
    expect(await json(['partner', 'revoke-grant', 'acme', '--grant', 'group=G,location=L'])).toEqual({
      error: 'It has no grant group=G,location=L: "partner show" lists what it has.',
    });
  });

  test('disable and enable (TOK-5)', async () => {
    await create();

    const disabled = await run(['partner', 'disable', 'acme']);

    expect(disabled.printed).toBe('Partner "acme":\n  - enabled\n  + disabled\nDone.\n');
    expect((await stage.deps.partners.byName('acme'))?.enabled).toBe(false);
    expect(await json(['partner', 'enable', 'acme'])).toMatchObject({
      enabled: true,
      before: { enabled: false },
    });
    expect((await stage.deps.partners.byName('acme'))?.enabled).toBe(true);
  });
});

describe('TOK-2 rotate-secret', () => {
  test('the new and the former secret work during the overlap', async () => {
    const { clientId, clientSecret } = await create();

    const rotated = await json(['partner', 'rotate-secret', 'acme', '--overlap-hours', '2']);

    const { secrets = [] } = (await stage.deps.partners.credentialsOf(clientId)) ?? {};
    const works = (secret: string, afterHours: number) =>
      isRightSecret(secret, secrets, { pepper, nowMs: now.getTime() + afterHours * 3_600_000 });
    expect(Object.keys(rotated)).toEqual(['name', 'clientId', 'clientSecret']);
    expect([works(clientSecret, 1), works(rotated.clientSecret, 1)]).toEqual([true, true]);
    expect([works(clientSecret, 2), works(rotated.clientSecret, 2)]).toEqual([false, true]);
  });

  test('ending the former secret now wants the name typed', async () => {
    const { clientId } = await create();

    const refused = await run(['partner', 'rotate-secret', 'acme', '--overlap-hours', '0']);
    const confirmed = await run(['partner', 'rotate-secret', 'acme', '--overlap-hours', '0'], 'acme');

    expect(refused).toMatchObject({
      exitCode: 1,
      noted:
        'This ends every secret of "acme" now. There is no terminal to confirm this at: add --yes to do it.\n',
    });
    expect(confirmed.asked).toEqual(['This ends every secret of "acme" now. Type "acme" to do it: ']);
    expect((await stage.deps.partners.credentialsOf(clientId))?.secrets).toHaveLength(1);
  });

  test.each(['-1', 'soon', '9000', ''])('an overlap of "%s" hours is refused', async (hours) => {
    await create();

    expect((await run(['partner', 'rotate-secret', 'acme', `--overlap-hours=${hours}`])).exitCode).toBe(1);
  });
});

describe('TH-22 what cannot be taken back', () => {
  test('without a terminal it needs --yes', async () => {
    await create();

    const said = await run(['partner', 'delete', 'acme', '--json']);

    expect(said.exitCode).toBe(1);
    expect(JSON.parse(said.printed)).toEqual({
      error:
        'This removes the partner "acme" and its credentials for good. There is no terminal to confirm this at: add --yes to do it.',
    });
    expect(await stage.deps.partners.byName('acme')).toBeDefined();
  });

  test('at a terminal another name than asked for changes nothing', async () => {
    await create();

    const said = await run(['partner', 'delete', 'acme'], 'acne');

    expect(said).toMatchObject({ exitCode: 1, noted: 'Nothing was changed: another name was typed.\n' });
    expect(await stage.deps.partners.byName('acme')).toBeDefined();
  });

  test('the typed name, or --yes, does it', async () => {
    await create('one');
    await create('two');

    const typed = await run(['partner', 'delete', 'one'], 'one');
    const agreed = await json(['partner', 'delete', 'two', '--yes']);

    expect(typed.printed).toBe('The partner "one" is removed.\n');
    expect(agreed).toMatchObject({ name: 'two', deleted: true });
    expect(await stage.deps.partners.all()).toEqual([]);
  });
});

describe('S-28 the audit record', () => {
  test('tells who did what, when, with which arguments', async () => {
    await run(['partner', 'create', '--name', 'acme', '--grant', 'group=G']);
    await run(['partner', 'grant', 'acme', '--grant', 'group=H', '--as', 'ada']);

    expect(stage.records).toMatchObject([
      {
        who: 'tester',
        command: 'partner create',
        atMs: 1_795_262_400_000,
        arguments: { name: 'acme', grants: [{ group: 'G' }] },
      },
      {
        who: 'ada',
        command: 'partner grant',
        atMs: 1_795_262_400_000,
        arguments: { name: 'acme', grant: 'group=H' },
      },
    ]);
  });

  const changes = [
    ['partner', 'create', '--name', 'other'],
    ['partner', 'grant', 'acme', '--grant', 'group=H'],
    ['partner', 'revoke-grant', 'acme', '--grant', 'group=G'],
    ['partner', 'rotate-secret', 'acme'],
    ['partner', 'disable', 'acme'],
    ['partner', 'enable', 'acme'],
    ['partner', 'delete', 'acme', '--yes'],
    [
      'storefront',
      'create',
      '--name',
      's',
      '--group',
      'G',
      '--franchise',
      'F',
      '--location',
      'M',
      '--branch',
      'B',
    ],
    ['storefront', 'delete', 'leeds', '--yes'],
    ['transactions', 'restore', uuidOf(1)],
    ['transactions', 'import', workspace.stackFile],
    ['listing', 'repair'],
  ];

  test.each(changes.map((args) => [args]))('when it cannot be written, %j changes nothing', async (args) => {
    await stage.deps.estate.register(leeds);
    await stage.deps.transactions.create(aNewTransaction({ uuid: uuidOf(1), isDeleted: 1 }));
    await create();
    const touched: string[] = [];
    const broken = { ...watched(touched), audit: { append: () => Promise.reject(new Error('no room')) } };

    const said = await operate(broken, workspace.stackFile, args);

    expect(said).toMatchObject({
      exitCode: 1,
      noted: expect.stringContaining('The command failed (Error): no room\n'),
    });
    expect(touched).toEqual([]);
  });
});

/** The stores, with every change that is asked of them noted down. */
const watched = (touched: string[]) => {
  const { partners, estate, transactions, listing, ...others } = stage.deps;
  const changing = [
    'create',
    'update',
    'replaceSecrets',
    'remove',
    'register',
    'retire',
    'replace',
    'createMany',
    'repair',
  ];
  const watch = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        if (changing.includes(String(name))) touched.push(String(name));
        return Reflect.get(target, name);
      },
    });
  return {
    ...others,
    partners: watch<PartnerStore>(partners),
    estate: watch(estate),
    transactions: watch(transactions),
    listing: watch(listing),
  };
};

describe('RUN-6 storefronts', () => {
  const createLeeds = (...more: string[]) => [
    ...['storefront', 'create', '--name', 'leeds', '--group', 'G', '--franchise', 'F', '--location', 'L'],
    ...['--branch', 'Leeds North', ...more],
  ];

  test('create, list and show', async () => {
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

  test.each([
    'https://shop.example/path',
    'shop.example',
    'ftp://shop.example',
    'https://me@shop.example',
    'null',
    '*',
  ])('%s is no origin', async (origin) => {
    expect(await json(createLeeds('--origin', origin))).toEqual({
      error: `"${origin}" is not a web origin: write it as https://shop.example, without a path.`,
    });
  });

  test('delete retires: no new checkouts, still part of the estate (OWN-1)', async () => {
    await stage.deps.estate.register(leeds);

    const refused = await run(['storefront', 'delete', 'leeds']);
    const retired = await json(['storefront', 'delete', 'leeds', '--yes']);

    expect(refused.exitCode).toBe(1);
    expect(retired).toMatchObject({ name: 'leeds', retired: true });
    expect(await stage.deps.estate.ofOrigin('https://shop.example')).toEqual([]);
    expect(await stage.deps.estate.ofGroup('G')).toHaveLength(1);
  });

  test('a location has one storefront', async () => {
    await run(createLeeds('--origin', 'https://a.example'));

    expect(await json([...createLeeds(), '--name', 'other'])).toEqual({
      error: 'The location of "other" belongs to another storefront already: "storefront list" shows which.',
    });
  });
});

describe('DEL-1 transactions restore', () => {
  test('a deleted transaction comes back as a new version', async () => {
    await stage.deps.transactions.create(aNewTransaction({ uuid: uuidOf(1), isDeleted: 1 }, { version: 3 }));

    const restored = await json(['transactions', 'restore', uuidOf(1)]);

    expect(restored).toEqual({ uuid: uuidOf(1), isDeleted: 0, version: 4 });
    expect(await stage.deps.transactions.byUuid(uuidOf(1))).toMatchObject({
      version: 4,
      elementVersions: { own: 4, vehicle: 0 },
      updatedAtMs: now.getTime(),
      transaction: { isDeleted: 0 },
      position: 1,
    });
  });

  test('what is not deleted, or not there, is an error', async () => {
    await stage.deps.transactions.create(aNewTransaction({ uuid: uuidOf(1) }));

    expect(await json(['transactions', 'restore', uuidOf(1)])).toEqual({
      error: `The transaction ${uuidOf(1)} is not deleted: there is nothing to restore.`,
    });
    expect(await json(['transactions', 'restore', uuidOf(2)])).toEqual({
      error: `There is no transaction ${uuidOf(2)}.`,
    });
  });
});

describe('listing audit', () => {
  test('drift is counted, shown and is exit code 1', async () => {
    const drifted = {
      ...(await stage.deps.listing.audit()),
      entryDrift: [{ key: 'e#node 000000001', found: 'missing' as const }],
      counterDrift: [{ key: 'c#node', attribute: 'n7', difference: -2 }],
    };
    stage = memoryDeps({ listing: { audit: async () => drifted, repair: async () => drifted } });

    const said = await run(['listing', 'audit', '--json']);
    const repaired = await run(['listing', 'repair', '--json']);

    expect(said.exitCode).toBe(1);
    expect(JSON.parse(said.printed)).toMatchObject({ drift: 2, entryDrift: [{ found: 'missing' }] });
    expect(repaired.exitCode).toBe(0);
    expect(JSON.parse(repaired.printed)).toMatchObject({ mended: 2 });
  });

  test('no drift is exit code 0', async () => {
    expect(await run(['listing', 'audit'])).toMatchObject({
      exitCode: 0,
      printed: '0 transactions, 0 entries, 0 counters.\nNo drift.\n',
    });
  });
});

describe('one document, one sentence', () => {
  test.each([
    [['partner', 'explode'], 'Unknown command \'explode\'. "--help" explains each command.'],
    [
      ['partner', 'create'],
      'Required option \'--name <name>\' not specified. "--help" explains each command.',
    ],
    [['partner', 'list', '--nope'], 'Unknown option \'--nope\'. "--help" explains each command.'],
    [['transactions', 'import', '/nowhere.ndjson'], '/nowhere.ndjson is not a file that can be read.'],
    [['transactions', 'export'], '--json needs a file to export to.'],
    [['partner', 'list', '--outputs', '/nowhere.json'], '/nowhere.json does not exist.'],
  ])('%j', async (args, error) => {
    const said = await run([...args, '--json']);

    expect(said.exitCode).toBe(1);
    expect(JSON.parse(said.printed)).toEqual({ error });
  });

  test('without a stage it says what to do', async () => {
    const absent = join(workspace.folder, 'absent.json');

    const said = await operate(stage.deps, absent, ['partner', 'list']);

    expect(said).toMatchObject({ exitCode: 1, printed: '' });
    expect(said.noted).toContain('start the local one with "npm start"');
  });

  test('text from data cannot steer the terminal (TH-21)', async () => {
    await stage.deps.estate.register({ ...leeds, owner: { ...leeds.owner, branch: 'a\u001b[2Jb\u202ec' } });

    expect((await run(['storefront', 'list'])).printed).toContain('a?[2Jb?c');
  });
});
