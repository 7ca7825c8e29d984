import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import { bundleOptions, root } from '../../../../../../lib/constructs/bundle.ts';

const program = `
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

const Entries = [{ Id: '1', MessageBody: '-' }];
const QueueUrl = 'https://sqs.eu-west-2.amazonaws.com/123456789012/ticks';
const services = {
  DynamoDB: [DynamoDBClient, () => new GetItemCommand({ TableName: 'Partners', Key: { pk: { S: 'KEYS' } } })],
  EventBridge: [EventBridgeClient, () => new PutEventsCommand({ Entries: [{ Detail: '{}' }] })],
  Lambda: [LambdaClient, () => new InvokeCommand({ FunctionName: 'probe', Payload: '{}' })],
  'Secrets Manager': [SecretsManagerClient, () => new GetSecretValueCommand({ SecretId: 'access' })],
  SQS: [SQSClient, () => new SendMessageBatchCommand({ QueueUrl, Entries })],
};
export const handler = (service, requestHandler) => {
  const [Client, command] = services[service];
  return new Client({ maxAttempts: 1, requestHandler }).send(command());
};
`;

type Request = { protocol: string; hostname: string; port?: number; path: string; method: string } & {
  headers: Record<string, string>;
  body: string;
};
type Send = (service: string, requestHandler: object) => Promise<unknown>;

const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
/** The same program with our parts of the SDK in it, and with the SDK as it is. */
const programs: Record<string, Send> = {};

const load = async (
  name: string,
  parts: { alias: Record<string, string>; external: string[] },
): Promise<Send> => {
  const outfile = join(folder, `${name}.mjs`);
  const stdin = { contents: program, resolveDir: root, sourcefile: 'program.js' };
  buildSync({ ...bundleOptions, ...parts, stdin, outfile });
  return (await import(pathToFileURL(outfile).href)).handler;
};

beforeAll(async () => {
  programs.ours = await load('ours', bundleOptions);
  programs.sdk = await load('sdk', { alias: {}, external: [] });
}, 30_000);
afterAll(() => rmSync(folder, { recursive: true }));

const environment = process.env;
beforeEach(() => {
  process.env = {
    HOME: folder,
    AWS_REGION: 'eu-west-2',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
    AWS_SESSION_TOKEN: 'session',
    AWS_LAMBDA_FUNCTION_NAME: 'v2-read',
    _X_AMZN_TRACE_ID: 'Root=1-5759e988-bd862e3fe1be46a994272793',
  };
});
afterEach(() => {
  process.env = environment;
});

const services = ['DynamoDB', 'EventBridge', 'Lambda', 'Secrets Manager', 'SQS'];

/** What a client would send; nothing is sent. */
const requestOf = async (name: string, service: string): Promise<Request> => {
  const seen: Request[] = [];
  const handle = async (request: Request) => {
    seen.push(request);
    throw new Error('not sent');
  };
  await expect(programs[name]?.(service, { handle })).rejects.toThrow('not sent');
  const [request] = seen;
  if (!request) throw new Error('nothing was to be sent');
  return request;
};

/** Without what differs between two requests of one client, and without the name of the program. */
const comparable = ({ protocol, hostname, port, path, method, headers, body }: Request) => {
  const {
    'user-agent': _program,
    'x-amz-user-agent': _sdk,
    'amz-sdk-invocation-id': _invocation,
    'x-amz-date': _date,
    authorization = '',
    ...others
  } = headers;
  const signed = authorization
    .replace(/\/\d{8}\//, '/day/')
    .replace(/Signature=.*/, '')
    .replace(';x-amz-user-agent', '');
  return { protocol, hostname, port, path, method, headers: { ...others, authorization: signed }, body };
};

describe('requests of a bundle', () => {
  test.each(services)('S-72 to %s are those of the SDK', async (service) => {
    const ours = comparable(await requestOf('ours', service));

    expect(ours).toEqual(comparable(await requestOf('sdk', service)));
  });

  test('S-72 go to the region of the function by TLS, signed for it, in the course of its trace', async () => {
    const { protocol, hostname, headers } = await requestOf('ours', 'Secrets Manager');

    expect([protocol, hostname]).toEqual(['https:', 'secretsmanager.eu-west-2.amazonaws.com']);
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-2\/secretsmanager\//,
    );
    expect(headers).toMatchObject({
      'x-amz-security-token': 'session',
      'X-Amzn-Trace-Id': 'Root=1-5759e988-bd862e3fe1be46a994272793',
    });
    expect(headers['user-agent']).toMatch(/^aws-sdk-js\/3\.\d+\.\d+$/);
  });

  test.each(['ours', 'sdk'])('S-66 name the function to whoever records them: %s', async (name) => {
    // As Powertools leaves it.
    process.env.AWS_SDK_UA_APP_ID = 'v2-read/PT/NO-OP/2.36.0';

    const { headers } = await requestOf(name, 'DynamoDB');

    expect(headers['user-agent']).toMatch(
      /^aws-sdk-js\/3\.\d+\.\d+ (.+ )?app\/v2-read-PT-NO-OP-2\.36\.0( |$)/,
    );
  });

  test.each([
    ['DynamoDB', 'AWS_ENDPOINT_URL_DYNAMODB'],
    ['EventBridge', 'AWS_ENDPOINT_URL_EVENTBRIDGE'],
    ['Lambda', 'AWS_ENDPOINT_URL_LAMBDA'],
    ['Secrets Manager', 'AWS_ENDPOINT_URL_SECRETS_MANAGER'],
    ['DynamoDB', 'AWS_ENDPOINT_URL'],
  ])('to %s go where %s says', async (service, variable) => {
    process.env[variable] = 'http://127.0.0.1:8000';

    const { protocol, hostname, port, headers } = await requestOf('ours', service);

    expect([protocol, hostname, port, headers.host]).toEqual(['http:', '127.0.0.1', 8000, '127.0.0.1:8000']);
  });

  test('fail without a region in the environment, and are looked for nowhere else', async () => {
    delete process.env.AWS_REGION;

    await expect(programs.ours?.('DynamoDB', { handle: async () => undefined })).rejects.toThrow(
      'No AWS_REGION in the environment',
    );
  });
});
