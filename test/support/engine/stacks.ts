import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { App, type Stack } from 'aws-cdk-lib/core';
import type { StageConfig } from '../../../lib/config.ts';
import { withExamples } from '../../../lib/production-needs.ts';
import { addStage, type StageStacks } from '../../../lib/stages.ts';
import type { StackTemplate, StageTemplates } from './templates.ts';

/**
 * Uses the stacks of a stage in an app of their own, whose folder is gone afterwards, whatever happens. Production has
 * examples of what it needs and has not got yet. Functions are not
 * bundled: only their code differs from a real synthesis. The validation of templates that takes 3 s is left to
 * `npm run synth`, and where in the code a construct was made, to nobody.
 */
export const withStacks = <Result>(config: StageConfig, use: (stacks: StageStacks) => Result): Result => {
  const outdir = mkdtempSync(join(tmpdir(), 'synthesis-'));
  const context = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-stack-trace': true };
  try {
    return use(
      addStage(new App({ outdir, builtinCloudFormationValidation: false, context }), withExamples(config)),
    );
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

/** The templates of a configuration; those of the stages as they are configured are `templatesOf`. */
export const synthesise = (config: StageConfig): StageTemplates =>
  withStacks(config, ({ data, service }) => ({ data: templateOf(data), service: templateOf(service) }));

const templateOf = (stack: Stack) => Template.fromStack(stack).toJSON() as StackTemplate;
