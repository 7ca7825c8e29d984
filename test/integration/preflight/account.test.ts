import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openAccount } from '../../../bin/preflight/account.ts';
import { inspectAccount } from '../../../bin/preflight/looks.ts';
import { configOf } from '../../../lib/config.ts';

type WireAnswer = { status?: number; body: string };

const json = (body: object, status = 200): WireAnswer => ({ status, body: JSON.stringify(body) });
const quotas = (...list: [name: string, code: string, value: number][]) =>
  json({ Quotas: list.map(([QuotaName, QuotaCode, Value]) => ({ QuotaName, QuotaCode, Value })) });
const xmlError = (code: string, message: string, status: number): WireAnswer => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

const certificateArn = 'arn:aws:acm:eu-west-2:111122223333:certificate/c';

/** What AWS answers on the wire, by operation; a query asks by its Action, JSON by its target, REST by its path. */
const wire: Record<string, WireAnswer> = {
  GetCallerIdentity: {
    body: '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
  },
  'ListServiceQuotas lambda': quotas(['Concurrent executions', 'L-B99A9384', 10]),
  'ListServiceQuotas events': quotas(['API destinations', 'L-FB1C3A6D', 3000]),
  'ListAWSDefaultServiceQuotas events': quotas(
    ['[EventsV2] Event Buses', 'L-A1B2C3D4', 5],
    ['Number of rules', 'L-244521F2', 300],
    ['Connections', 'L-C1D2E3F4', 3000],
  ),
  DescribeCertificate: json({
    Certificate: {
      Status: 'ISSUED',
      DomainName: 'api.shop.example',
      SubjectAlternativeNames: ['api.shop.example', '*.shop.example'],
    },
  }),
  '/2013-04-01/hostedzone/Z1': {
    body: '<GetHostedZoneResponse><HostedZone><Id>/hostedzone/Z1</Id><Name>shop.example.</Name></HostedZone><DelegationSet><NameServers><NameServer>ns-1.aws.example</NameServer></NameServers></DelegationSet></GetHostedZoneResponse>',
  },
  'GetRole AWSServiceRoleForAPIGateway': {
    body: '<GetRoleResponse><GetRoleResult><Role><RoleName>AWSServiceRoleForAPIGateway</RoleName></Role></GetRoleResult></GetRoleResponse>',
  },
  'GetRole AWSServiceRoleForAmazonEventBridgeApiDestinations': xmlError('NoSuchEntity', 'not found', 404),
  GetParameter: json({ __type: 'ParameterNotFound' }, 400),
  'DescribeStacks transactions-production-data': {
    body: '<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackStatus>ROLLBACK_COMPLETE</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>',
  },
  'DescribeStacks transactions-production-service': xmlError(
    'ValidationError',
    'Stack with id transactions-production-service does not exist',
    400,
  ),
};

/** `GetRole AWSServiceRoleForAPIGateway`, from the request. */
const operationOf = (target: string | undefined, path: string, body: string): string[] => {
  if (target !== undefined) {
    const operation = target.split('.')[1] ?? '';
    return [`${operation} ${JSON.parse(body).ServiceCode}`, operation];
  }
  const query = new URLSearchParams(body);
  const action = query.get('Action') ?? path;
  return [`${action} ${query.get('RoleName') ?? query.get('StackName')}`, action];
};

let aws: Server;
beforeAll(async () => {
  aws = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const names = operationOf(request.headers['x-amz-target']?.toString(), request.url ?? '', body);
    const answer =
      names.map((name) => wire[name]).find(Boolean) ?? xmlError('AccessDenied', 'not allowed', 403);
    response.writeHead(answer.status ?? 200).end(answer.body);
  });
  await new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => aws.close(resolve)));

const inspect = (overrides: Record<string, WireAnswer | undefined> = {}) => {
  Object.assign(wire, overrides);
  const account = openAccount(
    {
      region: 'eu-west-2',
      endpoint: `http://127.0.0.1:${(aws.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
    async () => ['ns-1.aws.example.'],
  );
  const hosts = { baseHost: 'api.shop.example', authHost: 'auth.shop.example', certificateArn };
  const ownDomain = { ...hosts, hostedZone: { id: 'Z1', name: 'shop.example' } };
  return inspectAccount({ ...configOf('production'), ownDomain }, account);
};

test('D-08 preflight reads an account as AWS answers, and says of each thing whether it is there', async () => {
  const findings = await inspect();

  expect(findings.map(({ subject, state, says }) => `${state} ${subject}: ${says}`)).toEqual([
    'open Concurrent executions of Lambda: 10, but 506 are needed: the functions of the stage',
    'good Rules of a bus: 300, 100 needed: one for each partner',
    'good API destinations: 3000, 100 needed: one for each partner',
    'good Connections: 3000, 100 needed: one for each partner',
    'good Certificate: issued for api.shop.example, *.shop.example',
    'good DNS: shop.example is answered by its hosted zone',
    'good Role AWSServiceRoleForAPIGateway: exists',
    'open Role AWSServiceRoleForAmazonEventBridgeApiDestinations: does not exist',
    'open CDK bootstrap: the account has none in this region',
    'open Stack transactions-production-data: never came to be: ROLLBACK_COMPLETE',
    'good Stack transactions-production-service: not deployed yet',
  ]);
});

test('D-08 what may not be seen is said, and keeps nothing else from being seen', async () => {
  const findings = await inspect({ DescribeCertificate: undefined });

  expect(findings.filter(({ state }) => state === 'unknown')).toEqual([
    { subject: 'Certificate', state: 'unknown', says: expect.stringContaining('could not be seen') },
  ]);
  expect(findings).toHaveLength(11);
});
