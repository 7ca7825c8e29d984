import { UserError } from '../../bin/operator/user-error.ts';
import { account, arn, partition, queueUrl, region } from '../aws/names.ts';

/** A resource of a synthesised template. */
export type Resource = {
  Type: string;
  Properties?: Record<string, unknown>;
  Metadata?: Record<string, unknown>;
};

/** The parts of a synthesised template that the stage reads. */
type Template = {
  Resources: Record<string, Resource>;
  Parameters?: Record<string, { Default?: unknown }>;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
};

export type Stack = { name: string; template: Template };

type NamedOutput = { StackName: string; OutputName: string };

/** Evaluates the intrinsic functions in a value of a stack's template. */
export type Resolver = (stack: Stack, value: unknown) => unknown;

/** `queueEndpoint` is the address of the local SQS, since a reference to a queue is its URL. */
export const createResolver = (stacks: readonly Stack[], queueEndpoint = 'https://sqs.invalid'): Resolver => {
  const resolve: Resolver = (stack, value) => {
    if (Array.isArray(value))
      return value.map((part) => resolve(stack, part)).filter((part) => part !== undefined);
    if (typeof value !== 'object' || value === null) return value;
    const [name, argument] = Object.entries(value)[0] ?? [];
    const isIntrinsic = Object.keys(value).length === 1 && (name === 'Ref' || name?.startsWith('Fn::'));
    if (isIntrinsic && name !== undefined) return answer(stack, name, argument);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(stack, part)]));
  };

  const answer = (stack: Stack, name: string, argument: unknown): unknown => {
    if (name === 'Ref') return ref(stack, String(argument));
    if (name === 'Fn::GetAtt') return attribute(stack, argument);
    if (name === 'Fn::ImportValue') return imported(String(resolve(stack, argument)));
    if (name === 'Fn::GetStackOutput') return outputOf(resolve(stack, argument) as NamedOutput);
    if (name === 'Fn::Sub') return substituted(stack, argument);
    if (name === 'Fn::Join') {
      const [separator, parts] = resolve(stack, argument) as [string, unknown[]];
      return parts.join(separator);
    }
    throw new UserError(`The local stage does not know the template function ${name} (stack ${stack.name}).`);
  };

  const ref = (stack: Stack, id: string): unknown => {
    if (id.startsWith('AWS::')) return pseudoParameter(stack, id);
    const parameter = stack.template.Parameters?.[id];
    if (parameter) return parameter.Default;
    return reference(stack, id);
  };

  const reference = (stack: Stack, id: string): unknown => {
    const resource = resourceOf(stack, id);
    const given = (name: string) => resolve(stack, resource.Properties?.[name]) ?? `${stack.name}-${id}`;
    if (resource.Type === 'AWS::DynamoDB::Table') return given('TableName');
    if (resource.Type === 'AWS::SecretsManager::Secret')
      return arn('secretsmanager', `secret:${given('Name')}`);
    if (resource.Type === 'AWS::Events::EventBus') return given('Name');
    if (resource.Type === 'AWS::SQS::Queue') return queueUrl(queueEndpoint, queueName(stack, id, resource));
    return id;
  };

  const queueName = (stack: Stack, id: string, { Properties = {} }: Resource): string => {
    const own = `${stack.name}-${id}${Properties.FifoQueue === true ? '.fifo' : ''}`;
    return String(resolve(stack, Properties.QueueName) ?? own);
  };

  const attribute = (stack: Stack, argument: unknown): unknown => {
    const [id, ...path] = typeof argument === 'string' ? argument.split('.') : (argument as string[]);
    const { Type } = resourceOf(stack, id ?? '');
    if (Type === 'AWS::Lambda::Function' && path[0] === 'Arn') return arn('lambda', `function:${id}`);
    if (Type === 'AWS::DynamoDB::Table') return tableAttribute(String(reference(stack, id ?? '')), path[0]);
    if (Type === 'AWS::ApiGateway::RestApi' && path[0] === 'RootResourceId') return `${id}/root`;
    if (Type === 'AWS::Events::EventBus') return busAttribute(String(reference(stack, id ?? '')), path[0]);
    if (Type === 'AWS::SQS::Queue') return queueAttribute(String(reference(stack, id ?? '')), path[0]);
    return arn('local', `${id}/${path.join('.')}`);
  };

  const imported = (name: string): unknown => {
    for (const stack of stacks) {
      const output = Object.values(stack.template.Outputs ?? {}).find(
        ({ Export }) => resolve(stack, Export?.Name) === name,
      );
      if (output) return resolve(stack, output.Value);
    }
    throw new UserError(`No stack exports ${name}.`);
  };

  const outputOf = ({ StackName, OutputName }: NamedOutput): unknown => {
    const owner = stacks.find(({ name }) => name === StackName);
    const output = owner?.template.Outputs?.[OutputName];
    if (!owner || !output) throw new UserError(`No stack ${StackName} has an output ${OutputName}.`);
    return resolve(owner, output.Value);
  };

  const substituted = (stack: Stack, argument: unknown): string => {
    const [text, values] = (Array.isArray(argument) ? argument : [argument, {}]) as [
      string,
      Record<string, unknown>,
    ];
    return text.replaceAll(/\$\{([^!}]+)\}/g, (_, name: string) => {
      if (Object.hasOwn(values, name)) return String(resolve(stack, values[name]));
      return String(name.includes('.') ? attribute(stack, name) : ref(stack, name));
    });
  };

  return resolve;
};

const resourceOf = (stack: Stack, id: string): Resource => {
  const resource = stack.template.Resources[id];
  if (resource) return resource;
  throw new UserError(`The stack ${stack.name} refers to ${id}, which it does not have.`);
};

/** A table has one stream, so its ARN ends in `local` here and not in the time of its creation. */
const tableAttribute = (name: string, attribute = ''): string =>
  arn('dynamodb', attribute === 'StreamArn' ? `table/${name}/stream/local` : `table/${name}`);

const busAttribute = (name: string, attribute = ''): string =>
  attribute === 'Arn' ? arn('events', `event-bus/${name}`) : name;

const queueAttribute = (url: string, attribute = ''): string => {
  const name = url.slice(url.lastIndexOf('/') + 1);
  if (attribute === 'QueueUrl') return url;
  return attribute === 'Arn' ? arn('sqs', name) : name;
};

const pseudoParameter = (stack: Stack, name: string): unknown => {
  const values: Record<string, string | undefined> = {
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::Partition': partition,
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stack.name,
    'AWS::StackId': arn('cloudformation', `stack/${stack.name}/local`),
    'AWS::NoValue': undefined,
  };
  if (name in values) return values[name];
  throw new UserError(`The local stage does not know the template parameter ${name} (stack ${stack.name}).`);
};
