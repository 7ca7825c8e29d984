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
import type { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { indexedColumns } from '../../../functions/shared/domain/listing/columns.ts';
import type { RestoredTable } from '../../config.ts';
import { type IndexDefinition, type TableDefinition, type TableId, tables } from '../../tables.ts';

type TableProps = {
  encryptionKey: IKey;
  deletionProtection: boolean;
  removalPolicy: RemovalPolicy;
};

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });
const number = (name: string): Attribute => ({ name, type: AttributeType.NUMBER });

/** Creates an on-demand table, encrypted with our key and restorable to any second of 35 days (S-56). */
export const createTable = (scope: Construct, name: TableId, props: TableProps): Table => {
  const { key, hasStream, expires, indexes = [] }: TableDefinition = tables[name];
  const [partition, sort] = key;
  const table = new Table(scope, name, {
    partitionKey: text(partition),
    ...(sort && { sortKey: text(sort) }),
    ...(hasStream && { stream: StreamViewType.NEW_AND_OLD_IMAGES }),
    ...(expires && { timeToLiveAttribute: 'expiresAt' }),
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: props.encryptionKey,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: props.deletionProtection,
    removalPolicy: props.removalPolicy,
  });
  for (const index of indexes) addIndex(table, index);
  keepLogicalId(table, name);
  return table;
};

/** The facts of a table that functions need, also of a restored one. */
export type UsedTable = { tableName: string; tableArn: string; tableStreamArn?: string | undefined };

/** The partitions of the Partners table that functions use; `PARTNER#*` are those of all partners. */
export type PartnerPartition =
  | 'PARTNER#*'
  | 'PARTNERS'
  | 'HASHES#*'
  | 'USE#*'
  | 'KEYS'
  | 'STAGE'
  | 'ESTATE#*'
  | 'GRANT#*'
  | 'ORIGIN#*'
  | 'ISSUER#*'
  | 'TURN'
  | 'WEBHOOK#*'
  | 'AUDIT#*';

/**
 * The partitions of the Requests table: answers of writes, counts of sessions, revoked tokens, times of wrong secrets,
 * counts of partners' requests, keys of cursors.
 */
export type RequestPartition =
  | 'IDEM#*'
  | 'SESSION#*'
  | 'REVOKED#*'
  | 'WRONG#*'
  | 'RATE#*'
  | 'SEAL#*'
  | 'SEAL#V1';

/** Index runs of filterable columns; those of long values have the letter in upper case. */
export const valueRuns = Object.values(indexedColumns).flatMap(
  ({ run }) => [`${run}#*`, `${run.toUpperCase() as Uppercase<typeof run>}#*`] as const,
);

/** The index runs with a transaction's entries: of all, of rollups, of sessions, and of filterable columns. */
export const listingRuns = ['a#*', 'e#*', 's#*', ...valueRuns] as const;

/** The partitions of the Listing table: index runs, counters, and sequences. */
export type ListingPartition = (typeof listingRuns)[number] | 'c#*' | 'seq';

/** The partitions of the Debounce table: of transactions, and of partners: what they are owed, passes, lines of the log. */
export type DebouncePartition = 'TX#*' | 'TO#*' | 'PASS#*' | 'LOG#*' | 'RECONCILED';

/** The partitions that each action may use. */
export type PartitionRights<Partition extends string> = Partial<Record<TableAction, readonly Partition[]>>;

/** No function scans (S-67). ConditionCheckItem: an atomic write may require that another item is unchanged. */
export type TableAction =
  | ('GetItem' | 'BatchGetItem' | 'Query' | 'ConditionCheckItem')
  | ('PutItem' | 'UpdateItem' | 'DeleteItem' | 'BatchWriteItem');

/** A restored table: it exists already, and the stack neither makes nor changes it. */
export const restoredTable = (
  scope: Construct,
  name: string,
  { table, streamArn }: RestoredTable,
): UsedTable =>
  Table.fromTableAttributes(scope, `Restored${name}`, {
    tableName: table,
    ...(streamArn !== undefined && { tableStreamArn: streamArn }),
  });

const addIndex = (table: Table, { name, key: [partition, time], projects }: IndexDefinition): void =>
  table.addGlobalSecondaryIndex({
    indexName: name,
    partitionKey: text(partition),
    sortKey: number(time),
    ...(projects
      ? { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...projects] }
      : { projectionType: ProjectionType.KEYS_ONLY }),
  });

/** Tests, the embedded stage and the operator's tool find a table by this logical id. */
const keepLogicalId = (table: Table, name: string): void => {
  const resource = table.node.defaultChild;
  if (resource instanceof CfnTable) resource.overrideLogicalId(name);
};
