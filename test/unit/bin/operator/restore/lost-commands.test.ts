import { describe, expect, test } from '@jest/globals';
import { firstRing } from '../../../../../functions/shared/domain/keys/key-ring.ts';
import type { AuditRecord } from '../../../../../functions/shared/store/partners/audit-log.ts';
import { uuidOf } from '../../../../support/builders/transactions.ts';
import {
  createPartner,
  json,
  leeds,
  run,
  stage,
  useTool,
  workspace,
} from '../../../../support/operator/tool.ts';

useTool();

const atMs = Date.parse('2026-11-21T11:30:00Z');
type Facts = { isLost?: boolean; isDone?: boolean; atMs?: number };
const lost = (command: string, args: Record<string, unknown>, facts: Facts = {}) => {
  const record: AuditRecord = { who: 'ada', command, arguments: args, atMs };
  return { ...record, id: command, isLost: true, isDone: true, ...facts };
};

/** Adopts the Partners table, which has lost these records. */
const adopting = async (...records: ReturnType<typeof lost>[]) => {
  stage.deps.trail.read = async () => records;
  return json('restore adopt partners --yes');
};

const acme = async () => {
  const { clientId } = await createPartner('acme', '--webhook-url', 'https://acme.example/hook');
  return { clientId, name: 'acme' };
};

describe('DR-7 lost commands that took a right away are repeated', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['partner disable', {}, { enabled: false }],
    ['partner revoke-grant', { grant: 'group=G' }, { grants: [] }],
    ['partner remove-webhook', {}, { webhookUrl: null }],
    ['partner pause', {}, { webhookPausedBy: 'operator' }],
    ['partner delete', {}, { error: expect.stringContaining('There is no partner "acme"') }],
  ])('%s', async (command, args, expected) => {
    const named = await acme();

    const report = await adopting(lost(command, { ...named, ...args }));

    expect(report).toMatchObject({ commandsRepeated: 1, byHand: [] });
    expect(await json('partner show acme')).toMatchObject(expected);
  });

  test('including the last command before the loss, whose change may be lost', async () => {
    const named = await acme();
    const hourBefore = atMs - 3_600_000;

    const { byHand } = await adopting(
      lost('partner pause', named, { isLost: false, atMs: hourBefore - 1 }),
      lost('partner disable', named, { isLost: false, atMs: hourBefore }),
      lost('webhooks stop', {}),
    );

    expect(await json('partner show acme')).toMatchObject({
      ...{ enabled: false, webhookPausedBy: null },
    });
    expect(byHand).toEqual([]);
  });

  test('OAuth scopes are narrowed, not widened', async () => {
    const named = await acme();
    const args = { ...named, oauthScopes: ['nop2/write', 'nop2/webhook'] };

    const { byHand } = await adopting(lost('partner set-oauth-scopes', args));

    expect(await json('partner show acme')).toMatchObject({ oauthScopes: ['nop2/write'] });
    expect(byHand).toEqual([
      '# 2026-11-21T11:30:00.000Z',
      "npm run operator -- partner set-oauth-scopes acme --oauth-scopes 'nop2/write nop2/webhook'",
    ]);
  });

  const byPartner = { by: 'partner' as const };
  test.each<[string, object[], object]>([
    [
      'a partner’s own change as its own',
      [byPartner],
      { webhookPaused: 'partner', webhookChange: { ...byPartner, atMs } },
    ],
    [
      'the operator’s pause stays, whatever the partner meant to change',
      [{}, byPartner],
      { webhookPaused: 'operator' },
    ],
  ])('V2-13 %s', async (_, pauses, expected) => {
    const named = await acme();

    await adopting(...pauses.map((more) => lost('partner pause', { ...named, ...more })));

    expect(await stage.deps.partners.byName('acme')).toMatchObject(expected);
  });

  test('a storefront, a key and the switch of all webhooks', async () => {
    await stage.deps.storefronts.register(leeds, { isDefault: true });
    await stage.deps.rings.replace('access', firstRing([{ kid: 'a1' }, { kid: 'a2' }], 0));

    const report = await adopting(
      lost('storefront delete', { name: 'leeds' }),
      lost('keys remove', { kind: 'access', kid: 'a1' }),
      lost('webhooks stop', {}),
    );

    expect(report).toMatchObject({ commandsRepeated: 3, byHand: [] });
    expect(await stage.deps.storefronts.byName('leeds')).toMatchObject({ retired: true });
    expect(await stage.deps.storefronts.stageDefault()).toBeUndefined();
    expect((await stage.deps.rings.read('access'))?.entries.map(({ kid }) => kid)).toEqual(['a2']);
    expect(await stage.deps.webhookSwitch.read()).toMatchObject({ stoppedAtMs: atMs });
  });

  test('V1-9 every session that was revoked within 90 days, if Requests was restored', async () => {
    const ended: [string, Date][] = [];
    stage.deps.sessions.revoke = async (session, endedAt) => void ended.push([session, endedAt]);
    const daysAgo = (days: number) => stage.deps.now().getTime() - days * 86_400_000;
    const revoked = (session: string, days: number) =>
      lost('session revoke', { uuid: uuidOf(1), session }, { isLost: false, atMs: daysAgo(days) });
    stage.deps.trail.read = async () => [revoked('old', 91), revoked('s1', 89), revoked('s2', 0)];

    expect(await json('restore adopt requests --dry-run')).toMatchObject({ commandsRepeated: 2 });
    expect(ended).toEqual([]);
    await json('restore adopt requests --yes');
    await json('restore adopt partners --yes');

    expect(ended).toEqual([
      ['s1', new Date(daysAgo(89) + 5_000)],
      ['s2', new Date(daysAgo(0) + 5_000)],
    ]);
  });

  test('DR-9 a removed key without which nothing could sign stops the adoption until there is another', async () => {
    await stage.deps.rings.replace('access', firstRing([{ kid: 'a1' }], 0));
    stage.deps.trail.read = async () => [lost('keys remove', { kind: 'access', kid: 'a1' })];

    const stopped = await run('restore adopt partners --yes');
    const two = { ...firstRing([{ kid: 'a1' }, { kid: 'a2' }], 0), revision: 2 };
    await stage.deps.rings.replace('access', two);
    const { exitCode } = await run('restore adopt partners --yes');

    expect(stopped.noted).toContain('Without a1 no key could sign: run "keys rotate" for its kind first.\n');
    expect(exitCode).toBe(0);
    expect((await stage.deps.rings.read('access'))?.entries.map(({ kid }) => kid)).toEqual(['a2']);
  });

  test('including a command right before the first lost record, whose change may be lost without it', async () => {
    const named = await acme();
    const before = { isLost: false, atMs: atMs - 60_000 };

    const { byHand } = await adopting(
      lost('partner disable', named, { isLost: false, atMs: atMs - 60_001 }),
      lost('partner pause', named, before),
      lost('partner grant', { ...named, grant: 'group=H' }, before),
      lost('partner revoke-grant', { ...named, grant: 'group=G' }),
    );

    expect(await json('partner show acme')).toMatchObject({
      ...{ enabled: true, webhookPausedBy: 'operator', grants: [] },
    });
    expect(byHand[0]).toMatch(/^# 2026-11-21T11:29:00.000Z, possibly still in effect/);
  });
});

describe('DR-7 lost commands that gave something are printed for a person', () => {
  test.each([
    'partner create --name other --grant group=H,location=L --grant group=I --oauth-scopes nop2/read --show-payment-tokens --webhook-url https://other.example/hook',
    'partner enable acme',
    'partner grant acme --grant group=H,location=L',
    'partner set-oauth-scopes acme --oauth-scopes nop2/read',
    'partner set-webhook acme --url https://acme.example/2 --unchecked',
    'partner resume acme',
    'partner rotate-secret acme --overlap-hours 24',
    'partner rotate-signature acme',
    'partner rotate-signature rotating --finish',
    'partner rotate-signature rotating --cancel',
    'storefront create --name s --group G --franchise F --location M --branch B --group-software W --origin https://a.example --origin https://b.example --default',
    'keys rotate access',
    'webhooks start',
  ])('as it was typed: %s', async (typed) => {
    await acme();
    await createPartner('rotating', '--webhook-url', 'https://rotating.example/hook');
    await run('partner rotate-signature rotating');
    await run([...typed.split(' '), '--yes']);
    const { command, arguments: args } = stage.records.at(-1) as AuditRecord;

    const { byHand } = await adopting(lost(command, args));

    expect(byHand).toEqual(['# 2026-11-21T11:30:00.000Z', `npm run operator -- ${typed}`]);
  });

  test('and not run', async () => {
    const named = await acme();
    const before = await stage.deps.partners.byName('acme');

    const report = await adopting(
      lost('partner grant', { ...named, grant: 'group=H' }),
      lost('partner set-webhook', { ...named, url: 'https://acme.example/2' }),
      lost('keys rotate', { kind: 'access' }),
      lost('partner create', { name: 'newer', grants: [], oauthScopes: [], showsPaymentTokens: false }),
    );

    expect(report).toMatchObject({ commandsRepeated: 0, tokensEnded: 1 });
    expect(await stage.deps.partners.all()).toEqual([before]);
  });

  test('after the command that took it away: a partner that was enabled last stays disabled until a person runs it', async () => {
    const named = await acme();

    const { byHand } = await adopting(
      lost('partner disable', named),
      lost('partner enable', named),
      lost('partner disable', { clientId: 'c', name: 'another' }),
    );

    expect(await json('partner show acme')).toMatchObject({ enabled: false });
    expect(byHand).toEqual(['# 2026-11-21T11:30:00.000Z', 'npm run operator -- partner enable acme']);
  });

  test.each<[string, string]>([
    ['partner enable', 'partner disable'],
    ['partner grant', 'partner revoke-grant'],
    ['partner grant', 'partner delete'],
    ['partner set-webhook', 'partner remove-webhook'],
    ['partner resume', 'partner pause'],
    ['partner create', 'partner disable'],
  ])('but %s only as a comment where %s came later', async (gave, took) => {
    const args = { ...(await acme()), grant: 'group=H\n', url: 'https://acme.example/2' };

    const { byHand } = await adopting(lost(gave, args), lost(took, args));

    expect(byHand).toEqual([
      `# 2026-11-21T11:30:00.000Z, "${took}" may have ended it: ${gave} '{"clientId":"${args.clientId}","name":"acme","grant":"group=H\\n","url":"https://acme.example/2"}'`,
    ]);
  });

  test('with the options that select the stage', async () => {
    stage.deps.trail.read = async () => [lost('partner enable', await acme())];

    const { printed } = await run(`restore adopt partners --dry-run --stack ${workspace.stackFile}`);

    expect(printed).toContain(
      `Do by hand:\n# 2026-11-21T11:30:00.000Z\nnpm run operator -- --stack ${workspace.stackFile} partner enable acme\nNothing was changed.\n`,
    );
  });
});

test.each<[string, string, object]>([
  ['is printed as such', 'partner enable', { enabled: true }],
  ['takes a right away nevertheless', 'partner disable', { enabled: false }],
  [
    'disables a partner that it may have deleted, until a person decides',
    'partner delete',
    { enabled: false, grants: [{ group: 'G' }], webhookUrl: 'https://acme.example/hook' },
  ],
])('DR-12 a command of which nobody knows whether it was done %s', async (_, command, shown) => {
  const { byHand } = await adopting(lost(command, await acme(), { isDone: false }));

  expect(byHand).toEqual([
    '# 2026-11-21T11:30:00.000Z, possibly not done',
    `npm run operator -- ${command} acme`,
  ]);
  expect(await json('partner show acme')).toMatchObject(shown);
});

test('DR-9 an interrupted adoption prints its manual steps again', async () => {
  const named = await acme();
  const records = [lost('partner enable', named), lost('partner pause', named)];
  const given: string[] = [];
  stage.deps.trail.giveBack = async (some) => {
    given.push(...some.map(({ command }) => command));
  };
  const { repair } = stage.deps.listing;
  stage.deps.listing.repair = () => Promise.reject(new Error('killed'));
  stage.deps.trail.read = async () => records;

  const died = await run('restore adopt listing,partners --yes');
  const givenBefore = [...given];
  stage.deps.listing.repair = repair;
  const { byHand } = await json('restore adopt listing,partners --yes');

  expect([died.exitCode, givenBefore]).toEqual([1, []]);
  expect(byHand).toEqual(['# 2026-11-21T11:30:00.000Z', 'npm run operator -- partner enable acme']);
  expect(given).toEqual(['partner pause', 'partner enable']);
});
