import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundleInto, type FunctionName } from '../../lib/constructs/bundle.ts';
import { encoded } from '../support/builders/forged-token.ts';
import { httpEvent } from '../support/builders/http-event.ts';
import { propertiesOf, templatesOf } from '../support/engine/templates.ts';
import type { BundleOutcome } from '../support/functions/bundle-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
type Deployed = {
  Description: FunctionName;
  Handler: string;
  Environment: { Variables: Record<string, unknown> };
};
const deployed = propertiesOf(
  templatesOf('production').service,
  'AWS::Lambda::Function',
) as unknown as Deployed[];
const names = deployed.map(({ Description }) => Description);
let packages: string[];
beforeAll(() => {
  const modules = names.flatMap((name) => Object.keys(bundleInto(join(folder, name), name).metafile.inputs));
  const inPackages = modules.flatMap((path) => /.*node_modules\/(@[^/]+|[^/]+)\//.exec(path)?.[1] ?? []);
  packages = [...new Set(inPackages)].sort();
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (name: FunctionName) => join(folder, name, 'index.cjs');
const textOf = (name: FunctionName) => readFileSync(fileOf(name), 'utf8');

test('TH-25 deployed code comes only from these publishers and packages', () => {
  // Those of one publisher's scope count as one.
  expect(packages).toEqual([
    ...['@aws', '@aws-lambda-powertools', '@aws-sdk', '@middy', '@smithy'],
    // The SDK brings bowser, mnemonist and obliterator.
    ...['bowser', 'ipaddr.js', 'jose', 'mnemonist', 'obliterator', 'uuid', 'zod'],
  ]);
});

test('S-72 no bundle exceeds its size limit, because a cold start loads all of it', () => {
  const {
    'v2-read': lists = 0,
    'v2-write': payments = 0,
    'v1-transaction': sessions = 0,
    'keep-endpoints': endpoints = 0,
    'v2-partner': own = 0,
    ...others
  } = Object.fromEntries(names.map((name) => [name, statSync(fileOf(name)).size]));

  // DynamoDB and jose.
  expect(lists).toBeLessThanOrEqual(295_000);
  // DynamoDB, SQS, jose and zod.
  expect(payments).toBeLessThanOrEqual(360_000);
  // DynamoDB, Secrets Manager, jose and zod.
  expect(sessions).toBeLessThanOrEqual(390_000);
  // DynamoDB, EventBridge, SQS, Lambda and zod.
  expect(endpoints).toBeLessThanOrEqual(470_000);
  // DynamoDB, SQS, jose and zod.
  expect(own).toBeLessThanOrEqual(385_000);
  expect(Object.entries(others).filter(([, bytes]) => bytes > 360_000)).toEqual([]);
  expect(Object.keys(others)).toHaveLength(9);
});

test('S-80 no function of an API has the client of EventBridge in its bundle', () => {
  const having = names.filter((name) => textOf(name).includes('@aws-sdk/client-eventbridge'));

  // All that have it: publish-dormant sends events, keep-endpoints keeps rules, connections and API destinations.
  expect(having.sort()).toEqual(['keep-endpoints', 'publish-dormant']);
});

test('S-72 a bundle is one file without a source map', () => {
  for (const name of names) {
    expect([name, readdirSync(join(folder, name))]).toEqual([name, ['index.cjs']]);
    expect([name, textOf(name).includes('sourceMappingURL')]).toEqual([name, false]);
  }
});

test('S-72 no bundle imports a module of Node while it runs, which would load undici', () => {
  expect(names.filter((name) => /\bimport\(/.test(textOf(name)))).toEqual([]);
});

test('a bundle reads credentials only from its environment', () => {
  const without = names.filter((name) => !textOf(name).includes('No AWS credentials in the environment'));

  // They call no service.
  expect(without.sort()).toEqual(['probe-endpoint', 'serve-docs']);
  for (const name of names)
    expect(
      /AWS_CONTAINER_CREDENTIALS|AWS_WEB_IDENTITY_TOKEN_FILE|sso_start_url/.exec(textOf(name)),
    ).toBeNull();
});

test.each(['local', 'staging', 'production'])(
  'S-22 no template of %s has a private key or a secret value',
  (stage) => {
    const templates = JSON.stringify(templatesOf(stage));

    expect(/PRIVATE KEY|"SecretString"|"kty"|eyJ[\w-]{10}/.exec(templates)).toBeNull();
  },
);

/** A port of this machine at which nothing listens: no request leaves it. */
const nowhere = 'http://127.0.0.1:1';

/** What Lambda sets for every function. */
const variablesOfLambda = (name: string) => ({
  ...{ TZ: ':UTC', AWS_REGION: 'eu-west-2', AWS_DEFAULT_REGION: 'eu-west-2' },
  ...{ AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none', AWS_SESSION_TOKEN: 'none' },
  ...{ AWS_LAMBDA_FUNCTION_NAME: name, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024' },
});

const bundleProcess = join(import.meta.dirname, '../support/functions/bundle-process.ts');

/** Loads the bundle in a process of its own that has the template's variables and no others, and calls it. */
const outcomeOf = async (
  { Description: name, Handler, Environment }: Deployed,
  event: object,
  endpoints: object = { AWS_ENDPOINT_URL: nowhere },
) => {
  const given = Object.entries(Environment.Variables).map(([variable, value]) => [
    variable,
    // A reference: a name, an ARN or an address, which the deployment knows.
    typeof value === 'string' ? value : `${nowhere}/${variable}`,
  ]);
  const child = fork(bundleProcess, [fileOf(name), Handler.replace('index.', ''), JSON.stringify(event)], {
    env: { ...variablesOfLambda(name), ...endpoints, ...Object.fromEntries(given) },
    execArgv: ['--no-warnings'],
    stdio: 'ignore',
  });
  // A process that ends without an outcome has its exit code for one.
  const [outcome] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  return outcome as BundleOutcome | number;
};

/** Far enough from a real one that its key is looked for in a table. */
const token = `${encoded({ alg: 'RS256', kid: 'unknown', typ: 'at+jwt' })}.${encoded({
  ...{ iss: 'https://auth.example.com', aud: 'https://api.example.com/api/v2' },
})}.${encoded('signature')}`;
const asPartner = { headers: { Authorization: `Bearer ${token}` } };
const asBuyer = { headers: { Origin: 'https://shop.example' } };

const api = (statusCode: number, type: string) => ({
  answer: expect.objectContaining({
    statusCode,
    headers: expect.objectContaining({ 'Content-Type': type }),
    body: expect.stringMatching(/^\{".*\}$/),
  }),
});
const unavailable = api(503, 'application/problem+json');
const noneFailed = { answer: { batchItemFailures: [] } };
const noTable = { fault: 'Error: connect ECONNREFUSED 127.0.0.1:1' };

/** One event for each function, and what comes of it. */
const calls: Record<FunctionName, [event: object, outcome: object]> = {
  'issue-token': [httpEvent('/oauth2/jwks'), api(503, 'application/json; charset=UTF-8')],
  'v1-transaction': [httpEvent('/api/transaction', asBuyer), unavailable],
  'v2-read': [httpEvent('/api/v2/transaction', asPartner), unavailable],
  'v2-write': [httpEvent('/api/v2/payment', { method: 'POST', ...asPartner }), unavailable],
  'v2-partner': [httpEvent('/api/v2/partner', asPartner), unavailable],
  'serve-docs': [httpEvent('/openapi.json'), api(404, 'application/problem+json')],
  'capture-change': [{ Records: [] }, noneFailed],
  'collect-dead-letters': [{ Records: [] }, noneFailed],
  'keep-endpoints': [{ Records: [] }, noneFailed],
  'publish-dormant': [{ every: 'rate(1 minute)' }, { fault: 'Error: connect ECONNREFUSED 127.0.0.1:1' }],
  reconcile: [{ lookBackMinutes: 30 }, noTable],
  'sweep-expired': [{ every: 'rate(1 hour)' }, noTable],
  'rotate-keys': [{ RequestType: 'Create' }, noTable],
  'probe-endpoint': [
    { url: 'https://127.0.0.1:1/', messages: [{ headers: {}, body: '{}' }] },
    { answer: [{ fault: 'address not allowed' }] },
  ],
};

test.each(deployed)(
  'RUN-20 the bundle of $Description loads with the variables of its template alone, and answers',
  async (one) => {
    const [event, outcome] = calls[one.Description];

    expect(await outcomeOf(one, event)).toEqual(outcome);
  },
);

test('TOK-7 where AWS has its own addresses, rotate-keys answers CloudFormation alone', async () => {
  const one = deployed.find(({ Description }) => Description === 'rotate-keys') as Deployed;
  const event = { RequestType: 'Delete', ResponseURL: `${nowhere}/answer` };

  expect(await outcomeOf(one, event, {})).toEqual({
    fault: 'Error: The ResponseURL does not belong to CloudFormation',
  });
});
