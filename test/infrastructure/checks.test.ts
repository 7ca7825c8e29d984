import { describe, expect, test } from '@jest/globals';
import { Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, type NagPack, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { configOf, stageNames } from '../../lib/config.ts';
import { withStacks } from '../support/engine/stacks.ts';
import { propertiesOf, templatesOf } from '../support/engine/templates.ts';

const packs = { AwsSolutions: AwsSolutionsChecks, Serverless: ServerlessChecks };
const cases = stageNames.flatMap((stage) =>
  Object.entries(packs).map(([name, Pack]) => [stage, name, Pack] as const),
);

/** Every acknowledgement of the tree, and where it stands. */
const acknowledgedIn = (root: IConstruct) =>
  root.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ path: node.path, id: id.replace(/^annotation::/i, ''), reason })),
  );

/** What a pack finds where it hears of no acknowledgement. */
const foundBy = (pack: NagPack, root: IConstruct) => {
  Reflect.set(pack, 'isAcknowledged', () => false);
  return pack
    .validateScope(root)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => ({ rule: ruleName, path: constructPath })),
    );
};

test.each(cases)('S-65 stage %s has no finding of %s without a reason', (stage, _name, Pack) => {
  const { violations } = withStacks(configOf(stage), ({ service }) =>
    new Pack().validateScope(service.node.root),
  );

  expect(violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([]);
});

describe.each(stageNames)('S-65 what is acknowledged in stage %s', (stage) => {
  const { acknowledged, found } = withStacks(configOf(stage), ({ service }) => ({
    acknowledged: acknowledgedIn(service.node.root),
    found: Object.values(packs).flatMap((Pack) => foundBy(new Pack(), service.node.root)),
  }));
  const reasonsOf = (rule: string) =>
    acknowledged.filter(({ id }) => id === rule).map(({ path, reason }) => [path.split('/').at(-1), reason]);

  test('is found there: no acknowledgement outlives its finding', () => {
    const stale = acknowledged.filter(
      ({ id, path }) => !found.some((one) => one.rule === id && `${one.path}/`.startsWith(`${path}/`)),
    );

    expect(acknowledged.length).toBeGreaterThan(40);
    expect(stale).toEqual([]);
  });

  test('has a reason in one sentence', () => {
    for (const { id, reason } of acknowledged)
      expect([id, reason]).toEqual([id, expect.stringMatching(/^[A-Z].{20,}\.$/)]);
  });

  test('S-78 says of the firewall what is true', () => {
    const missing = 'Production has a firewall (S-78); this stage is for trials, and an emulator has none.';
    const apis = ['Api', 'Api'].map((name) => [name, missing]);

    expect(reasonsOf('AwsSolutions-APIG3')).toEqual(stage === 'production' ? [] : apis);
  });

  test('TOK-3 says of rotations what is true', () => {
    const rotations = propertiesOf(templatesOf(stage).service, 'AWS::SecretsManager::RotationSchedule');
    const bySchedule = rotations.filter(({ RotationRules }) => RotationRules !== undefined).length;
    const reason =
      stage === 'production'
        ? 'The schedule of its rotation stands in the service stack, with the function that does it (lib/constructs/signing-keys.ts).'
        : 'In this stage it is rotated by command alone (docs/keys.md), so that tests and rehearsals know when.';

    expect(bySchedule).toBe(stage === 'production' ? 3 : 0);
    expect(reasonsOf('AwsSolutions-SMG4')).toEqual([
      ['AccessKeys', reason],
      ['SessionKeys', reason],
      ['Pepper', reason],
    ]);
  });
});
