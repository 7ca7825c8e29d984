import { describe, expect, test } from '@jest/globals';
import { configOf, stageNames } from '../../lib/config.ts';
import { accountIn, arnIn } from '../support/engine/account.ts';
import { readsOfData } from '../support/engine/data-outputs.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

type Statement = {
  Sid?: string;
  Effect: string;
  Action: string | string[];
  Principal?: unknown;
  Resource: unknown;
  Condition?: Record<string, Record<string, unknown>>;
};
type Policy = {
  PolicyDocument: { Statement: Statement[] };
  Roles: { Ref: string }[];
  Queues: { Ref: string }[];
};

const keyArn = readsOfData('OutputFnGetAttDataKey');
const arnOf = (id: string) => ({
  'Fn::GetAtt': [expect.stringMatching(new RegExp(`^${id}[0-9A-F]{8}$`)), 'Arn'],
});
const events = { Service: 'events.amazonaws.com' };

describe.each(stageNames)('the bus of stage %s', (stage) => {
  const account = accountIn(stage);
  const { region } = configOf(stage);
  const regionalArn = (name: string, rest: string) => arnIn(stage, `:${name}:${region}:<account>:${rest}`);
  const eventsArn = (name: string) => regionalArn('events', name);
  const { service, data } = templatesOf(stage);
  const [bus] = propertiesOf(service, 'AWS::Events::EventBus') as { Policy: { Statement: Statement[] } }[];
  const rights = (propertiesOf(service, 'AWS::IAM::Policy') as Policy[]).flatMap(
    ({ PolicyDocument, Roles }) =>
      PolicyDocument.Statement.map((statement) => ({ role: Roles[0]?.Ref ?? '', ...statement })),
  );
  const fromThisBus = {
    StringEquals: { 'aws:SourceAccount': account },
    ArnLike: { 'aws:SourceArn': [eventsArn(`rule/transactions-${stage}/*`), arnOf('PartnerBus')] },
  };

  test('S-55 S-68 is the stage’s own, encrypted with our key, with a dead-letter queue for events that it cannot decrypt', () => {
    expect(propertiesOf(service, 'AWS::Events::EventBus')).toEqual([
      {
        Name: `transactions-${stage}`,
        KmsKeyIdentifier: keyArn,
        DeadLetterConfig: { Arn: arnOf('PartnerBusDeadLetters') },
        Policy: expect.anything(),
      },
    ]);
  });

  test('has no rule or target in the template, because partners are data', () => {
    const rules = propertiesOf(service, 'AWS::Events::Rule');

    expect(rules.filter(({ EventBusName }) => EventBusName !== undefined)).toEqual([]);
    for (const type of ['Connection', 'ApiDestination', 'Archive'])
      expect(resourcesOf(service, `AWS::Events::${type}`)).toEqual({});
  });

  test('TH-17 S-68 accepts events only from one role, EV-8 TH-18 S-63 with the source of its stage, whatever other policies allow', () => {
    const denied = (Sid: string, Condition: object) => ({
      ...{ Sid, Effect: 'Deny', Principal: { AWS: '*' }, Action: 'events:PutEvents' },
      ...{ Resource: eventsArn(`event-bus/transactions-${stage}`), Condition },
    });

    expect(bus?.Policy.Statement).toEqual([
      denied('OnlyOurPublishers', {
        ArnNotEquals: { 'aws:PrincipalArn': [arnOf('DormantPublisherPublishDormantRole')] },
      }),
      denied('OnlyOurSource', {
        'ForAnyValue:StringNotEquals': { 'events:source': `svc.${stage}.online-payments` },
      }),
    ]);
  });

  test('EV-8 S-50 S-80 only publish-dormant may put events, with the stage’s source', () => {
    expect(rights.filter(({ Action }) => [Action].flat().includes('events:PutEvents'))).toEqual([
      {
        role: expect.stringMatching(/^DormantPublisherPublishDormantRole[0-9A-F]{8}$/),
        ...{ Effect: 'Allow', Action: expect.anything(), Resource: arnOf('PartnerBus') },
        Condition: {
          'ForAllValues:StringEquals': { 'events:source': `svc.${stage}.online-payments` },
          Null: { 'events:source': 'false' },
        },
      },
    ]);
  });

  test('only this bus and its rules, in this account, may put dead letters there', () => {
    const policies = propertiesOf(service, 'AWS::SQS::QueuePolicy') as Policy[];
    const policy = policies.find(({ Queues }) => Queues[0]?.Ref.startsWith('PartnerBusDeadLetters'));

    expect(policy?.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      {
        ...{ Effect: 'Allow', Principal: events, Action: 'sqs:SendMessage' },
        ...{ Resource: arnOf('PartnerBusDeadLetters'), Condition: fromThisBus },
      },
    ]);
  });

  test('S-50 the role that calls endpoints may call those of this stage for this bus, and nothing else', () => {
    const roles = Object.entries(resourcesOf(service, 'AWS::IAM::Role'));
    const [id = '', role] = roles.find(([name]) => name.startsWith('PartnerBusDeliveryRole')) ?? [];

    expect(role?.Properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [{ Action: 'sts:AssumeRole', Principal: events, Condition: fromThisBus }],
    });
    expect(rights.filter(({ role: of }) => of === id)).toEqual([
      {
        ...{ role: id, Effect: 'Allow', Action: 'events:InvokeApiDestination' },
        Resource: eventsArn(`api-destination/transactions-${stage}-*`),
      },
    ]);
  });

  test('S-55 the key may be used by our account through stores, by our logs, this bus, its rules and our queues', () => {
    const [key] = propertiesOf(data, 'AWS::KMS::Key') as { KeyPolicy: { Statement: Statement[] } }[];
    const root = { AWS: arnIn(stage, ':iam::<account>:root') };
    const use = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'];
    const through = (name: string) => `${name}.${region}.amazonaws.com`;
    const throughSecrets = { StringEquals: { 'kms:ViaService': through('secretsmanager') } };

    expect(key?.KeyPolicy.Statement.map(({ Effect, Resource, ...rest }) => rest)).toEqual([
      { Action: 'kms:*', Principal: root },
      {
        Action: [...use, 'kms:CreateGrant'],
        Principal: { AWS: '*' },
        Condition: {
          StringEquals: {
            'kms:CallerAccount': account,
            'kms:ViaService': ['dynamodb', 'secretsmanager', 'sqs'].map(through),
          },
        },
      },
      {
        Action: use,
        Principal: { Service: through('logs') },
        Condition: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': regionalArn('logs', '*') } },
      },
      {
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Principal: events,
        Condition: {
          StringEquals: { 'aws:SourceAccount': account },
          ArnLike: {
            'aws:SourceArn': [`event-bus/transactions-${stage}`, `rule/transactions-${stage}/*`].map(
              eventsArn,
            ),
          },
        },
      },
      {
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Principal: events,
        Condition: { ArnLike: { 'kms:EncryptionContext:aws:sqs:arn': regionalArn('sqs', '*') } },
      },
      { Action: 'kms:DescribeKey', Principal: events },
      {
        Action: ['kms:Decrypt', 'kms:Encrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*'],
        Principal: root,
        Condition: throughSecrets,
      },
      { Action: ['kms:CreateGrant', 'kms:DescribeKey'], Principal: root, Condition: throughSecrets },
    ]);
  });

  test('outputs name everything that the operator’s tool needs to create rules', () => {
    expect(service.Outputs).toMatchObject({
      StageName: { Value: stage },
      DormancySeconds: { Value: String(configOf(stage).eventTimes.dormancySeconds) },
      EventBusName: { Value: { Ref: expect.stringMatching(/^PartnerBus/) } },
      EventBusArn: { Value: arnOf('PartnerBus') },
      DeliveryRoleArn: { Value: arnOf('PartnerBusDeliveryRole') },
      DeadLetterQueueArn: { Value: arnOf('PartnerBusDeadLetters') },
    });
  });
});
