import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { App, type Stack, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, type NagPack, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { operatorRights } from '../../../bin/operator/command-groups.ts';
import {
  configOf,
  type PipelineConfig,
  type StageConfig,
  type StageName,
  stageNames,
} from '../../../lib/config.ts';
import { operatorsOf } from '../../../lib/constructs/people/operators.ts';
import { DataStack } from '../../../lib/data-stack.ts';
import { DeploymentRole } from '../../../lib/deployment-role.ts';
import { withExamples } from '../../../lib/production-needs.ts';
import { addStage, type StageStacks } from '../../../lib/stages.ts';
import type { StackTemplate, StageTemplates } from './stack-template.ts';

/**
 * Uses an app, and always removes its folder. Functions are not bundled, because only their code differs from a real
 * synthesis. `npm run synth` validates the templates, which takes 3 s. The places of constructs in the code are not
 * recorded.
 */
const inApp = <Result>(use: (app: App) => Result): Result => {
  const outdir = mkdtempSync(join(tmpdir(), 'synthesis-'));
  const context = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-stack-trace': true };
  try {
    return use(new App({ outdir, builtinCloudFormationValidation: false, context }));
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

/** Uses the stacks of a stage. Production has examples of what it needs and has not got yet. */
const withStacks = <Result>(config: StageConfig, use: (stacks: StageStacks) => Result): Result =>
  inApp((app) => use(addStage(app, withExamples(config), operatorRights)));

/** The templates of a configuration. */
const synthesise = (config: StageConfig): StageTemplates =>
  withStacks(config, ({ data, service }) => ({ data: templateOf(data), service: templateOf(service) }));

/** The template of a stack. */
const templateOf = (stack: Stack) => Template.fromStack(stack).toJSON() as StackTemplate;

const packs = { AwsSolutions: AwsSolutionsChecks, Serverless: ServerlessChecks };

/** What a pack finds, and where. */
type Finding = { pack: string; rule: string; path: string | undefined };

/** What the packs find. */
const findingsIn = (root: IConstruct): Finding[] =>
  Object.entries(packs).flatMap(([name, Pack]) => foundBy(name, new Pack(), root));

/** The findings of the packs without acknowledgements. */
const hiddenFindingsIn = (root: IConstruct): Finding[] =>
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
const acknowledgedIn = (root: IConstruct) =>
  root.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ path: node.path, id: id.replace(/^annotation::/i, ''), reason })),
  );

/** What tests ask of synthesis. Answers are values that JSON can carry. */
const questions = {
  /** The templates of all stages, as they are configured. */
  stages: (): Record<string, StageTemplates> => {
    stages ??= Object.fromEntries(stageNames.map((name) => [name, synthesise(configOf(name))]));
    return stages;
  },

  /** The templates of another configuration. */
  templates: synthesise,

  /** Where the two stacks of a stage go, and that by which a pipeline deploys it. */
  environments: (config: StageConfig, pipeline: PipelineConfig) =>
    withStacks(config, ({ data, service }) => {
      const app = data.node.root as App;
      const role = new DeploymentRole(app, withExamples(config), pipeline);
      return [data, service, role].map(({ environment }) => environment);
    }),

  /** Whether the two stacks of a stage refuse to be deleted. */
  protection: (stage: StageName) =>
    withStacks(configOf(stage), ({ data, service }) => ({
      data: data.terminationProtection ?? false,
      service: service.terminationProtection ?? false,
    })),

  /** Messages to whoever deploys a stage, by the part of its service stack. */
  advice: (stage: StageName) =>
    withStacks(configOf(stage), ({ service }) =>
      service.node
        .findAll()
        .flatMap(({ node }) => node.metadata.map(({ type, data }) => ({ path: node.path, type, data })))
        .filter(({ type }) => ['aws:cdk:warning', 'aws:cdk:info'].includes(type)),
    ),

  /** The findings of cdk-nag in a stage, the acknowledgements, and the findings without them. */
  checks: (stage: StageName) =>
    withStacks(configOf(stage), ({ service: { node } }) => ({
      findings: findingsIn(node.root),
      acknowledged: acknowledgedIn(node.root),
      hidden: hiddenFindingsIn(node.root),
    })),

  /** The outputs of a data stack that nothing reads. */
  outputsWithoutReaders: (stage: StageName) =>
    inApp((app) => templateOf(new DataStack(app, withExamples(configOf(stage)))).Outputs),

  /** The stack by which a pipeline deploys production. */
  deploymentRole: (pipeline: PipelineConfig) =>
    inApp((app) => {
      const stack = new DeploymentRole(app, withExamples(configOf('production')), pipeline);
      return { account: stack.account, template: templateOf(stack), findings: findingsIn(stack.node.root) };
    }),

  /** Whether there may be these operators. */
  operators: (config: Parameters<typeof operatorsOf>[0]) => operatorsOf(config).assumeRoleAction,
};

let stages: Record<string, StageTemplates> | undefined;

export type Questions = typeof questions;

/** What synthesis came to, or the sentence with which it refused. */
export type Answer<Value> = { value: Value } | { refusal: string };

/** Answers one question. */
export const answerTo = (name: keyof Questions, given: unknown[]): Answer<unknown> => {
  const answer = questions[name] as (...given: unknown[]) => unknown;
  try {
    return { value: answer(...given) };
  } catch (error) {
    return { refusal: (error as Error).message };
  }
};
