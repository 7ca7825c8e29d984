import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, test } from '@jest/globals';
import { createVersions } from '../../../../../../functions/shared/store/secrets/versions.ts';

/** A secret with these stages of its versions, and what it is asked to move. */
const secretWith = (VersionIdsToStages: Record<string, string[]>) => {
  const moves: unknown[] = [];
  const send = async ({ input }: { input: object }) => {
    if (!('VersionStage' in input)) return { VersionIdsToStages };
    moves.push(input);
    return {};
  };
  return { moves, ...createVersions({ send } as unknown as SecretsManagerClient) };
};

test('TOK-3 the version of a rotation becomes the current one instead of the former', async () => {
  const { makeCurrent, moves } = secretWith({ one: ['AWSCURRENT'], two: ['AWSPENDING'] });

  expect(await makeCurrent('id', 'two')).toBe(true);
  expect(moves).toEqual([
    { SecretId: 'id', VersionStage: 'AWSCURRENT', MoveToVersionId: 'two', RemoveFromVersionId: 'one' },
  ]);
});

test('TOK-3 a secret without a current version gets one', async () => {
  const { makeCurrent, moves } = secretWith({ one: ['AWSPENDING'] });

  expect(await makeCurrent('id', 'one')).toBe(true);
  expect(moves).toEqual([{ SecretId: 'id', VersionStage: 'AWSCURRENT', MoveToVersionId: 'one' }]);
});

test.each([
  ['done twice', { one: [], two: ['AWSCURRENT', 'AWSPENDING'] }, true],
  ['that comes late, after another one', { one: ['AWSPREVIOUS'], two: [], three: ['AWSCURRENT'] }, false],
  ['whose version is gone', { three: ['AWSCURRENT', 'AWSPENDING'] }, false],
])('TOK-3 M-10 a last step %s changes nothing', async (_, stages, answer) => {
  const { makeCurrent, moves } = secretWith(stages);

  expect(await makeCurrent('id', 'two')).toBe(answer);
  expect(moves).toEqual([]);
});
