import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { accountIn } from '../support/engine/account.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';

type Rotation = {
  SecretId: { 'Fn::GetStackOutput': { OutputName: string } };
  RotationLambdaARN: unknown;
  RotationRules?: { AutomaticallyAfterDays: number };
  RotateImmediatelyOnUpdate: boolean;
};
type Permission = { Action: string; FunctionName: unknown; Principal: string; SourceAccount?: unknown };

const rotateKeys = { 'Fn::GetAtt': [expect.stringMatching(/^SigningKeysRotateKeysFunction/), 'Arn'] };
const secretOf = ({ SecretId }: Rotation) =>
  /OutputRef([A-Za-z]+?)[0-9A-F]{8}$/.exec(SecretId['Fn::GetStackOutput'].OutputName)?.[1];

describe.each(stageNames)('TOK-3 TH-24 the rotations of stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const rotations = propertiesOf(service, 'AWS::SecretsManager::RotationSchedule') as Rotation[];

  test('TOK-3 one function rotates all three secrets, and no deployment begins a rotation', () => {
    expect(rotations.map(secretOf)).toEqual(['AccessKeys', 'SessionKeys', 'Pepper']);
    for (const { RotationLambdaARN, RotateImmediatelyOnUpdate } of rotations)
      expect([RotationLambdaARN, RotateImmediatelyOnUpdate]).toEqual([rotateKeys, false]);
  });

  test('TH-24 production rotates by a schedule, the other stages only by command', () => {
    const days = rotations.map(({ RotationRules }) => RotationRules?.AutomaticallyAfterDays);

    expect(days).toEqual(stage === 'production' ? [90, 90, 365] : [undefined, undefined, undefined]);
  });

  test('S-66 only Secrets Manager of this account may invoke the function', () => {
    const permissions = propertiesOf(service, 'AWS::Lambda::Permission') as Permission[];

    expect(permissions.filter(({ Principal }) => Principal === 'secretsmanager.amazonaws.com')).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: rotateKeys,
        Principal: 'secretsmanager.amazonaws.com',
        SourceAccount: accountIn(stage),
      },
    ]);
  });

  test('TOK-3 keys, rights and the permission exist before Secrets Manager tries the keys', () => {
    for (const { DependsOn } of Object.values(resourcesOf(service, 'AWS::SecretsManager::RotationSchedule')))
      expect(DependsOn).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^SigningKeys[0-9A-F]{8}$/),
          expect.stringMatching(/^SigningKeysRotateKeysFunctionRotation/),
          expect.stringMatching(/^SigningKeysRotateKeysRoleDefaultPolicy/),
        ]),
      );
  });
});
