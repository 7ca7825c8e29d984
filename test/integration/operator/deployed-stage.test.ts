import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { connect } from '../../../bin/operator/connect.ts';
import { runOperator } from '../../../bin/operator/program.ts';
import { readStage } from '../../../bin/operator/stage.ts';
import { aTerminal, aWorkspace, writeOutputs } from '../../support/operator/operator.ts';

const { folder, stackFile } = aWorkspace();
const outputs = join(folder, 'outputs.json');

/** STS and empty tables at one address, with the requests that they got: `<service> <region>`, as they were signed. */
let asked: string[] = [];
let knowsCallers = true;
let bodies: string[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => bodies.push(body));
  asked.push(signedFor(request));
  if (asked.at(-1)?.startsWith('sts')) {
    response.statusCode = knowsCallers ? 200 : 403;
    response.setHeader('Content-Type', 'text/xml');
    response.end(identity);
    return;
  }
  response.setHeader('Content-Type', 'application/x-amz-json-1.0');
  response.end('{"Items":[]}');
});

const signedFor = ({ headers }: IncomingMessage) =>
  /Credential=\w+\/\d+\/([\w-]+)\/(\w+)\//
    .exec(headers.authorization ?? '')
    ?.slice(1)
    .reverse()
    .join(' ') ?? '';

const identity = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
  <Arn>arn:aws:iam::111122223333:user/ada</Arn><Account>111122223333</Account>
</GetCallerIdentityResult></GetCallerIdentityResponse>`;

const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
const settings = { AWS_REGION: 'us-east-1', ...credentials, AWS_ENDPOINT_URL: '' };
const former = Object.fromEntries(Object.keys(settings).map((name) => [name, process.env[name]]));

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, settings, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
});
afterAll(() => {
  for (const [name, value] of Object.entries(former)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  asked = [];
  bodies = [];
  knowsCallers = true;
});

const endpointsQueueUrl = () => `${process.env.AWS_ENDPOINT_URL}/1/Endpoints`;

const deployedIn = (account: string) =>
  writeOutputs(folder, account, { EndpointsQueueUrl: endpointsQueueUrl() });

const operate = (...args: string[]) => operateWith(process.env, ...args);

const operateWith = async (environment: NodeJS.ProcessEnv, ...args: string[]) => {
  const { terminal, said } = aTerminal();
  const exitCode = await runOperator([...args, '--outputs', outputs], {
    ...{ terminal, user: 'tester', stackFile },
    connect: (stage) => connect(stage, environment),
  });
  return { exitCode, ...said };
};

test('RUN-8 a deployed stage is reached in the region of its outputs, whatever AWS_REGION says', async () => {
  deployedIn('111122223333');

  const { exitCode, noted } = await operate('partner', 'list');

  expect([exitCode, noted]).toEqual([0, '']);
  expect([...new Set(asked)]).toEqual(['sts eu-west-2', 'dynamodb eu-west-2']);
});

test('RUN-8 S-28 a loopback bus is no reason to continue if STS of an account does not name the caller', async () => {
  deployedIn('111122223333');
  const ways = { AWS_ENDPOINT_URL_EVENTBRIDGE: 'http://localhost:4566' };
  knowsCallers = false;

  const { exitCode } = await operateWith(ways, 'partner', 'list');

  expect(exitCode).toBe(1);
  expect([...new Set(asked)]).toEqual(['sts eu-west-2']);
});

test('S-47 receivers on this machine need a bus on this machine; AWS gets the sentence that says so', async () => {
  const onThisMachine = { AWS_ENDPOINT_URL: 'http://localhost:4566' };
  const allowsIn = (account: string, environment: NodeJS.ProcessEnv) => {
    deployedIn(account);
    return connect(readStage({ outputs }, stackFile), environment).endpointRules.allowsLoopback;
  };

  expect([allowsIn('000000000000', onThisMachine), allowsIn('000000000000', {})]).toEqual([true, false]);
  expect(allowsIn('111122223333', onThisMachine)).toBe(false);
  const address = 'http://localhost:9000/in';
  const { noted } = await operateWith(onThisMachine, 'partner', 'set-webhook', 'acme', '--url', address);
  expect(noted).toBe(
    `"${address}" is on this machine, which AWS cannot reach: only a local stage or an emulator (AWS_ENDPOINT_URL) may send there.\n`,
  );
});

test('RUN-8 keep-endpoints is woken by the queue of the outputs', async () => {
  deployedIn('000000000000');
  const { endpointRequests } = connect(readStage({ outputs }, stackFile), {});

  await endpointRequests.send([{ clientId: 'acme', check: { id: '1', url: 'https://acme.example/' } }]);

  expect(asked).toEqual(['sqs eu-west-2']);
  expect(JSON.parse(bodies.at(-1) ?? '')).toEqual({
    QueueUrl: endpointsQueueUrl(),
    Entries: [
      {
        Id: '0',
        MessageBody: '{"clientId":"acme","check":{"id":"1","url":"https://acme.example/"}}',
      },
    ],
  });
});
