import { expect, test } from '@jest/globals';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { configOf, stageNames } from '../../lib/config.ts';
import { withStacks } from '../support/engine/stacks.ts';

const packs = { AwsSolutions: AwsSolutionsChecks, Serverless: ServerlessChecks };
const cases = stageNames.flatMap((stage) =>
  Object.entries(packs).map(([name, Pack]) => [stage, name, Pack] as const),
);

test.each(cases)('S-65 stage %s has no finding of %s without a reason', (stage, _name, Pack) => {
  const { violations } = withStacks(configOf(stage), ({ service }) =>
    new Pack().validateScope(service.node.root),
  );

  expect(violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([]);
});

test('S-65 every acknowledgement has a reason', () => {
  const acknowledged = withStacks(configOf('production'), ({ service }) => service.node.root.node.findAll())
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === 'aws:cdk:acknowledged-rules')
    .flatMap(({ data }) => Object.entries(data as Record<string, string>));

  expect(acknowledged.length).toBeGreaterThan(10);
  for (const [id, reason] of acknowledged) expect([id, reason]).toEqual([id, expect.stringMatching(/\.$/)]);
});
