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
import type { FunctionName } from './bundle.ts';
import type {
  DebouncePartition,
  ListingPartition,
  PartitionRights,
  PartnerPartition,
  RequestPartition,
  TableAction,
  UsedTable,
} from './stores/table.ts';
import { metricNamespace } from './watch/alarms.ts';

const receiveActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const rotateActions = [
  'secretsmanager:GetSecretValue',
  'secretsmanager:PutSecretValue',
  'secretsmanager:DescribeSecret',
  'secretsmanager:UpdateSecretVersionStage',
];

/** The partitions that a table has, by the variable with its name; functions have rights on whole tables without any. */
type Partitions = {
  TRANSACTIONS_TABLE: never;
  PARTNERS_TABLE: PartnerPartition;
  REQUESTS_TABLE: RequestPartition;
  LISTING_TABLE: ListingPartition;
  DEBOUNCE_TABLE: DebouncePartition;
  AUDIT_TABLE: 'AUDIT#*' | 'DONE#*';
};

/** `Array.isArray` alone does not narrow a read-only array. */
const isForAllItems = (rights: object): rights is readonly TableAction[] => Array.isArray(rights);

const toIam = (action: string) => `dynamodb:${action}`;

type Variables = Partial<Record<VariableName, string>>;

export type ServiceFunctionProps = {
  config: StageConfig;
  encryptionKey: IKey;
  name: FunctionName;
  variables?: Variables;
  reservedConcurrency?: number | undefined;
  timeout?: Duration;
  /** It sends messages to the queue that calls it. By default Lambda stops such a loop after 16 turns. */
  feedsItself?: true;
  /** Why a failed call needs no dead-letter queue; absent = its caller waits for the answer. */
  withoutDeadLetters?: string;
};

/** Only functions with a waiting caller are traced: traces of polls would cost more than their work. */
const isTraced = ({ withoutDeadLetters }: ServiceFunctionProps): boolean => withoutDeadLetters === undefined;

/**
 * A deployed function with its role, log and variables. One call grants a right and sets the variable with the resource's
 * name, so that the two cannot differ. A right is a list of exact actions (S-66).
 */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly role: Role;
  readonly name: FunctionName;
  readonly logGroup: LogGroup;
  /** The reserved concurrency. */
  readonly reserved: number | undefined;
  /** The alias that callers use where calls shift gradually; `called` makes it. */
  alias: Alias | undefined;
  private readonly shiftsGradually: boolean;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.name = props.name;
    this.reserved = props.reservedConcurrency;
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

  /** What callers use: an alias where calls shift to a new version gradually, otherwise the function (D-11). */
  called(): IFunction {
    if (!this.shiftsGradually) return this.function;
    // The construct library's types do not match under exactOptionalPropertyTypes.
    const version = this.function.currentVersion as IVersion;
    this.alias ??= new Alias(this, 'Live', { aliasName: 'live', version });
    return this.alias as IFunction;
  }

  /**
   * Rights on a table: actions on all items, or each action on the partitions that it needs, so that a reader of profiles reads
   * no hashes, and a writer of answers cannot undo a revocation (S-32, S-66, S-80). IAM checks each part of an atomic write as
   * its own action, by its key.
   */
  uses<Name extends keyof Partitions>(
    variable: Name,
    { tableName, tableArn }: UsedTable,
    rights: readonly TableAction[] | PartitionRights<Partitions[Name]>,
  ): this {
    if (isForAllItems(rights)) this.may(rights.map(toIam), tableArn);
    else
      for (const [action, partitions] of Object.entries(rights))
        this.may([toIam(action)], tableArn, {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        });
    return this.knows(variable, tableName);
  }

  /** Query on an index of a table. */
  queriesIndex(variable: VariableName, { tableName, tableArn }: UsedTable, index: string): this {
    return this.knows(variable, tableName).may(['dynamodb:Query'], `${tableArn}/index/${index}`);
  }

  /** Appends audit records and their ends, without reading them (DR-2, DR-12). */
  appendsAudit(partners: UsedTable, audit: UsedTable): this {
    return this.uses('PARTNERS_TABLE', partners, { PutItem: ['AUDIT#*'] }).uses('AUDIT_TABLE', audit, {
      PutItem: ['AUDIT#*', 'DONE#*'],
    });
  }

  /**
   * UpdateItem of these attributes only. Conditions may name no others, and nothing is returned (S-80). The key's attributes
   * must be listed ("Using IAM policy conditions for fine-grained access control").
   */
  setsOfPartners(table: UsedTable, partition: PartnerPartition, attributes: readonly string[]): this {
    return this.may(['dynamodb:UpdateItem'], table.tableArn, {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partition] },
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', ...attributes] },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      // ForAllValues is true for a request without the condition key.
      Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
    });
  }

  /** Rights by which Lambda calls the function with messages of a queue. */
  receives(queue: Queue): this {
    return this.may(receiveActions, queue.queueArn);
  }

  /** SendMessage to the queue. */
  sends(variable: VariableName, queue: Queue): this {
    return this.knows(variable, queue.queueUrl).may(['sqs:SendMessage'], queue.queueArn);
  }

  /** A variable with a plain value. */
  knows(variable: VariableName, value: string): this {
    this.function.addEnvironment(variable, value);
    return this;
  }

  /** The variable holds the ARN of the secret; the function reads the value at run time (S-22). */
  readsSecret(variable: VariableName, secret: Secret): this {
    return this.knows(variable, secret.secretArn).may(['secretsmanager:GetSecretValue'], secret.secretArn);
  }

  /** Reads the secret, adds versions, and chooses the current one. */
  rotatesSecret(variable: VariableName, secret: Secret): this {
    return this.knows(variable, secret.secretArn).may(rotateActions, secret.secretArn);
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
