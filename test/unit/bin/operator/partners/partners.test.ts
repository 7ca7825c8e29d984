import { describe, expect, test } from '@jest/globals';
import { presentedSecret } from '../../../../../functions/shared/auth/client-secret.ts';
import { isActive } from '../../../../../functions/shared/domain/partner.ts';
import { onePepper } from '../../../../support/builders/key-rings.ts';
import { now, pepper } from '../../../../support/operator/operator.ts';
import { begin, createPartner, json, leeds, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

describe('RUN-5 partner create', () => {
  test('prints the name, the credentials and the grants, only once', async () => {
    const issued = await json(
      'partner create --name acme --grant group=G --grant group=H,franchise=F,location=L',
    );

    expect(Object.keys(issued)).toEqual(['name', 'clientId', 'clientSecret', 'webhookSignature', 'grants']);
    expect(issued.name).toBe('acme');
    expect(issued.clientId).toMatch(/^[A-Za-z0-9]{26}$/);
    expect(issued.clientSecret).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(issued.webhookSignature).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(issued.grants).toEqual([{ group: 'G' }, { group: 'H', franchise: 'F', location: 'L' }]);
  });

  test('the secret works, with both OAuth scopes unless fewer are named', async () => {
    const { clientId, clientSecret } = await createPartner();
    const reader = await createPartner('reader', '--oauth-scopes', 'nop2/read');

    const stored = await stage.deps.partners.credentialsOf(clientId);
    expect(presentedSecret(clientSecret, stored?.secrets ?? [], onePepper(pepper))).toMatchObject({
      madeBy: 'tester',
    });
    expect(stored?.partner.oauthScopes).toEqual(['nop2/read', 'nop2/write']);
    expect((await stage.deps.partners.byClientId(reader.clientId))?.oauthScopes).toEqual(['nop2/read']);
  });

  test('O-30 with --oauth-scopes "" it has none, and "show" says so', async () => {
    const { clientId } = await createPartner('mute', '--oauth-scopes', '');

    expect((await stage.deps.partners.byClientId(clientId))?.oauthScopes).toEqual([]);
    expect((await run('partner show mute')).printed).toMatch(/OAuth scopes +none: no tokens are issued/);
  });

  test('stores the webhook address and --show-payment-tokens; by default there is neither', async () => {
    await createPartner('told', '--webhook-url', 'https://told.example/hook', '--show-payment-tokens');
    await createPartner('plain');

    expect(await json('partner list')).toMatchObject([
      { name: 'plain', webhookUrl: null, webhookPausedBy: null, showsPaymentTokens: false },
      { name: 'told', webhookUrl: 'https://told.example/hook', showsPaymentTokens: true },
    ]);
    expect((await run('partner list')).printed).toMatch(/ plain .* none .*\n(.*\n)*.* told .* on /);
  });

  test('RUN-6 a partner without a grant is created, and sees nothing; its name is unique', async () => {
    const issued = await json('partner create --name acme');

    expect(issued.grants).toEqual([]);
    expect(await run('partner create --name acme')).toMatchObject({
      ...{ exitCode: 1, printed: '', noted: 'The name "acme" is taken: choose another one.\n' },
    });
  });

  test.each([
    [
      ['--grant', 'G'],
      '"G" is not a grant: "G" is not a dimension. Write group=G, optionally followed by ,franchise=F and ,location=L; put a value with a comma in quotes.',
    ],
    [
      ['--oauth-scopes', 'nop2/admin'],
      'OAuth scopes are nop2/read, nop2/write, nop2/webhook, separated by a space; "" issues no tokens.',
    ],
  ])('%j is refused in a sentence, and nothing is created', async (more, error) => {
    const said = await run(['partner', 'create', '--name', 'acme', ...more, '--json']);

    expect(said.exitCode).toBe(1);
    expect(JSON.parse(said.printed)).toEqual({ error });
    expect(await stage.deps.partners.all()).toEqual([]);
  });

  test('TH-22 a note names a group without a storefront', async () => {
    expect(await run('partner create --name acme --grant group=typo')).toMatchObject({
      ...{ exitCode: 0, noted: 'Note: no storefront is registered for group typo yet.\n' },
    });
  });
});

describe('RUN-5 partner grant and revoke-grant', () => {
  test('a group with commas and quotes is granted, shown and revoked in the same words', async () => {
    await createPartner();
    const grant = 'group="Smith, ""A"", groop=x"';

    await run(['partner', 'grant', 'acme', '--grant', grant]);
    const shown = await run('partner show acme');
    const revoked = await run(['partner', 'revoke-grant', 'acme', '--grant', grant]);

    expect(shown.printed).toContain(grant);
    expect(revoked.printed).toBe(`Partner "acme":\n  - ${grant}\nDone.\n`);
  });
});

describe('V2-13 partner set-oauth-scopes', () => {
  const set = (scopes: string, ...more: string[]) =>
    run(['partner', 'set-oauth-scopes', 'acme', '--oauth-scopes', scopes, ...more]);
  const scopesOf = async () => (await stage.deps.partners.byName('acme'))?.oauthScopes;

  test('V2-13 nop2/webhook is only given by name', async () => {
    await createPartner();
    expect(await scopesOf()).toEqual(['nop2/read', 'nop2/write']);

    const said = await set('nop2/webhook nop2/read');

    expect(said.printed).toBe('Partner "acme":\n  - nop2/write\n  + nop2/webhook\nDone.\n');
    expect(await scopesOf()).toEqual(['nop2/read', 'nop2/webhook']);
    expect(stage.records.at(-1)).toMatchObject({
      command: 'partner set-oauth-scopes',
      arguments: { name: 'acme', oauthScopes: ['nop2/read', 'nop2/webhook'] },
    });
  });

  test('TH-22 V2-13 a dry run and an unknown name change nothing', async () => {
    await createPartner();
    const records = stage.records.length;

    const tried = await set('nop2/read', '--dry-run');
    const refused = await set('nop2/admin');

    expect(tried.printed).toBe('Partner "acme":\n  - nop2/write\nNothing was changed (--dry-run).\n');
    expect(refused.exitCode).toBe(1);
    expect(await scopesOf()).toEqual(['nop2/read', 'nop2/write']);
    expect(stage.records).toHaveLength(records);
  });
});

describe('S-18 secrets are shown once', () => {
  test('no other output, no audit record and no partner’s record has a secret, a signature or a hash of one', async () => {
    const issued = await createPartner('acme', '--webhook-url', 'https://acme.example/hook');
    const rotated = await json('partner rotate-secret acme');
    const announced = await json('partner rotate-signature acme');
    const stored = await stage.deps.partners.credentialsOf(issued.clientId);
    const commands = [
      ...['list', 'show acme', 'disable acme', 'enable acme', 'grant acme --grant group=H'],
      ...['rotate-signature acme', 'check-webhook acme', 'set-webhook acme --url https://acme.example/2'],
      ...['pause acme', 'resume acme', 'rotate-signature acme --finish', 'rotate-signature acme --cancel'],
      ...['revoke-grant acme --grant group=H', 'repair', 'remove-webhook acme --yes'],
    ];

    const answers: string[] = [];
    for (const command of commands) {
      for (const more of [['--json'], []]) {
        const { printed, noted } = await run(['partner', ...command.split(' '), ...more]);
        answers.push(printed, noted);
      }
    }

    const hashes = (stored?.secrets ?? []).map(({ hash }) => hash);
    const shown = [issued.clientSecret, issued.webhookSignature, rotated.clientSecret];
    const secrets = [...shown, announced.nextWebhookSignature, ...hashes];
    expect(secrets).toHaveLength(6);
    const kept = JSON.stringify([stored, await stage.deps.partners.all()]);
    for (const secret of secrets.slice(0, 4)) expect(kept).not.toContain(secret);
    const whole = [...answers, JSON.stringify(stage.records)].join('\n');
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43,64}$/);
      expect(whole).not.toContain(secret);
    }
  });
});

describe('partner list, show', () => {
  test('show prints grants, the age of secrets and the storefronts that the partner sees', async () => {
    await stage.deps.storefronts.register(leeds);
    const { clientId } = await createPartner();

    const shown = await json('partner show acme');

    const createdAt = '2026-11-21T12:00:00.000Z';
    const secret = { id: expect.any(String), active: true, madeBy: 'tester', createdAt };
    expect(shown).toEqual({
      ...{ name: 'acme', clientId, enabled: true, createdAt, oauthScopes: ['nop2/read', 'nop2/write'] },
      ...{ grants: [{ group: 'G' }], showsPaymentTokens: false, sees: ['leeds'] },
      ...{ webhookUrl: null, webhook: 'off', webhookSince: null, webhookReason: null },
      ...{ webhookServedUrl: null, webhookPausedBy: null },
      webhookSignature: { createdAt, nextCreatedAt: null },
      secrets: [{ ...secret, lastUsedOn: null, expiresAt: null }],
    });
    expect(await json(`partner show ${clientId}`)).toEqual(shown);
  });

  test('S-20 shows the day on which a secret was last used', async () => {
    const { clientId } = await createPartner();
    const [secret] = (await stage.deps.partners.profileOf(clientId))?.secrets ?? [];
    await stage.deps.partners.noteUse(clientId, secret?.id ?? '', '2026-11-20');

    expect(await json('partner show acme')).toMatchObject({
      secrets: [{ lastUsedOn: '2026-11-20' }],
    });
    expect((await run('partner show acme')).printed).toContain('last used on 2026-11-20');
  });
});

describe('TH-22 changes of a partner show the difference', () => {
  test('a dry run shows it, and changes and records nothing', async () => {
    await createPartner();
    const recorded = stage.records.length;

    const said = await run('partner grant acme --grant group=H,location=L --dry-run');

    expect(said.printed).toBe('Partner "acme":\n  + group=H,location=L\nNothing was changed (--dry-run).\n');
    expect((await stage.deps.partners.byName('acme'))?.grants).toEqual([{ group: 'G' }]);
    expect(stage.records).toHaveLength(recorded);
  });

  test('a grant is added, and taken away again', async () => {
    await createPartner();
    const both = [{ group: 'G' }, { group: 'H' }];

    expect(await json('partner grant acme --grant group=H')).toMatchObject({ grants: both, dryRun: false });
    const revoked = await json('partner revoke-grant acme --grant group=G');
    expect(revoked).toMatchObject({ grants: [{ group: 'H' }], before: { grants: both } });
    expect((await stage.deps.partners.byName('acme'))?.grants).toEqual([{ group: 'H' }]);
  });

  test('RUN-5 GRANT-1 locations and franchises of one group are different grants', async () => {
    await createPartner();
    const parts = [
      'franchise=F',
      'franchise=F,location=L',
      'franchise=F,location=M',
      'franchise=E,location=L',
    ];
    for (const part of parts) await run(`partner grant acme --grant group=H,${part}`);

    await run('partner revoke-grant acme --grant group=H,franchise=F,location=L');

    expect((await stage.deps.partners.byName('acme'))?.grants).toEqual([
      { group: 'G' },
      { group: 'H', franchise: 'F' },
      { group: 'H', franchise: 'F', location: 'M' },
      { group: 'H', franchise: 'E', location: 'L' },
    ]);
  });

  test.each([
    ['grant', 'group=G', 'It already has the grant group=G.'],
    ['revoke-grant', 'group=H', 'It has no grant group=H: "partner show" lists what it has.'],
  ])('%s of %s is an error, because it changes nothing', async (verb, grant, error) => {
    await createPartner();

    expect(await json(`partner ${verb} acme --grant ${grant}`)).toEqual({ error });
  });

  test('TOK-5 disable refuses the partner, and enable accepts it again', async () => {
    await createPartner();
    const isEnabled = async () => (await stage.deps.partners.byName('acme'))?.enabled;

    const { printed } = await run('partner disable acme');
    const between = await isEnabled();
    const enabled = await json('partner enable acme');

    expect(printed).toBe('Partner "acme":\n  - enabled\n  + disabled\nDone.\n');
    expect(enabled).toMatchObject({ enabled: true, before: { enabled: false } });
    expect([between, await isEnabled()]).toEqual([false, true]);
  });
});

describe('TOK-2 rotate-secret', () => {
  test('the new and the former secret work during the overlap', async () => {
    const { clientId, clientSecret } = await createPartner();

    const rotated = await json('partner rotate-secret acme --overlap-hours 2');

    const { secrets = [] } = (await stage.deps.partners.credentialsOf(clientId)) ?? {};
    const works = (secret: string, afterHours: number) => {
      const stored = presentedSecret(secret, secrets, onePepper(pepper));
      return stored !== undefined && isActive(stored, now.getTime() + afterHours * 3_600_000);
    };
    expect(Object.keys(rotated)).toEqual(['name', 'clientId', 'clientSecret']);
    expect([works(clientSecret, 1), works(rotated.clientSecret, 1)]).toEqual([true, true]);
    expect([works(clientSecret, 2), works(rotated.clientSecret, 2)]).toEqual([false, true]);
    const again = await run('partner rotate-secret acme --overlap-hours 2');
    expect(again.printed).toContain('\nThe former secret works until 2026-11-21T14:00:00.000Z.\n');
  });

  const secretsOf = async (clientId: string) =>
    (await stage.deps.partners.credentialsOf(clientId))?.secrets ?? [];

  test.each([
    ['hashed anew meanwhile does not hinder it, and goes on working', 1, [0, 2, true]],
    ['hashed anew each time has the rotation refused after the third', 5, [1, 3, false]],
  ])('TOK-2 M-09 a secret that is %s', async (_, changes, expected) => {
    const { clientId } = await createPartner();
    const { partners } = stage.deps;
    const replace = partners.replaceSecrets;
    let tries = 0;
    partners.replaceSecrets = async (...change) => {
      const [former] = await secretsOf(clientId);
      tries += 1;
      if (former && tries <= changes)
        await partners.rehash(clientId, former, { hash: `pepper-${tries}`, pepperId: 'p2' });
      return replace(...change);
    };

    const { exitCode } = await run('partner rotate-secret acme');

    const works = (await secretsOf(clientId)).some(({ hash }) => hash === 'pepper-1');
    expect([exitCode, tries, works]).toEqual(expected);
  });

  test('TOK-2 of two concurrent rotations one is refused, so that a partner has two secrets', async () => {
    const { clientId } = await createPartner();
    const { partners } = stage.deps;
    const replace = partners.replaceSecrets;
    partners.replaceSecrets = async (...change) => {
      partners.replaceSecrets = replace;
      await run('partner rotate-secret acme');
      return replace(...change);
    };

    const { exitCode, noted } = await run('partner rotate-secret acme');

    expect([exitCode, noted]).toEqual([1, 'acme was changed by somebody else meanwhile: try again.\n']);
    expect(await secretsOf(clientId)).toHaveLength(2);
  });

  test('ending the former secret at once asks for the name', async () => {
    const { clientId } = await createPartner();

    const confirmed = await run('partner rotate-secret acme --overlap-hours 0', 'acme');

    expect(confirmed.asked).toEqual(['This ends every secret of "acme" now. Type "acme" to do it: ']);
    expect(confirmed.printed).toContain('\nNo former secret works any more.\n');
    const { secrets = [] } = (await stage.deps.partners.credentialsOf(clientId)) ?? {};
    expect(secrets.filter((secret) => isActive(secret, now.getTime()))).toHaveLength(1);
  });

  test.each(['-1', 'soon', '9000', '', ' ', '1e3', '0x10', '0.5', ' 2'])(
    'an overlap of "%s" hours is refused',
    async (hours) => {
      await createPartner();
      const rotated = await run(['partner', 'rotate-secret', 'acme', '--yes', `--overlap-hours=${hours}`]);

      expect(rotated).toMatchObject({
        exitCode: 1,
        noted: `--overlap-hours is "${hours}" and must be a whole number from 0 to 8760.\n`,
      });
    },
  );
});

test('TOK-6 revoke-tokens: tokens of until now count no more, those of five seconds later do', async () => {
  const { clientId } = await createPartner();

  const said = await run('partner revoke-tokens acme');

  expect(said).toMatchObject({ exitCode: 0, asked: [] });
  expect((await stage.deps.partners.profileOf(clientId))?.tokensFromMs).toBe(now.getTime() + 5_000);
  const tokensRevokedAt = '2026-11-21T12:00:00.000Z';
  expect(await json('partner revoke-tokens acme')).toEqual({ name: 'acme', clientId, tokensRevokedAt });
});

test('TOK-6 revoke-tokens within a second ends the tokens of the whole second that is five seconds later', async () => {
  begin({ now: () => new Date('2026-11-21T12:00:00.001Z') });
  const { clientId } = await createPartner();

  await run('partner revoke-tokens acme');

  const { tokensFromMs = 0 } = (await stage.deps.partners.profileOf(clientId)) ?? {};
  expect(new Date(tokensFromMs).toISOString()).toBe('2026-11-21T12:00:06.000Z');
});

describe('TH-22 a change that cannot be undone', () => {
  test('is not made when another name is typed', async () => {
    await createPartner();

    const { exitCode, noted } = await run('partner delete acme', 'acne');

    expect([exitCode, noted]).toEqual([1, 'Nothing was changed: the typed name is another one.\n']);
    expect(await stage.deps.partners.byName('acme')).toBeDefined();
  });

  test('is made when the name is typed, or with --yes', async () => {
    await createPartner('one');
    await createPartner('two');

    const typed = await run('partner delete one', 'one');
    const question = 'This removes the partner "one" and its credentials permanently. Type "one" to do it: ';
    const agreed = await json('partner delete two --yes');

    expect([typed.printed, typed.asked]).toEqual(['The partner "one" is removed.\n', [question]]);
    expect(agreed).toMatchObject({ name: 'two', deleted: true });
    expect(await stage.deps.partners.all()).toEqual([]);
  });
});
