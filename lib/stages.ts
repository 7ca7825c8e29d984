import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { StageConfig } from './config.ts';
import { DataStack } from './data-stack.ts';
import { ServiceStack } from './service-stack.ts';

export type StageStacks = { data: DataStack; service: ServiceStack };

/** Both stacks of one stage. */
export const addStage = (app: App, config: StageConfig): StageStacks => {
  const data = new DataStack(app, config);
  return { data, service: new ServiceStack(app, config, data) };
};

/** Synthesis fails on any finding that nobody has acknowledged with a reason (S-65). */
export const addChecks = (app: App): void =>
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
