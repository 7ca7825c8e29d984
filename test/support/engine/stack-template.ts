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
