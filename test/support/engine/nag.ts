import { Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, type NagPack, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

const packs = { AwsSolutions: AwsSolutionsChecks, Serverless: ServerlessChecks };

/** What a pack finds, and where. */
export type Finding = { pack: string; rule: string; path: string | undefined };

/** What the packs find. */
export const findingsIn = (root: IConstruct): Finding[] =>
  Object.entries(packs).flatMap(([name, Pack]) => foundBy(name, new Pack(), root));

/** The findings of the packs without acknowledgements. */
export const hiddenFindingsIn = (root: IConstruct): Finding[] =>
  Object.entries(packs).flatMap(([name, Pack]) => {
    const pack = new Pack();
    Reflect.set(pack, 'isAcknowledged', () => false);
    return foundBy(name, pack, root);
  });

const foundBy = (name: string, pack: NagPack, root: IConstruct): Finding[] =>
  pack
    .validateScope(root)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => ({ pack: name, rule: ruleName, path: constructPath })),
    );

/** Every acknowledgement of the tree, and its place. */
export const acknowledgedIn = (root: IConstruct) =>
  root.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ path: node.path, id: id.replace(/^annotation::/i, ''), reason })),
  );
