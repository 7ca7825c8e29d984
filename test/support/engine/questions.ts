import type { App } from 'aws-cdk-lib/core';
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
import { acknowledgedIn, findingsIn, hiddenFindingsIn } from './nag.ts';
import type { StageTemplates } from './stack-template.ts';
import { inApp, synthesise, templateOf, withStacks } from './stacks.ts';

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
