import { rmSync } from 'node:fs';
import { App, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { configOf, type StageConfig } from '../../../lib/config.ts';
import { addStage, type StageStacks } from '../../../lib/stages.ts';

/**
 * The stacks of a stage in an app of their own. Functions are not bundled: only their code differs from a real synthesis.
 * The validation of templates that takes 3 s is left to `npm run synth`.
 */
export const stacksOf = (config: StageConfig): StageStacks =>
  addStage(
    new App({ builtinCloudFormationValidation: false, context: { 'aws:cdk:bundling-stacks': [] } }),
    config,
  );

export const templatesOf = (stage: string): { data: Template; service: Template } => {
  const { data, service } = stacksOf(configOf(stage));
  const templates = { data: Template.fromStack(data), service: Template.fromStack(service) };
  // The templates are in memory now; without an `outdir` an app leaves a temporary folder behind.
  rmSync(Stage.of(data)?.outdir ?? '', { recursive: true, force: true });
  return templates;
};

/** A resource as the template has it. */
export type Resource = { Properties: Record<string, unknown>; DeletionPolicy?: string; DependsOn?: string[] };

/** All resources of a type, by logical id. */
export const resourcesOf = (template: Template, type: string): Record<string, Resource> =>
  template.findResources(type) as Record<string, Resource>;

/** Properties of all resources of a type. */
export const propertiesOf = (template: Template, type: string): Record<string, unknown>[] =>
  Object.values(resourcesOf(template, type)).map(({ Properties }) => Properties);
