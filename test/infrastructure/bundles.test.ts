import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundleInto, type FunctionName } from '../../lib/constructs/bundle.ts';
import { propertiesOf, templatesOf } from '../support/engine/templates.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
const names = propertiesOf(templatesOf('production').service, 'AWS::Lambda::Function').map(
  ({ Description }) => Description as FunctionName,
);
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
