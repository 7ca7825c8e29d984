import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { App, type Stack } from 'aws-cdk-lib/core';
import { operatorRights } from '../../../bin/operator/command-groups.ts';
import type { StageConfig } from '../../../lib/config.ts';
import { withExamples } from '../../../lib/production-needs.ts';
import { addStage, type StageStacks } from '../../../lib/stages.ts';
import type { StackTemplate, StageTemplates } from './stack-template.ts';

/**
 * Uses an app, and always removes its folder. Functions are not bundled, because only their code differs from a real
 * synthesis. `npm run synth` validates the templates, which takes 3 s. The places of constructs in the code are not
 * recorded.
 */
export const inApp = <Result>(use: (app: App) => Result): Result => {
  const outdir = mkdtempSync(join(tmpdir(), 'synthesis-'));
  const context = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-stack-trace': true };
  try {
    return use(new App({ outdir, builtinCloudFormationValidation: false, context }));
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

/** Uses the stacks of a stage. Production has examples of what it needs and has not got yet. */
export const withStacks = <Result>(config: StageConfig, use: (stacks: StageStacks) => Result): Result =>
  inApp((app) => use(addStage(app, withExamples(config), operatorRights)));

/** The templates of a configuration. */
export const synthesise = (config: StageConfig): StageTemplates =>
  withStacks(config, ({ data, service }) => ({ data: templateOf(data), service: templateOf(service) }));

/** The template of a stack. */
export const templateOf = (stack: Stack) => Template.fromStack(stack).toJSON() as StackTemplate;
