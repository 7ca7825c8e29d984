import { CfnRole, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnOutput } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import type { EndpointKeeper } from '../events/endpoint-keeper.ts';
import type { PartnerBus } from '../events/partner-bus.ts';
import type { OperatorResource, OperatorRights } from './operator-rights.ts';
import { operatorsOf } from './operators.ts';

/** The constructs with resources that commands use. */
type Parts = { data: DataStack; bus: PartnerBus; keeper: EndpointKeeper; rotateKeys: IFunction };

/** Without `partitions` it covers the whole resource. */
type Statement = { actions: string[]; resources: string[]; partitions: string[]; returnsNothing: boolean };

/**
 * The role of the operator's tool, with exactly the rights that its commands declare (RUN-9). Nobody has it by default: an
 * administrator of the account lets people assume it.
 */
export class OperatorRole extends Construct {
  private readonly role: Role;

  constructor(scope: Construct, config: StageConfig, declared: readonly OperatorRights[], parts: Parts) {
    super(scope, 'Operator');
    this.role = new Role(this, 'Role', {
      description: `Transactions (${config.name}): works with the operator's tool`,
      assumedBy: operatorsOf(config),
    });
    const resource = this.role.node.defaultChild;
    if (resource instanceof CfnRole) resource.overrideLogicalId('TransactionsOperator');
    for (const statement of compact(declared.flatMap((rights) => rightsIn(rights, parts))))
      this.may(statement.actions, statement.resources, conditionsOf(statement));
    // The caller of RotateSecret needs this right as well (API reference of Secrets Manager, "RotateSecret").
    this.may(['lambda:InvokeFunction'], [parts.rotateKeys.functionArn]);
    // SQS uses the stage's key with the rights of its caller.
    this.may(['kms:Decrypt', 'kms:GenerateDataKey'], [parts.data.encryptionKey.keyArn], {
      StringEquals: { 'kms:ViaService': `sqs.${config.region}.amazonaws.com` },
    });
    new CfnOutput(this, 'RoleArn', { value: this.role.roleArn }).overrideLogicalId('OperatorRoleArn');
  }

  private may(actions: string[], resources: string[], conditions: Record<string, unknown> = {}): void {
    this.role.addToPolicy(new PolicyStatement({ actions, resources, conditions }));
  }
}

/** One statement for each action at each place. */
const rightsIn = (rights: OperatorRights, parts: Parts): Statement[] =>
  Object.entries(rights).flatMap(([place, actions]) => {
    const [name = '', part, index] = place.split('/');
    const [service, arn] = resourcesOf(parts)[name as OperatorResource];
    return actions.map((action) => ({
      actions: [`${service}:${action}`],
      resources: [index === undefined ? arn : `${arn}/index/${index}`],
      partitions: part === undefined || index !== undefined ? [] : [part],
      // A write that returns the former item would be a way to read it (S-66).
      returnsNothing: part === 'WEBHOOK#*',
    }));
  });

const resourcesOf = ({
  data: { tables, audit, secrets },
  bus,
  keeper,
}: Parts): Record<OperatorResource, [service: string, arn: string]> => ({
  Transactions: ['dynamodb', tables.transactions.tableArn],
  Listing: ['dynamodb', tables.listing.tableArn],
  Partners: ['dynamodb', tables.partners.tableArn],
  Debounce: ['dynamodb', tables.debounce.tableArn],
  Requests: ['dynamodb', tables.requests.tableArn],
  Audit: ['dynamodb', audit.tableArn],
  // The role has no right to the bus: the tool changes records, and keep-endpoints the bus.
  EndpointKeeperRequests: ['sqs', keeper.requests.queueArn],
  PartnerBusDeadLetters: ['sqs', bus.deadLetters.queueArn],
  AccessKeys: ['secretsmanager', secrets.accessKeys.secretArn],
  SessionKeys: ['secretsmanager', secrets.sessionKeys.secretArn],
  Pepper: ['secretsmanager', secrets.pepper.secretArn],
});

/** Merges statements, since all of them must fit one policy. */
const compact = (rights: readonly Statement[]): Statement[] => {
  const ofResources = Map.groupBy(rights, ({ resources }) => resources.join());
  return merged([...ofResources.values()].flatMap(ofOneResource), 'resources');
};

/** Merges by action or by partition, whichever is shorter. Keys of a batch are checked together, by one statement. */
const ofOneResource = (rights: readonly Statement[]): Statement[] => {
  const isBatch = ({ actions }: Statement) => actions.some((action) => action.includes(':Batch'));
  const batches = merged(rights.filter(isBatch), 'partitions');
  const others = rights.filter((right) => !isBatch(right));
  const byAction = merged([...batches, ...merged(others, 'partitions')], 'actions');
  const byPartition = [...batches, ...merged(merged(others, 'actions'), 'partitions')];
  return byPartition.length < byAction.length ? byPartition : byAction;
};

/** Merges statements that differ only in `part`. */
const merged = (
  statements: readonly Statement[],
  part: 'actions' | 'resources' | 'partitions',
): Statement[] =>
  [...Map.groupBy(statements, (statement) => JSON.stringify({ ...statement, [part]: [] })).values()].map(
    (alike) =>
      Object.assign({}, ...alike, {
        [part]: [...new Set(alike.flatMap((statement) => statement[part]))].sort(),
      }),
  );

const conditionsOf = ({ partitions, returnsNothing }: Statement) => ({
  ...(partitions.length > 0 && {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  }),
  ...(returnsNothing && { StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } }),
});
