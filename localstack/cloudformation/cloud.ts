import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { UserError } from '../../bin/operator/user-error.ts';
import { busOf, queueOf } from './bus-and-queue.ts';
import { eventSourceOf } from './event-source-mapping.ts';
import type {
  Cloud,
  CloudFunction,
  CloudRotation,
  CloudSecret,
  CloudTable,
  CloudTask,
  ResolvedResource,
} from './model.ts';
import { createResolver, type Resource, type Stack } from './resolve.ts';
import { gatewayResponseOf, routeOf } from './rest-apis.ts';
import { scheduleOf } from './schedule.ts';

/** Resources that the stage ignores: rights, logs, keys, and parts of the APIs that its own server replaces. */
const withoutEffect = [
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::Events::EventBusPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::SQS::QueuePolicy',
];

/**
 * Reads a cloud assembly. `replacements` maps addresses in the templates to this stage's own. Throws a UserError for a
 * resource that the local stage does not know.
 */
export const readCloud = (
  assembly: string,
  replacements: Record<string, string> = {},
  queueEndpoint?: string,
): Cloud => {
  const stacks = readStacks(assembly, replacements);
  const resolve = createResolver(stacks, queueEndpoint);
  const entries = stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources).map(([id, resource]) => ({
      stack,
      id,
      resource,
      properties: resolve(stack, resource.Properties ?? {}) as Record<string, unknown>,
    })),
  );
  const ofType = (type: string) => entries.filter(({ resource }) => resource.Type === type);
  refuseUnknown(entries);
  return {
    tables: ofType('AWS::DynamoDB::Table').map((entry) =>
      tableOf(entry, resolve(entry.stack, { Ref: entry.id })),
    ),
    secrets: ofType('AWS::SecretsManager::Secret').map((entry) =>
      secretOf(entry, resolve(entry.stack, { Ref: entry.id })),
    ),
    rotations: ofType('AWS::SecretsManager::RotationSchedule').map(rotationOf),
    functions: ofType('AWS::Lambda::Function').map((entry) => functionOf(assembly, entry)),
    routes: ofType('AWS::ApiGateway::Method').flatMap((entry) => routeOf(entries, entry) ?? []),
    gatewayResponses: ofType('AWS::ApiGateway::GatewayResponse').map(gatewayResponseOf),
    tasks: entries.filter(isTask).map(taskOf),
    schedules: ofType('AWS::Events::Rule').map(scheduleOf),
    eventSources: ofType('AWS::Lambda::EventSourceMapping').map(eventSourceOf),
    buses: ofType('AWS::Events::EventBus').map((entry) =>
      busOf(entry, resolve(entry.stack, { 'Fn::GetAtt': [entry.id, 'Arn'] })),
    ),
    queues: ofType('AWS::SQS::Queue').map((entry) =>
      queueOf(entry, resolve(entry.stack, { 'Fn::GetAtt': [entry.id, 'Arn'] })),
    ),
    outputs: Object.fromEntries(
      stacks.flatMap((stack) =>
        Object.entries(stack.template.Outputs ?? {}).map(([name, { Value }]) => [
          name,
          String(resolve(stack, Value)),
        ]),
      ),
    ),
  };
};

const readStacks = (assembly: string, replacements: Record<string, string>): Stack[] => {
  const manifest = JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8'));
  const artifacts: [string, { type: string; properties?: { templateFile?: string; stackName?: string } }][] =
    Object.entries(manifest.artifacts);
  return artifacts
    .filter(([, { type }]) => type === 'aws:cloudformation:stack')
    .map(([id, { properties }]) => {
      const text = readFileSync(join(assembly, properties?.templateFile ?? `${id}.template.json`), 'utf8');
      const replaced = Object.entries(replacements).reduce(
        (all, [from, to]) => all.replaceAll(from, to),
        text,
      );
      return { name: properties?.stackName ?? id, template: JSON.parse(replaced) };
    });
};

const known = [
  ...withoutEffect,
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Method',
  'AWS::DynamoDB::Table',
  'AWS::Events::EventBus',
  'AWS::Events::Rule',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::SQS::Queue',
  'AWS::SecretsManager::RotationSchedule',
  'AWS::SecretsManager::Secret',
];

const isTask = ({ resource }: ResolvedResource) =>
  resource.Type.startsWith('Custom::') || resource.Type === 'AWS::CloudFormation::CustomResource';

const refuseUnknown = (entries: ResolvedResource[]) => {
  const unknown = entries.filter((entry) => !known.includes(entry.resource.Type) && !isTask(entry));
  if (unknown.length === 0) return;
  const list = [...new Set(unknown.map(({ resource }) => resource.Type))].join(', ');
  throw new UserError(`The local stage cannot stand in for these resources of the template: ${list}.`);
};

const tableOf = ({ id, properties }: ResolvedResource, name: unknown): CloudTable => {
  // CloudFormation's properties of a table are the members of CreateTable.
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, StreamSpecification } =
    properties as Partial<CreateTableCommandInput>;
  const definition = {
    TableName: String(name),
    BillingMode: 'PAY_PER_REQUEST' as const,
    KeySchema,
    AttributeDefinitions,
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }),
    ...(StreamSpecification && { StreamSpecification: { ...StreamSpecification, StreamEnabled: true } }),
  };
  return { id, name: definition.TableName, definition };
};

const secretOf = ({ id, properties }: ResolvedResource, arn: unknown): CloudSecret => {
  const wanted = properties.GenerateSecretString as
    | { PasswordLength?: number; ExcludePunctuation?: boolean }
    | undefined;
  const generated = wanted && {
    length: wanted.PasswordLength ?? 32,
    punctuation: !wanted.ExcludePunctuation,
  };
  return { id, arn: String(arn), name: String(arn).split(':').at(-1) ?? '', ...(generated && { generated }) };
};

/** Only rotations by command are known: a local stage runs for hours, and a schedule counts in days. */
const rotationOf = ({ id, properties }: ResolvedResource): CloudRotation => {
  const { SecretId, RotationLambdaARN, RotationRules, RotateImmediatelyOnUpdate = true } = properties;
  if (RotationRules !== undefined || RotateImmediatelyOnUpdate) {
    throw new UserError(`The local stage rotates ${id} by command alone: its template has a schedule.`);
  }
  return { secretArn: String(SecretId), functionId: functionIdOf(RotationLambdaARN) };
};

const functionIdOf = (arn: unknown): string => /:function:([^/:]+)/.exec(String(arn))?.[1] ?? '';

const functionOf = (
  assembly: string,
  { stack, id, resource, properties }: ResolvedResource,
): CloudFunction => ({
  id,
  name: functionName(resource, id),
  folder: assetFolder(assembly, stack, properties.Code as { S3Key?: string }),
  handler: String(properties.Handler),
  timeoutSeconds: Number(properties.Timeout ?? 3),
  variables: (properties.Environment as { Variables?: Record<string, string> } | undefined)?.Variables ?? {},
});

/** The construct's name: `issue-token` for `…/TokenApi/IssueToken/Function/Resource`. */
const functionName = (resource: Resource, id: string): string => {
  const name =
    String(resource.Metadata?.['aws:cdk:path'] ?? '')
      .split('/')
      .at(-3) ?? id;
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
};

const assetFolder = (assembly: string, stack: Stack, { S3Key = '' }: { S3Key?: string }): string => {
  const { files } = JSON.parse(readFileSync(join(assembly, `${stack.name}.assets.json`), 'utf8'));
  const path = files[S3Key.replace('.zip', '')]?.source?.path;
  if (path) return join(assembly, path);
  throw new UserError(`The bundle ${S3Key} of the stack ${stack.name} is not among its assets.`);
};

const taskOf = ({ id, resource, properties }: ResolvedResource): CloudTask => {
  return { id, type: resource.Type, functionId: functionIdOf(properties.ServiceToken), properties };
};
