import { resourcesOf, type StackTemplate } from './templates.ts';

/** What stands in a template for a resource, by the start of its logical id or of the output with its value. */
export type ResourceNames = Record<string, string>;

/** Replaces what a template refers to: `Ref` and `Fn::GetAtt` by the names of resources, and joins texts. */
export const createResolver = (service: StackTemplate, names: { ref: ResourceNames; arn: ResourceNames }) => {
  const functions = resourcesOf(service, 'AWS::Lambda::Function');
  const aliases = resourcesOf(service, 'AWS::Lambda::Alias');
  const pathParts = resourcesOf(service, 'AWS::ApiGateway::Resource');

  const functionOf = (id: string): string | undefined => {
    const alias = aliases[id]?.Properties.FunctionName as { Ref: string } | undefined;
    return functions[alias?.Ref ?? id]?.Properties.Description as string | undefined;
  };
  const named = (id: string, all: ResourceNames) =>
    Object.entries(all).find(([start]) => new RegExp(`^${start}(?:Arn)?[0-9A-F]{8}`).test(id))?.[1];
  const orThrow = (id: string, name: string | undefined) => {
    if (name === undefined) throw new Error(`The test has no name for ${id}.`);
    return name;
  };
  const pathOf = (id: string): string | undefined => {
    const { ParentId, PathPart } = pathParts[id]?.Properties ?? {};
    return PathPart === undefined ? undefined : `${resolve(ParentId)}/${PathPart}`;
  };

  const ref = (id: string): string => {
    const ofAws = { 'AWS::Partition': 'aws', 'AWS::URLSuffix': 'amazonaws.com' }[id];
    if (ofAws) return ofAws;
    const alias = aliases[id] && `arn:${functionOf(id)}`;
    return orThrow(id, alias ?? functionOf(id) ?? pathOf(id) ?? named(id, names.ref));
  };
  const attribute = ([id, name]: [string, string]): string => {
    if (name === 'RootResourceId') return '';
    const called = functionOf(id);
    return called === undefined ? orThrow(`${id}.${name}`, named(id, names.arn)) : `arn:${called}`;
  };
  const output = (name: string): string => {
    const [, kind, id = ''] = /^PublishOutput(Ref|FnGetAtt)(\w+)$/.exec(name) ?? [];
    return orThrow(name, named(id, kind === 'Ref' ? names.ref : names.arn));
  };

  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const {
      Ref,
      'Fn::GetAtt': got,
      'Fn::GetStackOutput': read,
      'Fn::Join': joined,
      ...rest
    } = value as Given;
    if (Ref !== undefined) return ref(Ref);
    if (got) return attribute(got);
    if (read) return output(read.OutputName);
    if (joined) return joined[1].map(resolve).join(joined[0]);
    return Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, resolve(one)]));
  };
  return resolve;
};

type Given = {
  Ref?: string;
  'Fn::GetAtt'?: [string, string];
  'Fn::GetStackOutput'?: { OutputName: string };
  'Fn::Join'?: [string, unknown[]];
};
