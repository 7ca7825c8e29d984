import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Alias,
  Architecture,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { VariableName } from '../../functions/shared/runtime/environment.ts';
import { bundledCode } from '../bundled-code.ts';
import type { StageConfig } from '../config.ts';
import { usualTimeoutSeconds } from '../event-times.ts';
import { createLogGroup } from '../log-group.ts';
import { acknowledge } from './acknowledge.ts';
import { metricNamespace } from './alarms.ts';
import type { FunctionName } from './bundle.ts';
import type {
  DebouncePartition,
  ListingPartition,
  PartitionRights,
  PartnerPartition,
  RequestPartition,
  UsedTable,
} from './table.ts';

const streamActions = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
];
const receiveActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const rotateActions = [
  'secretsmanager:GetSecretValue',
  'secretsmanager:PutSecretValue',
  'secretsmanager:DescribeSecret',
  'secretsmanager:UpdateSecretVersionStage',
];

type Variables = Partial<Record<VariableName, string>>;

export type ServiceFunctionProps = {
  config: StageConfig;
  encryptionKey: IKey;
  name: FunctionName;
  variables?: Variables;
  reservedConcurrency?: number | undefined;
  timeout?: Duration;
  /** It sends messages to the queue that calls it: Lambda takes that for a fault and stops it after 16 turns. */
  feedsItself?: true;
  /** Why a failed call needs no dead-letter queue of its own; absent = whoever calls it waits for its answer. */
  withoutDeadLetters?: string;
};

/** A trace shows callers where their time went; polls that nobody waits for would pay more for it than for their work. */
const isTraced = ({ withoutDeadLetters }: ServiceFunctionProps): boolean => withoutDeadLetters === undefined;

/**
 * One deployed function with its role, its log and its variables. One call grants a right and sets the variable that names
 * the resource, so that the two cannot differ. A right is a list of exact actions (S-66).
 */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly role: Role;
  readonly name: FunctionName;
  readonly logGroup: LogGroup;
  /** What callers call where calls shift gradually; made when the first caller asks for it. */
  alias: Alias | undefined;
  private readonly shiftsGradually: boolean;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.name = props.name;
    this.shiftsGradually = props.config.shiftsGradually ?? false;
    this.logGroup = createLogGroup(this, 'Log', props);
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(this.role);
    this.function = this.createFunction(props);
    this.acknowledgeTracing(isTraced(props));
    acknowledge(
      this.function,
      'Serverless-LambdaDLQ',
      props.withoutDeadLetters ?? 'Whoever calls it waits for its answer.',
    );
  }

  private acknowledgeTracing(traced: boolean): void {
    if (traced)
      acknowledge(this.role, 'AwsSolutions-IAM5[Resource::*]', 'X-Ray has no resources to name (xray:Put*).');
    else
      acknowledge(
        this.function,
        'Serverless-LambdaTracing',
        'No caller of an API waits for it, and its faults ring.',
      );
  }

  /** What callers call: an alias where calls go over to a new version little by little, else the function (D-11). */
  called(): IFunction {
    if (!this.shiftsGradually) return this.function;
    // The types of the construct library do not fit each other where an absent property differs from an undefined one.
    const version = this.function.currentVersion as IVersion;
    this.alias ??= new Alias(this, 'Live', { aliasName: 'live', version });
    return this.alias as IFunction;
  }

  /** GetItem: single items by their keys. */
  gets(variable: VariableName, table: UsedTable): this {
    return this.uses(variable, table.tableName, ['dynamodb:GetItem'], table.tableArn);
  }

  /** BatchGetItem: many items by their keys. */
  batchGets(variable: VariableName, table: UsedTable): this {
    return this.uses(variable, table.tableName, ['dynamodb:BatchGetItem'], table.tableArn);
  }

  /** PutItem: whole items, without updates or deletions. */
  puts(variable: VariableName, table: UsedTable): this {
    return this.uses(variable, table.tableName, ['dynamodb:PutItem'], table.tableArn);
  }

  updates(variable: VariableName, table: UsedTable): this {
    return this.uses(variable, table.tableName, ['dynamodb:UpdateItem'], table.tableArn);
  }

  deletes(variable: VariableName, table: UsedTable): this {
    return this.uses(variable, table.tableName, ['dynamodb:DeleteItem'], table.tableArn);
  }

  /** ConditionCheckItem: an atomic write may require that another item is unchanged. */
  checks(variable: VariableName, table: UsedTable): this {
    return this.uses(variable, table.tableName, ['dynamodb:ConditionCheckItem'], table.tableArn);
  }

  /** Query on the table itself, or on one of its indexes. */
  queries(variable: VariableName, table: UsedTable, index?: string): this {
    const resource = index === undefined ? table.tableArn : `${table.tableArn}/index/${index}`;
    return this.uses(variable, table.tableName, ['dynamodb:Query'], resource);
  }

  /** Rights on partitions of the Partners table alone: who reads profiles reads neither signatures nor hashes (S-66). */
  ofPartners(table: UsedTable, rights: PartitionRights<PartnerPartition>): this {
    return this.ofPartitions('PARTNERS_TABLE', table, rights);
  }

  /** Appends audit records, and to their copy that they came to their end (DR-2, DR-12); reads none. */
  appendsAudit(partners: UsedTable, audit: UsedTable): this {
    return this.ofPartners(partners, { PutItem: ['AUDIT#*'] }).ofPartitions('AUDIT_TABLE', audit, {
      PutItem: ['AUDIT#*', 'DONE#*'],
    });
  }

  /** Likewise of the Requests table: who keeps answers of writes takes back no revocation (S-32). */
  ofRequests(table: UsedTable, rights: PartitionRights<RequestPartition>): this {
    return this.ofPartitions('REQUESTS_TABLE', table, rights);
  }

  /** Likewise of the Listing table: who writes entries never replaces a counter (S-80). */
  ofListing(table: UsedTable, rights: PartitionRights<ListingPartition>): this {
    return this.ofPartitions('LISTING_TABLE', table, rights);
  }

  /** Likewise of the Debounce table: who records deliveries touches nothing that is due (S-80). */
  ofDebounce(table: UsedTable, rights: PartitionRights<DebouncePartition>): this {
    return this.ofPartitions('DEBOUNCE_TABLE', table, rights);
  }

  /**
   * UpdateItem of these attributes alone, which neither names others in a condition nor returns any (S-80). DynamoDB counts the
   * attributes of the key ("Using IAM policy conditions for fine-grained access control").
   */
  setsOfPartners(table: UsedTable, partition: PartnerPartition, attributes: readonly string[]): this {
    return this.may(['dynamodb:UpdateItem'], table.tableArn, {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partition] },
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', ...attributes] },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      // Of a request without such a key all values are allowed.
      Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
    });
  }

  /** What Lambda needs in order to call the function with records of a stream. */
  readsStream(streamArn: string): this {
    return this.may(streamActions, streamArn);
  }

  /** What Lambda needs in order to call the function with messages of a queue. */
  receives(queue: Queue): this {
    return this.may(receiveActions, queue.queueArn);
  }

  /** Lets Lambda send records that it gives up to a queue. */
  givesUpTo(queue: Queue): this {
    return this.may(['sqs:SendMessage'], queue.queueArn);
  }

  sends(variable: VariableName, queue: Queue): this {
    return this.uses(variable, queue.queueUrl, ['sqs:SendMessage'], queue.queueArn);
  }

  /** PutEvents with this one source (EV-8), and DescribeEventBus, since PutEvents does not report a missing bus. */
  publishes(variable: VariableName, { name, arn }: { name: string; arn: string }, source: string): this {
    this.may(['events:PutEvents'], arn, {
      'ForAllValues:StringEquals': { 'events:source': source },
      Null: { 'events:source': 'false' },
    });
    return this.uses(variable, name, ['events:DescribeEventBus'], arn);
  }

  /** A variable with a plain value. */
  knows(variable: VariableName, value: string): this {
    this.function.addEnvironment(variable, value);
    return this;
  }

  /** The variable holds the ARN of the secret; the function reads the value at run time (S-22). */
  readsSecret(variable: VariableName, secret: Secret): this {
    return this.uses(variable, secret.secretArn, ['secretsmanager:GetSecretValue'], secret.secretArn);
  }

  /** Reads the secret, gives it new versions, and says which of them counts. */
  rotatesSecret(variable: VariableName, secret: Secret): this {
    return this.uses(variable, secret.secretArn, rotateActions, secret.secretArn);
  }

  /** Each part of a transaction is judged as the action that it is, by its own key. */
  private ofPartitions(variable: VariableName, table: UsedTable, rights: PartitionRights<string>): this {
    for (const [action, partitions] of Object.entries(rights)) {
      this.may([`dynamodb:${action}`], table.tableArn, {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      });
    }
    return this.knows(variable, table.tableName);
  }

  private uses(variable: VariableName, value: string, actions: string[], resource: string): this {
    return this.knows(variable, value).may(actions, resource);
  }

  /** A right without a variable. */
  may(actions: string[], resource: string, conditions?: Record<string, unknown>): this {
    this.role.addToPolicy(
      new PolicyStatement({ actions, resources: [resource], ...(conditions && { conditions }) }),
    );
    return this;
  }

  private createFunction(props: ServiceFunctionProps): LambdaFunction {
    const { config, name, variables, reservedConcurrency, timeout } = props;
    return new LambdaFunction(this, 'Function', {
      description: name,
      code: bundledCode(name),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1024,
      timeout: timeout ?? Duration.seconds(usualTimeoutSeconds),
      tracing: isTraced(props) ? Tracing.ACTIVE : Tracing.DISABLED,
      role: this.role,
      logGroup: this.logGroup,
      ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
      ...(props.feedsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: {
        POWERTOOLS_LOG_LEVEL: config.logLevel,
        POWERTOOLS_METRICS_NAMESPACE: metricNamespace(config),
        ...variables,
      },
    });
  }
}
