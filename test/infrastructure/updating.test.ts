import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { takesBack } from '../../lib/constructs/watch/alarm-catalogue.ts';
import { stageToDeploy, withShift } from '../../lib/deployed-stage.ts';
import { ask, synthesise } from '../support/engine/synthesis.ts';
import { resourcesOf, templatesOf } from '../support/engine/templates.ts';
import { root } from '../support/repository.ts';

describe.each(stageNames)('an update of stage %s', (stage) => {
  const { data, service } = templatesOf(stage);
  const text = JSON.stringify(service);

  test('D-05 needs no export, which could not change while it is imported', () => {
    expect(text.includes('Fn::ImportValue')).toBe(false);
    expect(Object.values(data.Outputs).filter((output) => 'Export' in output)).toEqual([]);
  });

  test('D-05 reads existing outputs of the data stack', () => {
    const read = [...text.matchAll(/"OutputName":"(\w+)"/g)].map(([, name = '']) => name);

    expect(new Set(read).size).toBeGreaterThan(10);
    expect(read.filter((name) => data.Outputs[name] === undefined)).toEqual([]);
  });

  test('D-07 keeps the ids that partners’ targets hold', () => {
    const ids = (type: string, start: string) =>
      Object.keys(resourcesOf(service, type)).filter((id) => id.startsWith(start));

    expect(ids('AWS::Events::EventBus', 'PartnerBus')).toEqual(['PartnerBus13655F7E']);
    expect(ids('AWS::IAM::Role', 'PartnerBus')).toEqual(['PartnerBusDeliveryRole2273D1E0']);
    expect(ids('AWS::SQS::Queue', 'PartnerBusDead')).toEqual(['PartnerBusDeadLettersC83A98B0']);
  });

  test('D-06 keeps waiting messages, unless the stage keeps nothing', () => {
    const [DeletionPolicy, UpdateReplacePolicy] =
      stage === 'local' ? ['Delete', 'Delete'] : ['RetainExceptOnCreate', 'Retain'];

    expect(Object.values(resourcesOf(service, 'AWS::SQS::Queue'))).toEqual(
      Array(5).fill(expect.objectContaining({ DeletionPolicy, UpdateReplacePolicy })),
    );
  });

  test('D-03 keeps the account’s role for gateway logs, which a failed first deployment removes', () => {
    const resources = Object.entries(service.Resources).filter(([id]) => id.startsWith('GatewayLogs'));

    expect(resources.map(([, one]) => [one.Type, one.DeletionPolicy])).toEqual([
      ['AWS::IAM::Role', 'RetainExceptOnCreate'],
      ['AWS::ApiGateway::Account', 'RetainExceptOnCreate'],
    ]);
  });
});

test('D-05 D-13 outputs stay after their last reader is removed, because a rollback reads them again', async () => {
  expect(await ask('outputsWithoutReaders', 'staging')).toEqual(templatesOf('staging').data.Outputs);
});

test('D-06 the stacks with data, and all of production, are protected against deletion', async () => {
  const protection = await Promise.all(stageNames.map((stage) => ask('protection', stage)));

  expect(protection).toEqual([
    { data: false, service: false },
    { data: true, service: false },
    { data: true, service: true },
  ]);
});

describe('D-11 a new version of a function that callers wait for', () => {
  const { service } = templatesOf('production');
  const aliases = Object.entries(resourcesOf(service, 'AWS::Lambda::Alias'));
  const groups = Object.entries(resourcesOf(service, 'AWS::CodeDeploy::DeploymentGroup'));
  const nameless = (id: string) => id.replace(/[0-9A-F]{8}$/, '');
  const alarmsOf = ({ AlarmConfiguration }: Record<string, unknown>) =>
    (AlarmConfiguration as { Alarms: { Name: { Ref: string } }[] }).Alarms.map(({ Name }) => Name.Ref);

  test('is behind an alias that CodeDeploy moves by the group of its own function', () => {
    const ref = (name: string) => ({ Ref: expect.stringMatching(new RegExp(`^${name}[0-9A-F]{8}$`)) });
    const shifted = (name: string) => ({
      CodeDeployLambdaAliasUpdate: {
        ApplicationName: ref('GradualShiftApplication'),
        DeploymentGroupName: ref(`GradualShift${name}`),
      },
    });

    expect(Object.fromEntries(aliases.map(([id, one]) => [nameless(id), one.UpdatePolicy]))).toEqual({
      TokenApiIssueTokenLive: shifted('IssueToken'),
      TransactionsApiServeDocsLive: shifted('ServeDocs'),
      TransactionsApiV1TransactionLive: shifted('V1Transaction'),
      TransactionsApiV2PartnerLive: shifted('V2Partner'),
      TransactionsApiV2ReadLive: shifted('V2Read'),
      TransactionsApiV2WriteLive: shifted('V2Write'),
    });
  });

  test('gets one call in ten for ten minutes, and is rolled back if its responses are faulty or an API has faults', () => {
    expect(groups).toHaveLength(6);
    for (const [id, { Properties }] of groups) {
      expect(Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
        AlarmConfiguration: { Enabled: true },
      });
      expect(alarmsOf(Properties).map(nameless)).toEqual([
        expect.stringMatching(new RegExp(`Api${nameless(id).replace('GradualShift', '')}Faulty$`)),
        'TokenApiFaults',
        'TransactionsApiFaults',
      ]);
    }
  });

  test('D-12 is rolled back only for these alarms, which preflight checks', () => {
    const alarms = resourcesOf(service, 'AWS::CloudWatch::Alarm');
    const names = groups.flatMap(([, { Properties }]) =>
      alarmsOf(Properties).map((id) => String(alarms[id]?.Properties.AlarmName)),
    );
    const ofShifts = Object.values(alarms).map(({ Properties }) => String(Properties.AlarmName));

    expect([...new Set(names)].sort()).toEqual(
      ofShifts.filter((name) => takesBack('production', name)).sort(),
    );
  });

  test('is called only through its alias: no API may call the function itself', () => {
    const permitted = Object.values(resourcesOf(service, 'AWS::Lambda::Permission'))
      .filter(({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com')
      .map(({ Properties }) => JSON.stringify(Properties.FunctionName).includes('Live'));

    expect(new Set(permitted)).toEqual(new Set([true]));
  });

  test('replaces the former one at once in the other stages', () => {
    for (const stage of ['local', 'staging'])
      expect(resourcesOf(templatesOf(stage).service, 'AWS::Lambda::Alias')).toEqual({});
  });
});

/** What the command of a page deploys. */
const deployedBy = (page: string) => {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const command = lines.find((line) => /^ *npm run cdk .*-c shift=/.test(line)) ?? '';
  const context = new Map([...command.matchAll(/ -c (\w+)=([\w-]+)/g)].map(([, key, value]) => [key, value]));
  return withShift(stageToDeploy(context.get('stage'), '123456789012'), context.get('shift'));
};

const mending = deployedBy('docs/runbook.md');
const restoring = {
  ...deployedBy('docs/recovery.md'),
  restoredTables: { listing: { table: 'Listing-2' } },
};

describe.each([
  ['D-12 the runbook’s deployment while an alarm rings', mending, await synthesise(mending)],
  ['DR-1 the deployment with restored tables', restoring, await synthesise(restoring)],
])('%s', (_, { shiftsAtOnce: _atOnce, ...config }, { service }) => {
  test('does not use CodeDeploy: CloudFormation moves the aliases', () => {
    const policies = Object.values(resourcesOf(service, 'AWS::Lambda::Alias')).map((one) => one.UpdatePolicy);

    expect(config.name).toBe('production');
    expect(policies).toEqual(Array(6).fill(undefined));
  });

  test('changes nothing else, so that the next one shifts gradually again', async () => {
    const { service: usual } = await synthesise(config);
    for (const alias of Object.values(resourcesOf(usual, 'AWS::Lambda::Alias'))) delete alias.UpdatePolicy;

    expect(service).toEqual(usual);
  });
});
