import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json as jsonOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAccount } from '../../../bin/preflight/account.ts';
import type { Finding } from '../../../bin/preflight/finding.ts';
import { inspectAccount } from '../../../bin/preflight/looks.ts';
import { configOf } from '../../../lib/config.ts';
import { isPackagedNode } from '../../../lib/packaged-node.ts';
import { root } from '../../support/repository.ts';

type WireAnswer = { status?: number; body: string };

const json = (body: object, status = 200): WireAnswer => ({ status, body: JSON.stringify(body) });
const quotas = (...list: [name: string, code: string, value: number][]) => json(quotaPage(list));
const quotaPage = (list: [name: string, code: string, value: number][]) => ({
  Quotas: list.map(([QuotaName, QuotaCode, Value]) => ({ QuotaName, QuotaCode, Value })),
});
const xmlError = (code: string, message: string, status: number): WireAnswer => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

const { region } = configOf('production');
const certificateArn = `arn:aws:acm:${region}:111122223333:certificate/c`;

/** What AWS answers on the wire, by operation; a query asks by its Action, JSON by its target, REST by its path. */
const wire: Record<string, WireAnswer> = {
  GetCallerIdentity: {
    body: '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
  },
  'ListServiceQuotas lambda': quotas(['Concurrent executions', 'L-B99A9384', 10]),
  'ListServiceQuotas events': quotas(['API destinations', 'L-FB1C3A6D', 3000]),
  'ListAWSDefaultServiceQuotas events': json({
    ...quotaPage([
      ['[EventsV2] Event Buses', 'L-A1B2C3D4', 5],
      ['Number of rules', 'L-244521F2', 300],
    ]),
    NextToken: 'page-2',
  }),
  'ListAWSDefaultServiceQuotas events page-2': quotas(['Connections', 'L-C1D2E3F4', 3000]),
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
    const { ServiceCode, NextToken = '' } = JSON.parse(body);
    return [`${operation} ${ServiceCode} ${NextToken}`.trim(), operation];
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

const endpoint = () => `http://127.0.0.1:${(aws.address() as AddressInfo).port}`;

let ringing: string[] = [];
let stageAccount = '111122223333';

const inspect = (overrides: Record<string, WireAnswer | undefined> = {}) => {
  Object.assign(wire, overrides);
  const account = openAccount(
    {
      region,
      endpoint: endpoint(),
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
    async () => ['ns-1.aws.example.'],
    async () => JSON.stringify(ringing),
  );
  const hosts = { baseHost: 'api.shop.example', authHost: 'auth.shop.example', certificateArn };
  const ownDomain = { ...hosts, hostedZone: { id: 'Z1', name: 'shop.example' } };
  return inspectAccount({ ...configOf('production'), account: stageAccount, ownDomain }, account);
};

test('D-08 preflight reads an account as AWS answers, and says of each thing whether it is there', async () => {
  const findings = await inspect();

  expect(findings.map(({ subject, state, says }) => `${state} ${subject}: ${says}`)).toEqual([
    'good Account: 111122223333, as lib/config.ts says',
    'open Concurrent executions of Lambda: 10, but 508 are needed: the functions of the stage',
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
    'good Gradual deployment: no alarm rings that would take it back',
  ]);
});

test('D-08 what may not be seen is said, and keeps nothing else from being seen', async () => {
  const findings = await inspect({ DescribeCertificate: undefined });

  expect(findings.filter(({ state }) => state === 'unknown')).toEqual([
    { subject: 'Certificate', state: 'unknown', says: expect.stringContaining('could not be seen') },
  ]);
  expect(findings).toHaveLength(13);
});

test('D-16 credentials of another account than the stage’s are refused in one sentence, before anything is looked at', async () => {
  stageAccount = '444455556666';
  const refused = inspect();
  stageAccount = '111122223333';

  await expect(refused).rejects.toThrow(
    'The stage production belongs to the account 444455556666, but the credentials are of 111122223333: choose its profile with AWS_PROFILE.',
  );
});

test('D-12 a gradual deployment is refused while an alarm rings that would take it back, and while no other does', async () => {
  const others = ['transactions-production-updates-late', 'transactions-production-function-fails-reconcile'];
  const shiftOf = async (names: string[]) => {
    ringing = [...others, ...names];
    return (await inspect()).filter(({ subject }) => subject === 'Gradual deployment');
  };

  expect(await shiftOf([])).toMatchObject([{ state: 'good' }]);
  expect(
    await shiftOf([
      ...['transactions-production-api-faults-TokenApi', 'transactions-production-answers-faulty-v2-write'],
    ]),
  ).toEqual([
    {
      ...{ subject: 'Gradual deployment', state: 'open', ask: 'deploy with -c shift=at-once' },
      says: 'would be taken back, because of what rings: transactions-production-api-faults-TokenApi, transactions-production-answers-faulty-v2-write',
    },
  ]);
});

describe('npm run preflight', () => {
  const folder = mkdtempSync(join(tmpdir(), 'preflight-'));
  const asked = join(folder, 'asked');
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs the command with an AWS CLI that says what rings, and tells how it ends. */
  const preflight = (stage: string, rings: readonly string[]) => {
    const program = `#!/bin/sh\necho "$@" > ${asked}\necho '${JSON.stringify(rings)}'\n`;
    writeFileSync(join(folder, 'aws'), program, { mode: 0o755 });
    return new Promise<{ status: unknown; printed: string }>((resolve) =>
      execFile(
        process.execPath,
        [join(root, 'bin/preflight.ts'), '--stage', stage],
        {
          env: {
            ...{ PATH: `${folder}:${process.env.PATH}`, HOME: folder, AWS_ENDPOINT_URL: endpoint() },
            ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' },
          },
        },
        (error, stdout, stderr) => resolve({ status: error?.code ?? 0, printed: stdout + stderr }),
      ),
    );
  };

  test('D-12 says in one line that a gradual deployment of production would be taken back, and ends with 1', async () => {
    const { status, printed } = await preflight('production', [
      'transactions-production-api-faults-TokenApi',
    ]);

    expect(printed).toContain(
      'OPEN  Gradual deployment: would be taken back, because of what rings: transactions-production-api-faults-TokenApi\n' +
        '        → deploy with -c shift=at-once\n',
    );
    expect(status).toBe(1);
    expect(readFileSync(asked, 'utf8')).toBe(
      'cloudwatch describe-alarms --alarm-name-prefix transactions-production- --state-value ALARM ' +
        `--region ${region} --query MetricAlarms[].AlarmName --output json\n`,
    );
  });

  test('D-16 says which account the credentials are of, as long as the stage has none', async () => {
    expect((await preflight('production', [])).printed).toContain(
      'OPEN  Account: lib/config.ts names none for production\n' +
        '        → if it is 111122223333, write that into account of production\n',
    );
  });

  test('D-12 asks nothing of the kind for staging, where calls go over at once', async () => {
    rmSync(asked, { force: true });

    expect((await preflight('staging', [])).printed).not.toContain('Gradual deployment');
    expect(existsSync(asked)).toBe(false);
  });
});

test('S-84 D-08 the command looks at the Node that runs it, and then at the account', async () => {
  const command = spawn(process.execPath, ['bin/preflight.ts', '--stage', 'staging', '--json'], {
    cwd: root,
    env: {
      ...{ PATH: process.env.PATH, AWS_ENDPOINT_URL: endpoint(), AWS_MAX_ATTEMPTS: '1' },
      ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [report] = await Promise.all([jsonOf(command.stdout), once(command, 'close')]);
  const [ofNode, next] = (report as { findings: Finding[] }).findings;

  expect([ofNode?.subject, ofNode?.state]).toEqual([
    'Node',
    isPackagedNode(process.execPath) ? 'open' : 'good',
  ]);
  expect(next?.subject).toBe('Account');
});
