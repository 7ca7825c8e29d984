import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository.ts';

/** A resource as the template has it. */
export type Resource = {
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdatePolicy?: unknown;
  DependsOn?: string[];
};

/** A synthesised template, as CloudFormation gets it. */
export type StackTemplate = {
  Resources: Record<string, Resource & { Type: string }>;
  Outputs: Record<string, { Value: unknown }>;
};
export type StageTemplates = Record<'data' | 'service', StackTemplate>;

/** The templates of a stage, by its name. */
export const templatesOf = (stage: string): StageTemplates => {
  templates ??= readTemplates(process.env.TEST_RUN_FOLDER);
  const found = templates[stage];
  if (!found) throw new Error(`There is no stage ${stage}`);
  return found;
};

let templates: Record<string, StageTemplates> | undefined;

/** Where jest loads the CDK, synthesis takes seconds a file: the first process of a run has it done apart, for all others. */
const readTemplates = (runFolder: string | undefined): Record<string, StageTemplates> => {
  if (runFolder === undefined) return JSON.parse(synthesised());
  const file = join(runFolder, 'templates.json');
  if (!existsSync(file)) {
    // Whole or not at all: another process may look at the same time.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, synthesised());
    renameSync(unfinished, file);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
};

const synthesised = () =>
  execFileSync(process.execPath, [join(root, 'test/support/engine/synthesise.ts')], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
    maxBuffer: 2 ** 26,
  });

/** All resources of a type, by logical id. */
export const resourcesOf = ({ Resources }: StackTemplate, type: string): Record<string, Resource> =>
  Object.fromEntries(Object.entries(Resources).filter(([, { Type }]) => Type === type));

/** Properties of all resources of a type. */
export const propertiesOf = (template: StackTemplate, type: string): Record<string, unknown>[] =>
  Object.values(resourcesOf(template, type)).map(({ Properties }) => Properties);
