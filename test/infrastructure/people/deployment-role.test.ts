import { describe, expect, test } from '@jest/globals';
import { configOf } from '../../../lib/config.ts';
import { subjectOf } from '../../../lib/pipeline-needs.ts';
import { ask } from '../../support/engine/synthesis.ts';
import { propertiesOf } from '../../support/engine/templates.ts';

const production = {
  repository: 'shop@12/transactions@34',
  environment: 'production',
};

const { account, template, findings } = await ask('deploymentRole', production);

describe('the role of a pipeline', () => {
  const [role] = propertiesOf(template, 'AWS::IAM::Role');

  test('D-15 is given to one audience and one subject, exactly', () => {
    expect(role?.AssumeRolePolicyDocument).toEqual({
      Statement: [
        {
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: {
            StringEquals: {
              'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
              'token.actions.githubusercontent.com:sub':
                'repo:shop@12/transactions@34:environment:production',
            },
          },
          Effect: 'Allow',
          Principal: { Federated: { Ref: expect.stringMatching(/^GitHub/) } },
        },
      ],
      Version: '2012-10-17',
    });
    expect(role?.MaxSessionDuration).toBe(3600);
  });

  test('D-15 may assume three roles of the bootstrap in its own account and region, and nothing else', () => {
    const roleArn = (name: string) => ({
      'Fn::Join': [
        '',
        [
          ...['arn:', { Ref: 'AWS::Partition' }],
          `:iam::111122223333:role/cdk-hnb659fds-${name}-role-111122223333-${configOf('production').region}`,
        ],
      ],
    });
    const policies = propertiesOf(template, 'AWS::IAM::Policy') as {
      PolicyDocument: { Statement: object[] };
    }[];

    expect(policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)).toEqual([
      {
        Action: 'sts:AssumeRole',
        Effect: 'Allow',
        Resource: ['deploy', 'file-publishing', 'lookup'].map(roleArn),
      },
    ]);
    expect(role?.ManagedPolicyArns).toBeUndefined();
  });

  test('D-15 an account has one provider: it is created for this audience only, or named', async () => {
    const providerArn = 'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com';
    const { template: named } = await ask('deploymentRole', { ...production, providerArn });

    expect(propertiesOf(template, 'AWS::IAM::OIDCProvider')).toEqual([
      { Url: 'https://token.actions.githubusercontent.com', ClientIdList: ['sts.amazonaws.com'] },
    ]);
    expect(propertiesOf(named, 'AWS::IAM::OIDCProvider')).toEqual([]);
    expect(JSON.stringify(named)).toContain(`{"Federated":"${providerArn}"}`);
  });

  test('D-15 D-16 belongs to the account of the stage', () => {
    expect(account).toBe('111122223333');
  });

  test.each(['AwsSolutions', 'Serverless'])('S-65 has no finding of cdk-nag', (name) => {
    expect(findings.filter(({ pack }) => pack === name)).toEqual([]);
  });
});

describe('D-15 the provider of a pipeline', () => {
  test.each([
    'arn:aws:iam::444455556666:oidc-provider/token.actions.githubusercontent.com',
    'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.example',
    'arn:aws:iam::111122223333:saml-provider/token.actions.githubusercontent.com',
    '*:iam::111122223333:oidc-provider/token.actions.githubusercontent.com',
  ])('is that of GitHub in the account of the stage, not %s', async (providerArn) => {
    await expect(ask('deploymentRole', { ...production, providerArn })).rejects.toThrow(
      `"${providerArn}" is not the provider of token.actions.githubusercontent.com in the account 111122223333.`,
    );
  });
});

describe('D-15 the subject of a pipeline', () => {
  test('is one environment or one branch of one repository', () => {
    expect(subjectOf('staging', { repository: 'shop/transactions', environment: 'staging' })).toBe(
      'repo:shop/transactions:environment:staging',
    );
    expect(subjectOf('staging', { repository: 'shop@12/transactions@34', branch: 'main' })).toBe(
      'repo:shop@12/transactions@34:ref:refs/heads/main',
    );
  });

  test.each([
    ...[
      'shop/*',
      '*',
      'shop',
      'shop/transactions:ref',
      'shop/tran?actions',
      'shop@12/transactions',
      '$/y',
      '',
    ],
  ])('is refused for the repository "%s"', (repository) => {
    expect(() => subjectOf('staging', { repository, branch: 'main' })).toThrow(
      `A pipeline belongs to one repository, owner/name or owner@12/name@34, not to "${repository}".`,
    );
  });

  test.each(['*', 'prod*', 'release/?', 'a:b', ''])(
    'is refused for the environment or branch "%s"',
    (name) => {
      const sentence = `A pipeline deploys from one environment or from one branch, not from "${name}".`;
      const repository = 'shop/transactions';

      expect(() => subjectOf('staging', { repository, environment: name })).toThrow(sentence);
      expect(() => subjectOf('staging', { repository, branch: name })).toThrow(sentence);
    },
  );

  test('is refused without either, with both, and in production without an environment', () => {
    const repository = 'shop/transactions';
    const one = 'A pipeline deploys from one environment or from one branch: name one of them.';

    expect(() => subjectOf('staging', { repository })).toThrow(one);
    expect(() => subjectOf('staging', { repository, branch: 'main', environment: 'staging' })).toThrow(one);
    expect(() => subjectOf('production', { repository, branch: 'main' })).toThrow(
      'Production must be deployed from an environment, because a person approves its deployments.',
    );
  });
});
