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
  test.each([
    ['the newest secret ends after the overlap', '12:30 2', '2026-11-21T14:30:00.000Z'],
    ['with one that is lost, too, all end at once', '12:30 2 lost', '2026-11-21T12:30:00.000Z'],
    ['a second rotation ends what the first let work', '12:30 168, 13:30 168', '2026-11-21T13:30:00.000Z'],
    ['DR-9 a repeated adoption changes no more', '12:30 168, 12:30 168', '2026-11-28T12:30:00.000Z'],
    ['none ends if the rotation was not lost', '11:59 0', null],
  ])('%s: %s', async (_, rotations, end) => {
    await createPartner();

    for (const rotation of rotations.split(', ')) {
      const [time = '', hours, secretId] = rotation.split(' ');
      await rotate(time, Number(hours), secretId);
    }

    expect(await ends()).toEqual([end]);
  });

  test.each([
    [2, '2026-11-21T14:30:00.000Z'],
    [200, '2026-11-28T12:00:00.000Z'],
  ])(
    'V2-13 if the partner authenticated with the other one, it works for %i h, not beyond its own end, and the newest ends at once',
    async (overlapHours, end) => {
      const { clientId } = await createPartner();
      await json('partner rotate-secret acme');
      const [, presented] = (await stage.deps.partners.credentialsOf(clientId))?.secrets ?? [];

      await rotate('12:30', overlapHours, presented?.id);

      expect(await ends()).toEqual(['2026-11-21T12:30:00.000Z', end]);
    },
  );
});
