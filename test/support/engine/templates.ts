import type { Resource, StackTemplate, StageTemplates } from './stack-template.ts';
import { ask } from './synthesis.ts';

export type { StackTemplate, StageTemplates } from './stack-template.ts';

const templates: Record<string, StageTemplates> = await ask('stages');

/** The templates of a stage, by its name. */
export const templatesOf = (stage: string): StageTemplates => {
  const found = templates[stage];
  if (!found) throw new Error(`There is no stage ${stage}`);
  return found;
};

/** All resources of a type, by logical id, without the tags that every resource has (D-17). */
export const resourcesOf = ({ Resources }: StackTemplate, type: string): Record<string, Resource> =>
  Object.fromEntries(
    Object.entries(Resources)
      .filter(([, { Type }]) => Type === type)
      .map(([id, resource]) => [id, withoutOurTags(resource)]),
  );

const withoutOurTags = (resource: Resource): Resource => {
  if (!Array.isArray(resource.Properties?.Tags)) return resource;
  const { Tags, ...Properties } = resource.Properties;
  const own = (Tags as { Key: string }[]).filter(({ Key }) => !Key.startsWith('transactions:'));
  return { ...resource, Properties: { ...Properties, ...(own.length > 0 && { Tags: own }) } };
};

/** Properties of all resources of a type. */
export const propertiesOf = (template: StackTemplate, type: string): Record<string, unknown>[] =>
  Object.values(resourcesOf(template, type)).map(({ Properties }) => Properties);
