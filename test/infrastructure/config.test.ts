import { expect, test } from '@jest/globals';
import { concurrencyNeeded, configOf, type StageName, stageNames } from '../../lib/config.ts';
import { stageToDeploy } from '../../lib/deployed-stage.ts';
import { assertProductionNeeds, withExamples } from '../../lib/production-needs.ts';
import { environmentOf } from '../../lib/stage-account.ts';
import { ask, synthesise } from '../support/engine/synthesis.ts';

test.each(['prod', '', 'Local', 'constructor', '__proto__'])(
  'stage "%s" is refused in one sentence',
  (name) => {
    expect(() => configOf(name)).toThrow(
      `Unknown stage "${name}": choose one of local, staging, production.`,
    );
  },
);

test('S-56 every stage but the local one keeps its data', () => {
  expect(stageNames.map((name) => configOf(name).keepsData)).toEqual([false, true, true]);
});

test('V1-8 a stage says how long incomplete transactions are kept', () => {
  expect(stageNames.map((name) => configOf(name).retention.incompleteDays)).toEqual([30, 400, 400]);
});

test('V1-8 a value that is neither a number of days nor never is refused at synthesis', async () => {
  const config = { ...configOf('staging'), retention: { incompleteDays: 0 } };

  await expect(synthesise(config)).rejects.toThrow('"0" is neither a number of days nor "never".');
});

test('D-16 every stack of a stage belongs to the account of the stage, and those of the local stage to any emulator', async () => {
  const pipeline = { repository: 'shop/transactions', environment: 'production' };
  const staging = { ...configOf('staging'), account: '444455556666' };

  expect(await ask('environments', staging, pipeline)).toEqual([
    ...Array(3).fill(`aws://444455556666/${staging.region}`),
  ]);
  expect(await ask('environments', configOf('local'), pipeline)).toEqual([
    ...Array(3).fill(`aws://unknown-account/${configOf('local').region}`),
  ]);
});

test.each(['', '1111', '111122223333*', 'production'])('D-16 "%s" is not an account', (account) => {
  expect(() => environmentOf({ ...configOf('staging'), account })).toThrow(
    `The account of staging must have twelve digits, not "${account}": correct it in lib/config.ts.`,
  );
});

test('D-16 TH-18 no two stages share an account, because whoever deploys staging without approval could deploy production', () => {
  const staging = { ...configOf('staging'), account: '111122223333' };
  const productionIn = (account: string) => ({ ...configOf('production'), account });

  expect(() => environmentOf(productionIn('111122223333'), [staging])).toThrow(
    'The stages production and staging share the account 111122223333: give each one of its own.',
  );
  expect(environmentOf(productionIn('444455556666'), [staging])).toEqual({
    ...{ account: '444455556666', region: configOf('production').region },
  });
  expect(environmentOf(staging, [staging]).account).toBe('111122223333');
});

test.each([
  ['local', undefined, undefined],
  ['local', '000000000000', '000000000000'],
  ['staging', '000000000000', '000000000000'],
  ['staging', '123456789012', undefined],
  ['staging', undefined, undefined],
])('D-01 D-16 stage %s, with credentials of account %s, is for account %s', (stage, found, account) => {
  expect(stageToDeploy(stage, found)).toMatchObject({ name: stage });
  expect(stageToDeploy(stage, found).account).toBe(account);
});

test('S-70 only production needs recipients of its alarms', () => {
  const { watch, ...unwatched } = withExamples(configOf('production'));
  const refusal =
    'The alarms of production need a recipient: name an address in watch.emails of lib/config.ts.';

  expect(() => assertProductionNeeds({ ...unwatched, ...(watch && { watch }) })).not.toThrow();
  for (const deaf of [{}, { watch: { emails: [], monthlyUsd: 1, writeUnitsPerMinute: 1 } }])
    expect(() => assertProductionNeeds({ ...unwatched, ...deaf })).toThrow(refusal);
});

test('S-70 staging warns while its alarms have no recipients', async () => {
  const told = await ask('advice', 'staging');

  expect(told.flatMap(({ type, data }) => (type === 'aws:cdk:warning' ? [data] : []))).toContain(
    'The alarms of staging reach nobody: name an address in watch.emails of lib/config.ts. [ack: transactions:alarms-reach-nobody]',
  );
});

/** Messages about the stage as a whole to whoever deploys it, by level. */
const advice = async (stage: StageName) =>
  (await ask('advice', stage)).flatMap(({ path, type, data }) => (path.includes('/') ? [] : [[type, data]]));

test('D-02 staging warns while it has no domain of its own', async () => {
  expect(await advice('staging')).toEqual([
    [
      'aws:cdk:warning',
      'The stage has no domain of its own: its addresses change whenever an API is replaced (ownDomain in lib/config.ts). [ack: transactions:own-domain]',
    ],
  ]);
  expect(await advice('local')).toEqual([]);
});

test('D-04 S-42 synthesis prints the account limit that a stage with reserved concurrency needs: 100 stay unreserved', async () => {
  expect(stageNames.map((name) => concurrencyNeeded(configOf(name)))).toEqual([undefined, undefined, 508]);
  expect(await advice('production')).toEqual([
    [
      'aws:cdk:info',
      `The account's limit of concurrent executions of Lambda must be 508 or more: "npm run preflight" shows the present limit.`,
    ],
  ]);
});
