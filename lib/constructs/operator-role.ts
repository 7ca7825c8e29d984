import { CfnRole, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { operatorsOf } from '../operators.ts';
import { accountInFindings, acknowledge } from './acknowledge.ts';
import type { PartnerBus } from './partner-bus.ts';
import type { UsedTable } from './table.ts';

/** Which partitions of a table an action, or several, may touch. All statements of the role have to fit one policy. */
type PartitionRights = Record<string, readonly string[]>;

/**
 * Of partners and storefronts everything; a record of a command is added and never removed (S-28). That it is not written
 * over is the tool's doing: to IAM, PutItem is one right.
 */
const ofPartners: PartitionRights = {
  GetItem: [
    'ESTATE#*',
    'GRANT#*',
    'KEYS',
    'PARTNER#*',
    'PARTNERS',
    'STAGE',
    'STOREFRONTS',
    'USE#*',
    'WEBHOOK#*',
  ],
  BatchGetItem: ['HASHES#*', 'PARTNER#*', 'USE#*'],
  Query: ['AUDIT#*', 'ESTATE#*', 'GRANT#*', 'ORIGIN#*', 'PARTNERS', 'STOREFRONTS'],
  PutItem: [
    ...['AUDIT#*', 'ESTATE#*', 'HASHES#*', 'KEYS', 'ORIGIN#*', 'PARTNER#*'],
    ...['PARTNERS', 'STAGE', 'STOREFRONTS', 'WEBHOOK#*'],
  ],
  UpdateItem: ['GRANT#*', 'PARTNER#*', 'STAGE'],
  DeleteItem: ['HASHES#*', 'PARTNER#*', 'PARTNERS', 'STAGE', 'STOREFRONTS', 'USE#*', 'WEBHOOK#*'],
};

/** Likewise of the copy, which also has what an adoption notes, and the list of erasures. */
const ofAudit: PartitionRights = {
  GetItem: ['ERASURES', 'RESTORE'],
  Query: ['AUDIT#*', 'DONE#*', 'ERASURES'],
  PutItem: ['AUDIT#*', 'DONE#*', 'ERASURES', 'RESTORE'],
  UpdateItem: ['ERASURES'],
  DeleteItem: ['RESTORE'],
};

/** Answers that are kept for repetitions: one of an erased customer is emptied, one of what a restore took back forgotten. */
const ofRequests: PartitionRights = { 'DeleteItem UpdateItem': ['IDEM#*'] };

/** What belongs to partners at the bus, by kind of resource. */
const ofBus = {
  rule: ['DeleteRule', 'DescribeRule', 'ListTargetsByRule', 'PutRule', 'RemoveTargets'],
  'api-destination': [
    ...['CreateApiDestination', 'DeleteApiDestination'],
    ...['DescribeApiDestination', 'UpdateApiDestination'],
  ],
  // Making or describing a destination needs a right to its connection as well (Service Authorization Reference).
  connection: [
    ...['CreateApiDestination', 'CreateConnection', 'DeleteConnection'],
    ...['DescribeApiDestination', 'DescribeConnection', 'UpdateConnection'],
  ],
} as const;

/** Where EventBridge keeps the signature of a connection; it does so with the caller's rights (AmazonEventBridgeFullAccess). */
const ofConnectionSecrets = [
  ...['CreateSecret', 'DeleteSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecret'],
];

const byName = 'Partners come and go at run time; what belongs to them begins with the name of the stage.';

/**
 * The role of the operator's tool, with exactly the rights that its commands use (RUN-9). Nobody has it by default: an
 * administrator of the account lets people assume it.
 */
export class OperatorRole extends Construct {
  private readonly role: Role;
  private readonly config: StageConfig;

  constructor(
    scope: Construct,
    config: StageConfig,
    { data, bus, rotateKeys }: { data: DataStack; bus: PartnerBus; rotateKeys: IFunction },
  ) {
    super(scope, 'Operator');
    this.config = config;
    this.role = new Role(this, 'Role', {
      description: `Transactions (${config.name}): works with the operator's tool`,
      assumedBy: operatorsOf(config),
    });
    const resource = this.role.node.defaultChild;
    if (resource instanceof CfnRole) resource.overrideLogicalId('TransactionsOperator');
    this.letUseTables(data);
    this.letManageEndpoints(bus);
    this.letRotate(data, rotateKeys);
    this.letSearchDeadLetters(data, bus);
    this.may(['kms:DescribeKey'], data.encryptionKey.keyArn);
    new CfnOutput(this, 'RoleArn', { value: this.role.roleArn }).overrideLogicalId('OperatorRoleArn');
  }

  private letUseTables({ tables, audit }: DataStack): void {
    const { transactions, listing, partners, debounce, requests } = tables;
    this.mayAtTable(transactions, ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'PutItem', 'Scan']);
    this.mayAtTable(listing, ['DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem']);
    this.mayAtTable(debounce, ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem']);
    for (const index of ['byPartner', 'byTransaction'])
      this.may(['dynamodb:Query'], `${debounce.tableArn}/index/${index}`);
    this.mayAtTable(requests, ['Scan']);
    this.mayAtPartitions(requests, ofRequests);
    this.mayAtPartitions(partners, ofPartners);
    this.mayAtPartitions(audit, ofAudit);
  }

  private letManageEndpoints({ deliveryRole }: PartnerBus): void {
    const name = busNameOf(this.config);
    for (const [kind, actions] of Object.entries(ofBus))
      this.mayByName('events', `${kind}/${kind === 'rule' ? `${name}/` : ''}${name}-*`, actions);
    this.mayByName('events', `rule/${name}/${name}-*`, ['PutTargets'], {
      'ForAllValues:ArnLike': { 'events:TargetArn': this.arnOf('events', `api-destination/${name}-*`) },
      Null: { 'events:TargetArn': 'false' },
    });
    this.mayByName('secretsmanager', `secret:events!connection/${name}-*`, ofConnectionSecrets);
    this.may(['iam:PassRole'], deliveryRole.roleArn, {
      StringEquals: { 'iam:PassedToService': 'events.amazonaws.com' },
    });
  }

  /** Of private keys it may ask for new ones, never read any; a client secret is hashed under the pepper. */
  private letRotate({ secrets }: DataStack, rotateKeys: IFunction): void {
    for (const secret of [secrets.accessKeys, secrets.sessionKeys, secrets.pepper])
      this.may(['secretsmanager:RotateSecret'], secret.secretArn);
    this.may(['secretsmanager:GetSecretValue'], secrets.pepper.secretArn);
    // API reference of Secrets Manager, "RotateSecret": the caller needs this right, too.
    this.may(['lambda:InvokeFunction'], rotateKeys.functionArn);
  }

  /** An erasure looks for what nobody has collected; the queue is encrypted under the key of the stage (S-61). */
  private letSearchDeadLetters({ encryptionKey }: DataStack, { deadLetters }: PartnerBus): void {
    const actions = ['DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'];
    this.may(
      actions.map((action) => `sqs:${action}`),
      deadLetters.queueArn,
    );
    this.may(['kms:Decrypt'], encryptionKey.keyArn, {
      StringEquals: { 'kms:ViaService': `sqs.${this.config.region}.amazonaws.com` },
    });
  }

  private mayAtTable(table: UsedTable, actions: readonly string[]): void {
    this.may(
      actions.map((action) => `dynamodb:${action}`),
      table.tableArn,
    );
  }

  private mayAtPartitions(table: UsedTable, rights: PartitionRights): void {
    for (const [names, partitions] of Object.entries(rights)) {
      const actions = names.split(' ').map((name) => `dynamodb:${name}`);
      this.may(actions, table.tableArn, {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      });
    }
  }

  private mayByName(
    service: string,
    name: string,
    actions: readonly string[],
    conditions?: Record<string, unknown>,
  ): void {
    this.may(
      actions.map((action) => `${service}:${action}`),
      this.arnOf(service, name),
      conditions,
    );
    const place = `${this.config.region}:${accountInFindings(this.config)}`;
    const resource = `arn:<AWS::Partition>:${service}:${place}:${name}`;
    acknowledge(this.role, `AwsSolutions-IAM5[Resource::${resource}]`, byName);
  }

  private may(actions: string[], resource: string, conditions?: Record<string, unknown>): void {
    this.role.addToPolicy(
      new PolicyStatement({ actions, resources: [resource], ...(conditions && { conditions }) }),
    );
  }

  private arnOf(service: string, name: string): string {
    const { account, region, partition } = Stack.of(this);
    return `arn:${partition}:${service}:${region}:${account}:${name}`;
  }
}
