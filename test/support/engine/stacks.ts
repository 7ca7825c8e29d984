import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { App, type Stack } from 'aws-cdk-lib/core';
import { configOf, type StageConfig } from '../../../lib/config.ts';
import { DataStack } from '../../../lib/data-stack.ts';
import { addStage, type StageStacks } from '../../../lib/stages.ts';

/**
 * Uses an app whose folder is gone afterwards, whatever happens. Functions are not bundled: only their code differs from
 * a real synthesis. The validation of templates that takes 3 s is left to `npm run synth`, and where in the code a
 * construct was made, to nobody.
 */
const withApp = <Result>(use: (app: App) => Result): Result => {
  const outdir = mkdtempSync(join(tmpdir(), 'synthesis-'));
  const context = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-stack-trace': true };
  try {
    return use(new App({ outdir, builtinCloudFormationValidation: false, context }));
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

/** Uses the stacks of a stage in an app of their own. */
export const withStacks = <Result>(config: StageConfig, use: (stacks: StageStacks) => Result): Result =>
  withApp((app) => use(addStage(app, config)));

/** The templates of a stage, by its name or its configuration. */
export const templatesOf = (of: string | StageConfig): Record<'data' | 'service', Template> =>
  withStacks(typeof of === 'string' ? configOf(of) : of, ({ data, service }) => ({
    data: templateOf(data),
    service: templateOf(service),
  }));

/** The template of a stage's data alone. */
export const dataTemplateOf = (stage: string): Template =>
  withApp((app) => templateOf(new DataStack(app, configOf(stage))));

const templateOf = (stack: Stack) => Template.fromStack(stack);

/** A resource as the template has it. */
export type Resource = { Properties: Record<string, unknown>; DeletionPolicy?: string; DependsOn?: string[] };

/** All resources of a type, by logical id. */
export const resourcesOf = (template: Template, type: string): Record<string, Resource> =>
  template.findResources(type) as Record<string, Resource>;

/** Properties of all resources of a type. */
export const propertiesOf = (template: Template, type: string): Record<string, unknown>[] =>
  Object.values(resourcesOf(template, type)).map(({ Properties }) => Properties);
