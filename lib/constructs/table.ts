import type { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  CfnTable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

type TableProps = {
  key: [partition: string, sort?: string];
  encryptionKey: IKey;
  deletionProtection: boolean;
  removalPolicy: RemovalPolicy;
  /** Both images of every change, for way 2. */
  hasStream?: boolean;
  /** Items leave some time after `expiresAt`; reads treat them as absent at once (S-60). */
  expires?: boolean;
  /** More ways in; CloudFormation adds at most one to a table that is deployed already. */
  indexes?: readonly IndexProps[];
};

/** An index holds only items that have both attributes; it carries their keys, and what it projects. */
export type IndexProps = { name: string; key: [partition: string, time: string]; projects?: string[] };

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });
const number = (name: string): Attribute => ({ name, type: AttributeType.NUMBER });

/** A table on demand, encrypted with our key, restorable to any second of 35 days (S-55, S-56). */
export const createTable = (scope: Construct, name: string, props: TableProps): Table => {
  const [partition, sort] = props.key;
  const table = new Table(scope, name, {
    partitionKey: text(partition),
    ...(sort && { sortKey: text(sort) }),
    ...(props.hasStream && { stream: StreamViewType.NEW_AND_OLD_IMAGES }),
    ...(props.expires && { timeToLiveAttribute: 'expiresAt' }),
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: props.encryptionKey,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: props.deletionProtection,
    removalPolicy: props.removalPolicy,
  });
  for (const index of props.indexes ?? []) addIndex(table, index);
  keepLogicalId(table, name);
  return table;
};

const addIndex = (table: Table, { name, key: [partition, time], projects }: IndexProps): void =>
  table.addGlobalSecondaryIndex({
    indexName: name,
    partitionKey: text(partition),
    sortKey: number(time),
    ...(projects
      ? { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: projects }
      : { projectionType: ProjectionType.KEYS_ONLY }),
  });

/** Tests, the embedded stage and the operator's tool find a table by its name in the template. */
const keepLogicalId = (table: Table, name: string): void => {
  const resource = table.node.defaultChild;
  if (resource instanceof CfnTable) resource.overrideLogicalId(name);
};
