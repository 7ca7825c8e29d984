import { describe, expect, test } from '@jest/globals';
import { firstRing, type KeyKind } from '../../../../functions/shared/domain/keys/key-ring.ts';
import { aNewTransaction, uuidOf } from '../../../support/builders/transactions.ts';
import { operate } from '../../../support/operator/operator.ts';
import { createPartner, leeds, run, stage, useTool, workspace } from '../../../support/operator/tool.ts';

useTool();

describe('S-28 the audit record', () => {
  test('DR-12 is marked when a command has ended, and not if it failed', async () => {
    await run('partner create --name acme --grant group=G');
    stage.deps.partners.update = () => Promise.reject(new Error('killed'));
    await run('partner disable acme');

    expect(stage.records.map(({ command }) => command)).toEqual(['partner create', 'partner disable']);
    expect(stage.done).toEqual(['partner create']);
  });

  const changes = [
    ...['partner create --name other', 'partner grant acme --grant group=H'],
    'partner revoke-grant acme --grant group=G',
    ...['partner set-oauth-scopes acme --oauth-scopes nop2/read', 'partner rotate-secret acme'],
    ...['partner revoke-tokens acme', 'partner disable acme', 'partner enable acme'],
    'partner create --name notified --webhook-url https://told.example/hook',
    ...['partner set-webhook acme --url https://acme.example/2', 'partner pause acme', 'partner resume acme'],
    ...['partner remove-webhook acme --yes', 'partner repair', 'partner rotate-signature acme'],
    'partner rotate-signature rotating --finish',
    'partner rotate-signature rotating --finish --unchecked --yes',
    ...['partner rotate-signature rotating --cancel', 'webhooks stop --yes', 'webhooks start'],
    'partner delete acme --yes',
    'storefront create --name s --group G --franchise F --location M --branch B',
    ...['storefront delete leeds --yes', `transactions restore ${uuidOf(1)}`, `session revoke ${uuidOf(1)}`],
    ...['customer erase --email ann@example.org --yes', 'customer reapply'],
    ...[`transactions import ${workspace.stackFile}`, 'listing repair', 'keys rotate access'],
    'keys remove a1 --yes',
  ];

  test.each(changes)('if it cannot be written, %s changes nothing', async (line) => {
    await fill();
    const touched: string[] = [];
    const broken = { ...watched(touched), audit: { append: () => Promise.reject(new Error('no room')) } };

    const said = await operate(broken, workspace.stackFile, line.split(' '));

    expect(said).toMatchObject({
      exitCode: 1,
      noted: expect.stringContaining('The command failed (Error): no room\n'),
    });
    expect(touched).toEqual([]);
  });
});

test.each([
  ['partner remove-webhook acme', 'events that are kept or being retried are discarded.'],
  ['partner delete acme', 'This removes the partner "acme" and its credentials permanently.'],
  ['partner rotate-secret acme --overlap-hours 0', 'This ends every secret of "acme" now.'],
  [
    'partner rotate-signature rotating --finish --unchecked',
    'The endpoint of "rotating" may refuse every message from now on.',
  ],
  ['webhooks stop', 'This stops the webhooks of every partner; events wait.'],
  ['storefront delete leeds', 'This retires the storefront "leeds".'],
  [`customer erase --uuid ${uuidOf(1)}`, 'will be erased permanently.'],
  ['keys remove a1', 'Every access token that this key signed is refused from now on'],
  ['restore adopt listing', 'This raises all versions above those that listing may have lost'],
])('TH-22 without a terminal, %s needs --yes, and changes nothing', async (line, sentence) => {
  await fill();
  const touched: string[] = [];

  const { exitCode, noted } = await operate(watched(touched), workspace.stackFile, line.split(' '));

  expect([exitCode, touched]).toEqual([1, []]);
  expect(noted).toContain(sentence);
  expect(noted).toContain('There is no terminal to confirm this: add --yes to do it.\n');
});

/** What each of these commands can change. */
const fill = async () => {
  await stage.deps.storefronts.register(leeds);
  await stage.deps.transactions.create(aNewTransaction({ uuid: uuidOf(1), isDeleted: 1 }, { session: 's' }));
  await createPartner('acme', '--webhook-url', 'https://acme.example/hook');
  await createPartner('rotating', '--webhook-url', 'https://rotating.example/hook');
  await run('partner rotate-signature rotating');
  await stage.deps.rings.replace('access', firstRing([{ kid: 'a1' }, { kid: 'a2' }], 0));
};

const changing =
  'create update replaceSecrets endTokens rotateSignature remove stop start move addMissing register retire replace createMany repair rotate revoke'.split(
    ' ',
  );

/** The stores, with a note of every change that a command asks for. */
const watched = (touched: string[]) => {
  const { deps } = stage;
  const watch = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        if (changing.includes(String(name))) touched.push(String(name));
        return Reflect.get(target, name);
      },
    });
  return {
    ...deps,
    ...{ partners: watch(deps.partners), storefronts: watch(deps.storefronts), rings: watch(deps.rings) },
    ...{ transactions: watch(deps.transactions), sessions: watch(deps.sessions) },
    ...{ listing: watch(deps.listing), debounce: watch(deps.debounce) },
    webhookSwitch: watch(deps.webhookSwitch),
    requestRotation: (kind: KeyKind) => watch({ rotate: deps.requestRotation }).rotate(kind),
  };
};
