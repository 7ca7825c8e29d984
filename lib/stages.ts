import { type App, type Stack, Tags, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { StageConfig } from './config.ts';
import type { OperatorRights } from './constructs/people/operator-rights.ts';
import { DataStack } from './data-stack.ts';
import { assertProductionNeeds } from './production-needs.ts';
import { ServiceStack } from './service-stack.ts';

/** The two stacks of a stage. */
export type StageStacks = { data: DataStack; service: ServiceStack };

/** Adds both stacks of a stage to the app. Commands of the operator's tool declare `operatorRights` (RUN-9). */
export const addStage = (
  app: App,
  config: StageConfig,
  operatorRights: readonly OperatorRights[],
): StageStacks => {
  assertProductionNeeds(config);
  const data = new DataStack(app, config);
  const service = new ServiceStack(app, config, data, operatorRights);
  for (const stack of [data, service]) tag(stack, config);
  return { data, service };
};

/** For the bill, and for whoever finds a resource. */
const tag = (stack: Stack, { name, owner }: StageConfig): void => {
  for (const [key, value] of Object.entries({ service: 'transactions', stage: name, owner }))
    Tags.of(stack).add(`transactions:${key}`, value);
};

/** Makes synthesis fail on every finding of cdk-nag that has no acknowledgement with a reason (S-65). */
export const addChecks = (app: App): void =>
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
