import { beforeEach, describe, expect, test } from '@jest/globals';
import { createPartner, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

const url = 'https://acme.example/hook';
const idOf = async (name: string) => (await stage.deps.partners.byName(name))?.clientId ?? '';
const check = { id: expect.any(String), url };

/** Two that are on, one that is paused, one that is disabled, and one without a webhook. */
beforeEach(async () => {
  for (const name of ['acme', 'disabled', 'other', 'paused']) await createPartner(name, '--webhook-url', url);
  await createPartner('plain');
  await json('partner pause paused');
  await json('partner disable disabled');
  stage.keeper.sent.length = 0;
});

describe('D-09 partner repair', () => {
  test('wakes all partners with a webhook, and checks those that are to be on', async () => {
    const { exitCode, printed, noted } = await run('partner repair');

    expect([exitCode, printed]).toEqual([0, 'Partners with a webhook: 4; set up: 4.\n']);
    expect(noted).toContain('Waiting until EventBridge is set up for 4 partners …\n');
    expect(stage.keeper.sent).toEqual([
      { clientId: await idOf('acme'), check },
      { clientId: await idOf('disabled') },
      { clientId: await idOf('other'), check },
      { clientId: await idOf('paused') },
    ]);
    expect(stage.records.at(-1)).toMatchObject({ command: 'partner repair', arguments: {} });
  });

  test('names failing partners, with exit code 1', async () => {
    stage.keeper.busFault = 'CONNECTION_NOT_AUTHORIZED';

    const { exitCode, printed } = await run('partner repair --json');

    const failing = ['acme', 'other'].map((name) => ({ name, reason: 'CONNECTION_NOT_AUTHORIZED' }));
    expect([exitCode, JSON.parse(printed)]).toEqual([1, { partners: 4, failing, waiting: [] }]);
    expect((await run('partner repair')).printed).toContain(
      'Failing: acme. EventBridge reports CONNECTION_NOT_AUTHORIZED.\n',
    );
  });

  test('an earlier status does not count: if nothing changes, only the record is reached', async () => {
    stage.keeper.statuses.delete(await idOf('acme'));
    stage.keeper.isDown = true;

    expect(await run('partner repair')).toMatchObject({
      exitCode: 1,
      printed:
        'Not set up yet: acme. "partner show acme" shows its state.\nPartners with a webhook: 4; set up: 3.\n',
    });
  });

  test('S-77 while all webhooks are stopped nobody is checked', async () => {
    await json('webhooks stop --yes');
    stage.keeper.sent.length = 0;

    await run('partner repair');

    expect(stage.keeper.sent.map((message) => message.check)).toEqual(Array(4).fill(undefined));
  });
});
