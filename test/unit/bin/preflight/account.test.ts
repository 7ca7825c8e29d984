import { expect, test } from '@jest/globals';
import { type Aws, openAccount } from '../../../../bin/preflight/account.ts';
import { inspectAccount } from '../../../../bin/preflight/looks.ts';
import { configOf } from '../../../../lib/config.ts';

const config = configOf('production');
const certificateArn = `arn:aws:acm:${config.region}:111122223333:certificate/c`;

const refusal = (code: string, operation: string, text = 'not found') =>
  new Error(`An error occurred (${code}) when calling the ${operation} operation: ${text}`);

/** What the AWS CLI prints, by the first words of a command; an error is what it says. */
const answers: Record<string, unknown> = {
  'sts get-caller-identity': '111122223333',
  'service-quotas list-service-quotas --service-code lambda': [
    ['Function and layer storage', 'L-2ACBD22F', 75],
    ['Concurrent executions', 'L-B99A9384', 10],
  ],
  'service-quotas list-service-quotas --service-code events': [['API destinations', 'L-FB1C3A6D', 3000]],
  'service-quotas list-aws-default-service-quotas --service-code events': [
    ['[EventsV2] Event Buses', 'L-A1B2C3D4', 5],
    ['Number of rules', 'L-244521F2', 300],
    ['Connections', 'L-C1D2E3F4', 3000],
  ],
  [`acm describe-certificate --certificate-arn ${certificateArn}`]: {
    status: 'ISSUED',
    names: ['api.shop.example', '*.shop.example'],
  },
  'route53 get-hosted-zone --id Z1': { name: 'shop.example.' },
  'iam get-role --role-name AWSServiceRoleForAPIGateway': { Role: {} },
  'iam get-role --role-name AWSServiceRoleForAmazonEventBridgeApiDestinations': refusal(
    'NoSuchEntity',
    'GetRole',
  ),
  'ssm get-parameter --name /cdk-bootstrap/hnb659fds/version': refusal('ParameterNotFound', 'GetParameter'),
  'cloudformation describe-stacks --stack-name transactions-production-data': 'ROLLBACK_COMPLETE',
  'cloudformation describe-stacks --stack-name transactions-production-service': refusal(
    ...['ValidationError', 'DescribeStacks', 'Stack with id transactions-production-service does not exist'],
  ),
  'cloudwatch describe-alarms --alarm-name-prefix transactions-production- --state-value ALARM': [],
};

const inspect = (changes: Record<string, unknown> = {}) => {
  const known = Object.entries({ ...answers, ...changes });
  const aws: Aws = async (words) => {
    const command = words.join(' ');
    const [, answer = refusal('AccessDenied', command)] =
      known.find(([begin]) => `${command} `.startsWith(`${begin} `)) ?? [];
    if (answer instanceof Error) throw answer;
    expect(command).toContain(` --region ${config.region} --output json`);
    return `${JSON.stringify(answer, null, 4)}\n`;
  };
  const hosts = { baseHost: 'api.shop.example', authHost: 'auth.shop.example', certificateArn };
  const ownDomain = { ...hosts, hostedZone: { id: 'Z1', name: 'shop.example' } };
  return inspectAccount(
    { ...config, account: '111122223333', ownDomain },
    openAccount(config.region, aws),
    '111122223333',
  );
};

test('D-08 preflight checks an account, and says of each item whether it exists', async () => {
  const findings = await inspect();

  expect(findings.map(({ subject, state, says }) => `${state} ${subject}: ${says}`)).toEqual([
    'good Account: 111122223333, as lib/config.ts says',
    'open Concurrent executions of Lambda: 10, but 508 are needed: the functions of the stage',
    'good Rules of a bus: 300, 100 needed: one for each partner',
    'good API destinations: 3000, 100 needed: one for each partner',
    'good Connections: 3000, 100 needed: one for each partner',
    'good Certificate: issued for api.shop.example, *.shop.example',
    'good DNS: the hosted zone shop.example holds both hosts',
    'good Role AWSServiceRoleForAPIGateway: exists',
    'open Role AWSServiceRoleForAmazonEventBridgeApiDestinations: does not exist',
    'open CDK bootstrap: the account has none in this region',
    'open Stack transactions-production-data: was never created: ROLLBACK_COMPLETE',
    'good Stack transactions-production-service: not deployed yet',
    'good Gradual deployment: no alarm would roll it back',
  ]);
});

test('D-08 a version of the bootstrap is read as a number; a check that has no right is reported, and the others go on', async () => {
  const noRight = refusal('AccessDeniedException', 'DescribeCertificate', 'not allowed');
  const findings = await inspect({
    'ssm get-parameter --name /cdk-bootstrap/hnb659fds/version': '5',
    [`acm describe-certificate --certificate-arn ${certificateArn}`]: noRight,
  });

  expect(findings.find(({ subject }) => subject === 'CDK bootstrap')).toMatchObject({
    ...{ state: 'open', says: 'version 5, but 6 is needed' },
  });
  expect(findings.filter(({ state }) => state === 'unknown')).toEqual([
    { subject: 'Certificate', state: 'unknown', says: `could not be read: ${noRight.message}` },
  ]);
  expect(findings).toHaveLength(13);
});

test('D-12 a gradual deployment is refused while an alarm fires that would roll it back', async () => {
  const others = ['transactions-production-updates-late', 'transactions-production-function-fails-reconcile'];
  const shiftOf = async (...names: string[]) => {
    const alarms =
      'cloudwatch describe-alarms --alarm-name-prefix transactions-production- --state-value ALARM';
    return (await inspect({ [alarms]: [...others, ...names] })).at(-1);
  };

  expect(await shiftOf()).toMatchObject({ subject: 'Gradual deployment', state: 'good' });
  expect(
    await shiftOf(
      'transactions-production-api-faults-TokenApi',
      'transactions-production-answers-faulty-v2-write',
    ),
  ).toEqual({
    ...{ subject: 'Gradual deployment', state: 'open', ask: 'deploy with -c shift=at-once' },
    says: 'would be rolled back, because these alarms are in ALARM: transactions-production-api-faults-TokenApi, transactions-production-answers-faulty-v2-write',
  });
});

test('D-16 credentials of another account are refused in one sentence', async () => {
  const found = inspectAccount(
    { ...config, account: '444455556666' },
    openAccount(config.region, async () => '[]'),
    '111122223333',
  );

  await expect(found).rejects.toThrow(
    'The stage production belongs to the account 444455556666, but the credentials are of 111122223333: choose its profile with AWS_PROFILE.',
  );
});
