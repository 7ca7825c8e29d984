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

  test('D-05 is held up by no export, which could not change as long as it is imported', () => {
    expect(text.includes('Fn::ImportValue')).toBe(false);
    expect(Object.values(data.Outputs).filter((output) => 'Export' in output)).toEqual([]);
  });

  test('D-05 reads outputs that the data stack has', () => {
    const read = [...text.matchAll(/"OutputName":"(\w+)"/g)].map(([, name = '']) => name);

    expect(new Set(read).size).toBeGreaterThan(10);
    expect(read.filter((name) => data.Outputs[name] === undefined)).toEqual([]);
  });

  test('D-07 leaves the ids that partners’ targets hold as they are', () => {
    const ids = (type: string, start: string) =>
      Object.keys(resourcesOf(service, type)).filter((id) => id.startsWith(start));

    expect(ids('AWS::Events::EventBus', 'PartnerBus')).toEqual(['PartnerBus13655F7E']);
    expect(ids('AWS::IAM::Role', 'PartnerBus')).toEqual(['PartnerBusDeliveryRole2273D1E0']);
    expect(ids('AWS::SQS::Queue', 'PartnerBusDead')).toEqual(['PartnerBusDeadLettersC83A98B0']);
  });

  test('D-06 keeps what waits in queues, unless the stage keeps nothing', () => {
    const queues: Record<string, { DeletionPolicy?: string; UpdateReplacePolicy?: string }> = resourcesOf(
      service,
      'AWS::SQS::Queue',
    );
    const policies = Object.values(queues).map((one) => [one.DeletionPolicy, one.UpdateReplacePolicy]);
    const kept = stage === 'local' ? ['Delete', 'Delete'] : ['RetainExceptOnCreate', 'Retain'];

    expect(policies.length).toBeGreaterThan(3);
    expect(policies).toEqual(policies.map(() => kept));
  });
});

test('D-03 the account’s right of the gateway to write logs goes with a first deployment that failed, and stays later', () => {
  for (const stage of stageNames) {
    const resources = Object.entries(templatesOf(stage).service.Resources).filter(([id]) =>
      id.startsWith('GatewayLogs'),
    );

    expect(resources.map(([, one]) => [one.Type, one.DeletionPolicy])).toEqual([
      ['AWS::IAM::Role', 'RetainExceptOnCreate'],
      ['AWS::ApiGateway::Account', 'RetainExceptOnCreate'],
    ]);
  }
});

test('D-05 D-13 outputs stay when their last reader goes: a service stack that is rolled back reads them again', async () => {
  expect(await ask('outputsWithoutReaders', 'staging')).toEqual(templatesOf('staging').data.Outputs);
});

test('D-06 the stacks with data, and production as a whole, refuse to be deleted', async () => {
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

  test('stands behind an alias that CodeDeploy moves', () => {
    expect(aliases.map(([id]) => nameless(id)).sort()).toEqual([
      'TokenApiIssueTokenLive',
      'TransactionsApiServeDocsLive',
      'TransactionsApiV1TransactionLive',
      'TransactionsApiV2PartnerLive',
      'TransactionsApiV2ReadLive',
      'TransactionsApiV2WriteLive',
    ]);
    for (const [, { UpdatePolicy }] of aliases)
      expect(UpdatePolicy).toEqual({
        CodeDeployLambdaAliasUpdate: {
          ApplicationName: { Ref: expect.stringMatching(/^GradualShiftApplication/) },
          DeploymentGroupName: { Ref: expect.stringMatching(/^GradualShift/) },
        },
      });
  });

  test('gets one call in ten for ten minutes, and goes back when its answers are faulty or an API has faults', () => {
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
      const { Alarms } = Properties.AlarmConfiguration as { Alarms: { Name: { Ref: string } }[] };
      expect(Alarms.map(({ Name }) => nameless(Name.Ref))).toEqual([
        expect.stringMatching(new RegExp(`Api${nameless(id).replace('GradualShift', '')}Faulty$`)),
        'TokenApiFaults',
        'TransactionsApiFaults',
      ]);
    }
  });

  test('is shifted by the group of its own function', () => {
    const groupOf = aliases.map(([id, { UpdatePolicy }]) => {
      const { CodeDeployLambdaAliasUpdate } = UpdatePolicy as {
        CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: string } };
      };
      return [nameless(id), nameless(CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref)];
    });

    expect(Object.fromEntries(groupOf)).toEqual({
      TokenApiIssueTokenLive: 'GradualShiftIssueToken',
      TransactionsApiServeDocsLive: 'GradualShiftServeDocs',
      TransactionsApiV1TransactionLive: 'GradualShiftV1Transaction',
      TransactionsApiV2PartnerLive: 'GradualShiftV2Partner',
      TransactionsApiV2ReadLive: 'GradualShiftV2Read',
      TransactionsApiV2WriteLive: 'GradualShiftV2Write',
    });
  });

  test('D-12 goes back for these alarms alone, at which preflight looks', () => {
    const alarms = resourcesOf(service, 'AWS::CloudWatch::Alarm');
    const names = groups.flatMap(([, { Properties }]) =>
      (Properties.AlarmConfiguration as { Alarms: { Name: { Ref: string } }[] }).Alarms.map(({ Name }) =>
        String(alarms[Name.Ref]?.Properties.AlarmName),
      ),
    );
    const ofShifts = Object.values(alarms).map(({ Properties }) => String(Properties.AlarmName));

    expect([...new Set(names)].sort()).toEqual(
      ofShifts.filter((name) => takesBack('production', name)).sort(),
    );
  });

  test('is called by nothing but its alias: no API may call the function itself', () => {
    const permitted = Object.values(resourcesOf(service, 'AWS::Lambda::Permission'))
      .filter(({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com')
      .map(({ Properties }) => JSON.stringify(Properties.FunctionName));

    expect(permitted.length).toBeGreaterThan(0);
    expect(permitted.filter((name) => !name.includes('Live'))).toEqual([]);
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
  test('leaves CodeDeploy out: CloudFormation moves the aliases', () => {
    const policies = Object.values(resourcesOf(service, 'AWS::Lambda::Alias')).map(
      ({ UpdatePolicy }) => UpdatePolicy,
    );

    expect(config.name).toBe('production');
    expect(policies).toEqual(Array(6).fill(undefined));
  });

  test('changes nothing else, so that the next one shifts gradually again', async () => {
    const { service: usual } = await synthesise(config);
    for (const alias of Object.values(resourcesOf(usual, 'AWS::Lambda::Alias'))) delete alias.UpdatePolicy;

    expect(service).toEqual(usual);
  });
});
