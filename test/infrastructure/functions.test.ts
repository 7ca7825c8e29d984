import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { publishingVariables } from '../../functions/publish-dormant/open-publishing.ts';
import { stageNames } from '../../lib/config.ts';
import { readsOfData } from '../support/engine/data-outputs.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../support/engine/templates.ts';
import { root } from '../support/repository.ts';

type Limits = { seconds: number; isTraced?: true; reserved?: number };

/**
 * The time that the work of each function takes, whether callers wait for it (D-30), and the concurrency that production
 * reserves for it. That there are no others, the table of rights proves (`people/rights.test.ts`).
 */
const limits: Record<string, Limits> = {
  'capture-change': { seconds: 15, reserved: 20 },
  'collect-dead-letters': { seconds: 5 },
  'issue-token': { seconds: 15, isTraced: true, reserved: 50 },
  'keep-endpoints': { seconds: 120 },
  'probe-endpoint': { seconds: 18 },
  'publish-dormant': { seconds: 15, reserved: 13 },
  reconcile: { seconds: 300 },
  'rotate-keys': { seconds: 15 },
  'serve-docs': { seconds: 15, isTraced: true, reserved: 5 },
  'sweep-expired': { seconds: 300 },
  'v1-transaction': { seconds: 15, isTraced: true, reserved: 200 },
  'v2-partner': { seconds: 15, isTraced: true, reserved: 20 },
  'v2-read': { seconds: 15, isTraced: true },
  'v2-write': { seconds: 15, isTraced: true, reserved: 100 },
};
const names = Object.keys(limits);

type FunctionProperties = {
  Description: string;
  Runtime: string;
  Architectures: string[];
  Timeout: number;
  TracingConfig: unknown;
  ReservedConcurrentExecutions?: number;
  Role: { 'Fn::GetAtt': [role: string, attribute: 'Arn'] };
  Environment: { Variables: Record<string, unknown> };
};

const sourceOf = (name: string) => readFileSync(join(root, `functions/${name}/index.ts`), 'utf8');

test.each(names)('%s has its own name in log lines and metrics', (name) => {
  const made = sourceOf(name).matchAll(/create(?:Log|Report|CauseReport)\('([\w-]+)'/g);
  const said = [...made].map(([, service]) => service);

  // What it was handed is not to be logged, so it logs nothing.
  expect(new Set(said)).toEqual(new Set(name === 'probe-endpoint' ? [] : [name]));
});

describe.each(stageNames)('the functions of stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const functions = propertiesOf(service, 'AWS::Lambda::Function') as FunctionProperties[];

  const functionOf = (name: string): FunctionProperties => {
    const found = functions.find(({ Description }) => Description === name);
    if (!found) throw new Error(`No function ${name}`);
    return found;
  };

  test.each(names)('%s has the variables that it declares, and no others', (name) => {
    const source = sourceOf(name);
    const [, list = ''] = /readEnvironment\(\[([^\]]*)\]/.exec(source) ?? [];
    const named = [...list.matchAll(/'(\w+)'/g)].map(([, variable]) => variable);
    const asked = list.includes('...publishingVariables') ? [...publishingVariables, ...named] : named;

    const given = Object.keys(functionOf(name).Environment.Variables);

    expect(asked.length).toBeGreaterThan(0);
    expect(given.sort()).toEqual([...asked, 'POWERTOOLS_LOG_LEVEL', 'POWERTOOLS_METRICS_NAMESPACE'].sort());
  });

  test('S-22 a variable holds the ARN of a secret, never its value', () => {
    const secrets = functions
      .flatMap(({ Environment }) => Object.entries(Environment.Variables))
      .filter(([variable]) => variable.endsWith('_SECRET'));

    expect(secrets).toHaveLength(6);
    for (const [, value] of secrets)
      expect(value).toEqual(readsOfData(/OutputRef(AccessKeys|SessionKeys|Pepper)[0-9A-F]{8}$/));
  });

  test('CloudFormation invokes rotate-keys after its rights exist, for two minutes at most', () => {
    const [keys] = Object.values(resourcesOf(service, 'Custom::SigningKeys'));
    const [role] = functionOf('rotate-keys').Role['Fn::GetAtt'];

    expect(keys?.Properties).toEqual({
      ServiceToken: { 'Fn::GetAtt': [expect.stringContaining('RotateKeysFunction'), 'Arn'] },
      ServiceTimeout: '120',
      kinds: 'access, session, pepper, users',
    });
    expect(keys?.DependsOn).toEqual(
      expect.arrayContaining([role, expect.stringContaining('RoleDefaultPolicy')]),
    );
  });

  test.each([
    [
      'S-40 each function of V2 lets a partner make 300 requests a minute, on one machine 60,000',
      'PARTNER_REQUESTS_PER_MINUTE',
      ['v2-partner', 'v2-read', 'v2-write'],
      stage === 'local' ? '60000' : '300',
    ],
    [
      'the bus of AWS takes a minute to know a target, that of this machine none',
      'ENDPOINT_EFFECT_SECONDS',
      ['keep-endpoints'],
      stage === 'local' ? '0' : '60',
    ],
    [
      'S-47 only the local stage may send to addresses of this machine',
      'LOOPBACK_ENDPOINTS',
      ['keep-endpoints', 'probe-endpoint', 'v2-partner'],
      stage === 'local' ? 'allowed' : 'refused',
    ],
    [
      'functions report under the name of their stage',
      'POWERTOOLS_METRICS_NAMESPACE',
      names,
      `transactions-${stage}`,
    ],
  ])('%s', (_, variable, having, value) => {
    const given = functions.filter(({ Environment }) => variable in Environment.Variables);

    expect(
      Object.fromEntries(given.map((one) => [one.Description, one.Environment.Variables[variable]])),
    ).toEqual(Object.fromEntries(having.map((name) => [name, value])));
  });

  test('S-72 I20 D-30 S-42 EV-24 run on Node 24 and arm64, with the time, the traces and in production the concurrency of the table', () => {
    const found = functions.map((one) => ({
      Description: one.Description,
      Runtime: one.Runtime,
      Architectures: one.Architectures,
      Timeout: one.Timeout,
      TracingConfig: one.TracingConfig,
      ReservedConcurrentExecutions: one.ReservedConcurrentExecutions,
    }));

    expect(found.toSorted((one, other) => one.Description.localeCompare(other.Description))).toEqual(
      Object.entries(limits).map(([Description, { seconds, isTraced, reserved }]) => ({
        Description,
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Timeout: seconds,
        TracingConfig: isTraced && { Mode: 'Active' },
        ReservedConcurrentExecutions: stage === 'production' ? reserved : undefined,
      })),
    );
  });
});
