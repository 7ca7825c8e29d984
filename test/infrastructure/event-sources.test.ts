import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { readsOfData } from '../support/engine/data-outputs.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

// What calls which function, and how, `wiring.test.ts` compares.
describe.each(stageNames)('the triggers of the event functions in stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const sources = resourcesOf(service, 'AWS::Lambda::EventSourceMapping');
  const rules = Object.entries(resourcesOf(service, 'AWS::Events::Rule')).filter(
    ([, { Properties }]) => Properties.ScheduleExpression,
  );
  const queues = Object.entries(resourcesOf(service, 'AWS::SQS::Queue'));

  test('S-69 are five event sources, each created after the rights of its function', () => {
    expect(Object.values(sources).map(({ DependsOn }) => DependsOn)).toEqual(
      Array(5).fill(expect.arrayContaining([expect.stringContaining('RoleDefaultPolicy')])),
    );
  });

  test('S-66 a function admits the rules that call it, and no others', () => {
    const admitted = propertiesOf(service, 'AWS::Lambda::Permission').filter(
      ({ Principal }) => Principal === 'events.amazonaws.com',
    );

    expect(admitted).toHaveLength(5);
    for (const [id, { Properties }] of rules)
      expect(admitted).toContainEqual({
        ...{ Action: 'lambda:InvokeFunction', Principal: 'events.amazonaws.com' },
        FunctionName: (Properties.Targets as { Arn: unknown }[])[0]?.Arn,
        SourceArn: { 'Fn::GetAtt': [id, 'Arn'] },
      });
  });

  test('S-55 every queue is encrypted with our key and requires TLS', () => {
    const encrypted = { KmsMasterKeyId: readsOfData('DataKey'), KmsDataKeyReusePeriodSeconds: 300 };

    const refused = propertiesOf(service, 'AWS::SQS::QueuePolicy').map(({ Queues, PolicyDocument }) => {
      expect((PolicyDocument as { Statement: object[] }).Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
      return (Queues as [{ Ref: string }])[0].Ref;
    });

    expect(queues).toHaveLength(5);
    expect(refused.sort()).toEqual(queues.map(([id]) => id).sort());
    for (const [, { Properties }] of queues) expect(Properties).toMatchObject(encrypted);
  });
});
