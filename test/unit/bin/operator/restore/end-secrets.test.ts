import { describe, expect, test } from '@jest/globals';
import { endSecrets } from '../../../../../bin/operator/restore/end-secrets.ts';
import { createPartner, json, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

/** The first secret was made at 12:00; these rotations are of 12:30 and later. */
const rotate = async (time: string, overlapHours: number, secretId?: string) => {
  const { clientId, name } = (await stage.deps.partners.byName('acme')) ?? { clientId: '', name: '' };
  const atMs = Date.parse(`2026-11-21T${time}Z`);
  await endSecrets({ clientId, name, atMs, overlapHours, ...(secretId && { secretId }) }, stage.deps);
};
const ends = async () =>
  (await json('partner show acme')).secrets.map((secret: { expiresAt: string }) => secret.expiresAt);

describe('DR-7 S-20 secrets that a lost rotation ended', () => {
  test('the newest secret ends after the overlap', async () => {
    await createPartner();

    await rotate('12:30', 2);

    expect(await ends()).toEqual(['2026-11-21T14:30:00.000Z']);
  });

  test('V2-13 if the partner authenticated with the other one, that one does, and the newest ends at once', async () => {
    const { clientId } = await createPartner();
    await json('partner rotate-secret acme');
    const [, presented] = (await stage.deps.partners.credentialsOf(clientId))?.secrets ?? [];

    await rotate('12:30', 2, presented?.id);

    expect(await ends()).toEqual(['2026-11-21T12:30:00.000Z', '2026-11-21T14:30:00.000Z']);
  });

  test('if the partner authenticated with a lost one, all end at once', async () => {
    await createPartner();

    await rotate('12:30', 2, 'lost');

    expect(await ends()).toEqual(['2026-11-21T12:30:00.000Z']);
  });

  test('a second rotation ends at once the secret that the first one kept: the newest was the lost one', async () => {
    await createPartner();

    await rotate('12:30', 168);
    await rotate('13:30', 168);

    expect(await ends()).toEqual(['2026-11-21T13:30:00.000Z']);
  });

  test('DR-9 an interrupted adoption that runs again changes nothing more', async () => {
    await createPartner();

    await rotate('12:30', 168);
    await rotate('12:30', 168);

    expect(await ends()).toEqual(['2026-11-28T12:30:00.000Z']);
  });

  test('none ends if the rotation was not lost', async () => {
    await createPartner();

    await rotate('11:59', 0);

    expect(await ends()).toEqual([null]);
  });
});
