import { CfnRole, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnOutput } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { operatorsOf } from '../operators.ts';
import type { EndpointKeeper } from './endpoints/endpoint-keeper.ts';
import type { PartnerBus } from './partner-bus.ts';
import type { UsedTable } from './table.ts';

/** Which partitions of a table an action, or several, may touch. All statements of the role have to fit one policy. */
type PartitionRights = Record<string, readonly string[]>;

/**
 * Of partners and storefronts everything but the value of a webhook's signature, which it writes and never reads (S-66). A
 * record of a command is added and never removed (S-28); that it is not written over is the tool's doing: to IAM, PutItem is
 * one right.
 */
const ofPartners: PartitionRights = {
  GetItem: ['ESTATE#*', 'KEYS', 'PARTNER#*', 'PARTNERS', 'STAGE', 'STOREFRONTS', 'USE#*'],
  BatchGetItem: ['HASHES#*', 'PARTNER#*', 'USE#*'],
  Query: ['AUDIT#*', 'ESTATE#*', 'ORIGIN#*', 'PARTNERS', 'STOREFRONTS'],
  PutItem: [
    ...['AUDIT#*', 'ESTATE#*', 'HASHES#*', 'KEYS', 'ORIGIN#*', 'PARTNER#*'],
    ...['PARTNERS', 'STAGE', 'STOREFRONTS'],
  ],
  UpdateItem: ['GRANT#*', 'HASHES#*', 'PARTNER#*', 'STAGE'],
  DeleteItem: ['HASHES#*', 'PARTNER#*', 'PARTNERS', 'STAGE', 'STOREFRONTS', 'USE#*'],
};

/** A write may have the former item returned, which would be a way to read it. */
const ofSignatures: PartitionRights = { 'DeleteItem PutItem UpdateItem': ['WEBHOOK#*'] };
const returnsNothing = { StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } };

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
    {
      data,
      bus,
      keeper,
      rotateKeys,
    }: { data: DataStack; bus: PartnerBus; keeper: EndpointKeeper; rotateKeys: IFunction },
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
    // The tool changes records, and keep-endpoints the bus: the role has no right to the bus.
    keeper.grantRequest(this.role);
    this.letRotate(data, rotateKeys);
    this.letSearchDeadLetters(bus);
    this.letUseQueues(data);
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
    this.mayAtPartitions(partners, ofSignatures, returnsNothing);
    this.mayAtPartitions(audit, ofAudit);
  }

  /** Of private keys it may ask for new ones, never read any; a client secret is hashed under the pepper. */
  private letRotate({ secrets }: DataStack, rotateKeys: IFunction): void {
    for (const secret of [secrets.accessKeys, secrets.sessionKeys, secrets.pepper])
      this.may(['secretsmanager:RotateSecret'], secret.secretArn);
    this.may(['secretsmanager:GetSecretValue'], secrets.pepper.secretArn);
    // API reference of Secrets Manager, "RotateSecret": the caller needs this right, too.
    this.may(['lambda:InvokeFunction'], rotateKeys.functionArn);
  }

  /** An erasure looks for dead letters that nobody has collected (S-61). */
  private letSearchDeadLetters({ deadLetters }: PartnerBus): void {
    const actions = ['DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'];
    this.may(
      actions.map((action) => `sqs:${action}`),
      deadLetters.queueArn,
    );
  }

  /** SQS uses the key of the stage with the rights of its caller. */
  private letUseQueues({ encryptionKey }: DataStack): void {
    this.may(['kms:Decrypt', 'kms:GenerateDataKey'], encryptionKey.keyArn, {
      StringEquals: { 'kms:ViaService': `sqs.${this.config.region}.amazonaws.com` },
    });
  }

  private mayAtTable(table: UsedTable, actions: readonly string[]): void {
    this.may(
      actions.map((action) => `dynamodb:${action}`),
      table.tableArn,
    );
  }

  private mayAtPartitions(table: UsedTable, rights: PartitionRights, conditions: object = {}): void {
    for (const [names, partitions] of Object.entries(rights)) {
      const actions = names.split(' ').map((name) => `dynamodb:${name}`);
      this.may(actions, table.tableArn, {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
        Null: { 'dynamodb:LeadingKeys': 'false' },
        ...conditions,
      });
    }
  }

  private may(actions: string[], resource: string, conditions?: Record<string, unknown>): void {
    this.role.addToPolicy(
      new PolicyStatement({ actions, resources: [resource], ...(conditions && { conditions }) }),
    );
  }
}
