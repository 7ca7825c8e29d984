import { describe, expect, test } from '@jest/globals';
import type { AuditRecord } from '../../../../../functions/shared/store/partners/audit-log.ts';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';
import {
  begin,
  createPartner,
  json,
  leeds,
  run,
  stage,
  useOperatorTool,
} from '../../../../support/operator/operator-tool.ts';

useOperatorTool();

describe('restore adopt', () => {
  test('DR-3 gives every transaction a version that nobody has seen', async () => {
    await stage.deps.transactions.createMany([aNewTransaction({ uuid: uuidOf(1) })]);

    const report = await json(['restore', 'adopt', 'transactions', '--yes']);

    expect(report).toMatchObject({ transactions: 1, lifted: 1, notified: 0, dryRun: false });
    expect(await stage.deps.transactions.byUuid(uuidOf(1))).toMatchObject({ version: 1_795_262_400_000 });
    expect(stage.records).toMatchObject([
      { command: 'restore adopt', arguments: { tables: ['transactions'] } },
    ]);
  });

  test('a dry run counts, changes nothing and records nothing', async () => {
    await stage.deps.transactions.createMany([aNewTransaction({ uuid: uuidOf(1) })]);

    const said = await run(['restore', 'adopt', 'transactions,listing', '--dry-run']);

    expect(said.exitCode).toBe(0);
    expect(said.printed).toMatch(/new version only +1\n/);
    expect(said.printed).toContain('Nothing was changed.\n');
    expect(await stage.deps.transactions.byUuid(uuidOf(1))).toMatchObject({ version: 1 });
    expect(stage.records).toEqual([]);
  });

  test.each([
    [
      'customers',
      '"customers" is no table: name some of transactions, listing, partners, debounce, requests.\n',
    ],
    ['listing,', '"" is no table: name some of transactions, listing, partners, debounce, requests.\n'],
  ])('of "%s" is refused by what it does not know', async (tables, noted) => {
    expect(await run(['restore', 'adopt', tables, '--yes'])).toMatchObject({ exitCode: 1, noted });
  });

  test('S-61 erases again what a restored table brought back, before all else; a dry run counts it', async () => {
    const email = 'ann@example.org';
    const { personalData, transactions } = stage.deps;
    const digest = (await personalData.erasures.digester())(email);
    await personalData.erasures.add({ atMs: 1_795_000_000_000, digest, uuids: [] });
    await transactions.create(aNewTransaction({ uuid: uuidOf(1), customer: { email } }));

    const counted = await json(['restore', 'adopt', 'transactions', '--dry-run']);
    const before = await transactions.byUuid(uuidOf(1));
    const adopted = await json(['restore', 'adopt', 'transactions', '--yes']);

    const erased = { erasedAgain: { transactions: 1, copies: 0 } };
    expect([counted, adopted]).toMatchObject([erased, erased]);
    expect(before?.transaction).toMatchObject({ isDeleted: 0, customer: { email } });
    expect(await transactions.byUuid(uuidOf(1))).toMatchObject({
      ...{ version: 1_795_262_400_000, elementVersions: { own: 2 } },
      transaction: { isDeleted: 1 },
    });
  });

  test('S-61 tables that hold nothing personal are not searched', async () => {
    stage.deps.personalData.erasures.all = () => Promise.reject(new Error('searched'));

    const { exitCode } = await run(['restore', 'adopt', 'listing,partners', '--yes']);

    expect(exitCode).toBe(0);
  });

  test('asks first, and changes nothing where something else is typed', async () => {
    const said = await run(['restore', 'adopt', 'listing'], 'no');

    expect(said.noted).toBe('Nothing was changed: another name was typed.\n');
    expect(stage.records).toEqual([]);
  });

  test('DR-9 is refused while another has not ended, by what ends it', async () => {
    const note = { floor: 1, tables: ['debounce'], restoredToMs: 0, largestId: 0, lastPosition: 0 };
    await stage.deps.recovery.begin(note);

    const said = await run(['restore', 'adopt', 'transactions', '--yes']);

    expect(said.noted).toBe('An adoption of debounce has not ended: "restore adopt debounce" ends it.\n');
  });
});

const atMs = Date.parse('2026-11-21T11:30:00Z');
const lost = (
  command: string,
  args: Record<string, unknown>,
  facts: { isLost?: false; isDone?: false } = {},
) => {
  const record: AuditRecord = { who: 'ada', command, arguments: args, atMs };
  return { ...record, id: command, isLost: true, isDone: true, ...facts };
};

/** Adopts the Partners table, which has lost these records. */
const adopting = async (...records: ReturnType<typeof lost>[]) => {
  stage.deps.trail.read = async () => records;
  return json(['restore', 'adopt', 'partners', '--yes']);
};

describe('DR-7 what was done to partners since is done again', () => {
  const acme = async () => {
    begin();
    const { clientId } = await createPartner('acme', '--webhook-url', 'https://acme.example/hook');
    return { clientId, name: 'acme' };
  };

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['partner disable', {}, { enabled: false }],
    ['partner grant', { grant: 'group=H' }, { grants: [{ group: 'G' }, { group: 'H' }] }],
    ['partner revoke-grant', { grant: 'group=G' }, { grants: [] }],
    ['partner set-webhook', { url: 'https://acme.example/2' }, { webhookUrl: 'https://acme.example/2' }],
    ['partner remove-webhook', {}, { webhookUrl: null }],
    ['partner pause', {}, { webhookPausedBy: 'operator' }],
    ['partner set-oauth-scopes', { oauthScopes: ['nop2/webhook'] }, { oauthScopes: ['nop2/webhook'] }],
  ])('%s', async (command, args, expected) => {
    const named = await acme();

    const report = await adopting(lost(command, { ...named, ...args }));

    expect(report).toMatchObject({ commandsRepeated: 1, byHand: [], tokensEnded: 1 });
    expect(await json(['partner', 'show', 'acme'])).toMatchObject(expected);
  });

  test('an address as of when it was set, and unchecked where it was set so', async () => {
    const named = await acme();
    const args = { ...named, url: 'https://acme.example/2', unchecked: true };

    await adopting(lost('partner set-webhook', args));

    expect(await stage.deps.partners.byName('acme')).toMatchObject({
      ...{ webhookUrl: 'https://acme.example/2', webhookSetAtMs: atMs, webhookUnchecked: true },
    });
  });

  test('V2-13 a partner’s own change as its own', async () => {
    const named = await acme();

    await adopting(lost('partner pause', { ...named, by: 'partner' }));

    expect(await stage.deps.partners.byName('acme')).toMatchObject({
      ...{ webhookPaused: 'partner', webhookChange: { by: 'partner', atMs } },
    });
  });

  test('V2-13 the operator’s pause stays the operator’s, whatever the partner meant to change', async () => {
    const named = await acme();

    await adopting(lost('partner pause', named), lost('partner pause', { ...named, by: 'partner' }));

    expect(await stage.deps.partners.byName('acme')).toMatchObject({ webhookPaused: 'operator' });
  });

  test('V2-13 of a partner’s own rotation the secret that it authenticated with works for the overlap', async () => {
    const named = await acme();
    await json(['partner', 'rotate-secret', 'acme']);
    const [newest, presented] = (await stage.deps.partners.credentialsOf(named.clientId))?.secrets ?? [];
    const args = { ...named, by: 'partner', overlapHours: 2, secretId: presented?.id };
    const later = { ...lost('partner rotate-secret', args), atMs: atMs + 3_600_000 };

    await adopting(later);

    const { secrets } = await json(['partner', 'show', 'acme']);
    expect(secrets).toMatchObject([
      { id: newest?.id, expiresAt: '2026-11-21T12:30:00.000Z' },
      { id: presented?.id, expiresAt: '2026-11-21T14:30:00.000Z' },
    ]);
  });

  test('in its order: who was enabled after all is enabled', async () => {
    const named = await acme();

    await adopting(lost('partner disable', named), lost('partner enable', named));

    expect(await json(['partner', 'show', 'acme'])).toMatchObject({ enabled: true });
  });

  test('what was done right before the first lost record counts, too: its change may be lost without it', async () => {
    const named = await acme();

    await adopting(lost('partner disable', named, { isLost: false }), lost('partner pause', named));

    expect(await json(['partner', 'show', 'acme'])).toMatchObject({
      enabled: false,
      webhookPausedBy: 'operator',
    });
  });

  test('a partner that was deleted is gone', async () => {
    await adopting(lost('partner delete', await acme()));

    expect(await json(['partner', 'list'])).toEqual([]);
  });

  test('secrets that were rotated end as they did, and the one that is lost is named', async () => {
    const named = await acme();
    const later = { ...lost('partner rotate-secret', { ...named, overlapHours: 0 }), atMs: atMs + 3_600_000 };

    const { byHand } = await adopting(later);

    const { secrets } = await json(['partner', 'show', 'acme']);
    expect(secrets).toMatchObject([{ expiresAt: '2026-11-21T12:30:00.000Z' }]);
    expect(byHand).toEqual(['partner rotate-secret acme: the secret that was made is lost']);
  });

  test('what nobody can do again is named for a person', async () => {
    const { byHand } = await adopting(
      lost('partner create', { name: 'newer' }),
      lost('partner rotate-signature', { name: 'acme', step: 'finish' }),
      lost('keys rotate', { kind: 'access' }),
      lost('keys rotate', { kind: 'pepper' }, { isLost: false }),
    );

    expect(byHand).toEqual([
      'partner create --name newer …: its credentials are lost',
      'partner rotate-signature acme: the value that was made is lost',
      'keys rotate access: the ring is the one before',
    ]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['partner enable', {}, 'partner enable acme'],
    ['partner grant', { grant: 'group=H' }, 'partner grant acme group=H'],
    ['partner set-webhook', { url: 'https://acme.example/2' }, 'partner set-webhook acme'],
    ['partner resume', {}, 'partner resume acme'],
  ])(
    'DR-12 %s of which nobody knows whether it was done is left to a person',
    async (command, args, what) => {
      const named = await acme();
      const before = await json(['partner', 'show', 'acme']);

      const report = await adopting(lost(command, { ...named, ...args }, { isDone: false }));

      expect(report).toMatchObject({
        commandsRepeated: 0,
        byHand: [`${what}: it is not known whether it was done`],
      });
      expect(await json(['partner', 'show', 'acme'])).toMatchObject({
        ...{ enabled: before.enabled, grants: before.grants, webhookUrl: before.webhookUrl },
      });
    },
  );

  test('DR-12 what takes a right away is done in any case', async () => {
    const named = await acme();

    const { byHand } = await adopting(lost('partner disable', named, { isDone: false }));

    expect(byHand).toEqual([]);
    expect(await json(['partner', 'show', 'acme'])).toMatchObject({ enabled: false });
  });

  test('DR-12 a partner of which nobody knows whether it was deleted is disabled until a person says', async () => {
    const named = await acme();

    const report = await adopting(lost('partner delete', named, { isDone: false }));

    expect(report).toMatchObject({
      commandsRepeated: 0,
      byHand: ['partner delete acme: it is not known whether it was done; it is disabled until then'],
    });
    expect(await json(['partner', 'show', 'acme'])).toMatchObject({
      ...{ enabled: false, grants: [{ group: 'G' }], webhookUrl: 'https://acme.example/hook' },
    });
  });

  test('DR-12 a storefront of which nobody knows whether it was deleted is retired until a person says', async () => {
    begin();
    const storefront = { ...leeds, retired: false, createdAtMs: atMs };
    await stage.deps.storefronts.register(storefront, { isDefault: true });

    const report = await adopting(lost('storefront delete', { name: 'leeds' }, { isDone: false }));

    expect(report).toMatchObject({
      commandsRepeated: 0,
      byHand: ['storefront delete leeds: it is not known whether it was done; it is retired until then'],
    });
    expect(await stage.deps.storefronts.byName('leeds')).toMatchObject({ retired: true });
    expect(await stage.deps.storefronts.stageDefault()).toBeUndefined();
  });

  test('DR-9 an adoption that died names again what is left to a person', async () => {
    const named = await acme();
    const records = [lost('partner create', { name: 'newer' }), lost('partner disable', named)];
    const given: string[] = [];
    stage.deps.trail.giveBack = async (some) => {
      given.push(...some.map(({ command }) => command));
    };
    const { repair } = stage.deps.listing;
    stage.deps.listing.repair = () => Promise.reject(new Error('killed'));
    stage.deps.trail.read = async () => records;

    const died = await run(['restore', 'adopt', 'listing,partners', '--yes']);
    const givenBefore = [...given];
    stage.deps.listing.repair = repair;
    const { byHand } = await json(['restore', 'adopt', 'listing,partners', '--yes']);

    expect([died.exitCode, givenBefore]).toEqual([1, []]);
    expect(byHand).toEqual(['partner create --name newer …: its credentials are lost']);
    expect(given).toEqual(['partner disable', 'partner create']);
  });

  test('a storefront, a session and the switch of all webhooks', async () => {
    await stage.deps.transactions.createMany([aNewTransaction({ uuid: uuidOf(1) }, { session: 's1' })]);
    const ended: string[] = [];
    stage.deps.sessions.revoke = async (session) => void ended.push(session);
    const { name, owner, origins } = leeds;

    await adopting(
      lost('storefront create', { name, ...owner, groupSoftware: '', origins, default: true }),
      lost('session revoke', { uuid: uuidOf(1) }),
      lost('webhooks stop', {}),
    );

    expect(await stage.deps.storefronts.stageDefault()).toMatchObject({ name: 'leeds' });
    expect(ended).toEqual(['s1']);
    expect(await stage.deps.webhookSwitch.read()).toMatchObject({ stoppedAtMs: atMs });
  });
});

test('DR-14 where the Partners table went back, what it says of endpoints is forgotten, and else nothing', async () => {
  const { clientId } = await createPartner('acme', '--webhook-url', 'https://acme.example/hook');
  const endpoint = async () => (await stage.deps.partners.profileOf(clientId))?.endpoint?.state;

  await json(['restore', 'adopt', 'requests', '--yes']);
  await json(['restore', 'adopt', 'partners', '--dry-run']);
  expect(await endpoint()).toBe('on');
  await json(['restore', 'adopt', 'partners', '--yes']);
  expect(await endpoint()).toBeUndefined();
});

test('DR-8 where the Requests table went back, every partner gets new tokens', async () => {
  const { clientId } = await createPartner();

  const report = await json(['restore', 'adopt', 'requests', '--yes']);

  expect(report).toMatchObject({ tokensEnded: 1, lifted: 0 });
  expect((await stage.deps.partners.profileOf(clientId))?.tokensFromMs).toBeGreaterThan(0);
});
